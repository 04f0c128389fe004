/** Signals from JSON of others, by a mapping: `{ "rain-tomorrow.p": "data.prices.0" }`. */
import { InputFault } from '../../domain/index.ts';
import type { Signal } from '../../history/index.ts';

export interface ValueMapping {
  /** Path of the value of each signal: keys and list indexes, separated by dots. */
  readonly values: Readonly<Record<string, string>>;
  /** Only messages in which the value at each path is this one, such as `{ type: 'price' }`. Others are ignored. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The signals that a message holds. A text that is a number counts as one.
 * @throws InputFault that names the path where there is no number
 */
export function signalsIn(message: unknown, { values, where = {} }: ValueMapping): readonly Signal[] {
  const isWanted = Object.entries(where).every(([path, wanted]) => valueAt(message, path) === wanted);
  if (!isWanted) return [];
  return Object.entries(values).map(([name, path]) => {
    const found = valueAt(message, path);
    const value = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new InputFault(path, found, `a number for ${name}`);
    return { name, value, time: undefined };
  });
}

function valueAt(message: unknown, path: string): unknown {
  let value = message;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
