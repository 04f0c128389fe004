/** Reads signals from JSON messages by a mapping: `{ "rain-tomorrow.p": "data.prices.0" }`. */
import { InputFault } from '../../domain/index.ts';
import type { Signal } from '../../history/index.ts';

export interface ValueMapping {
  /** Path of each signal's value: keys and list indexes, separated by dots. */
  readonly values: Readonly<Record<string, string>>;
  /** Ignores messages with other values at these paths, such as `{ type: 'price' }`. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Returns the signals in a message. Accepts numbers written as text.
 * @throws InputFault that names a path without a number
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
