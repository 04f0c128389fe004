/** Invalid values, and bodies and messages that contain them. */
import type { Random } from '../../../src/clock/index.ts';

const TEXTS = [
  '',
  '0',
  '-1',
  '1e309',
  '9'.repeat(400),
  'NaN',
  '0x',
  `0x${'f'.repeat(64)}`,
  'LTE=',
  'MA==',
  'OTk5OTk5OTk5',
  '__proto__',
  'constructor',
  '<html><body>502 Bad Gateway</body></html>',
  "'; DROP TABLE orders; --",
  '\u0000',
  '%',
  '\ud83d',
  '../../etc/passwd',
  'COLLATERAL',
  'CONDITIONAL',
  'BUY',
];

/** Replaces one value somewhere in the JSON value. */
export function mutated(json: unknown, dice: Random): unknown {
  if (typeof json !== 'object' || json === null || dice.int(4) === 0) return value(dice, 0);
  if (Array.isArray(json)) {
    if (dice.int(4) === 0) return Array.from({ length: 3_000 }, () => json[0]);
    return json.map((inner, at) => (at === 0 ? mutated(inner, dice) : inner));
  }
  const key = pick(dice, [...Object.keys(json), '__proto__', 'extra']);
  return { ...json, [key]: mutated(Reflect.get(json, key), dice) };
}

export function value(dice: Random, depth: number): unknown {
  const kind = dice.int(depth > 4 ? 6 : 8);
  if (kind === 6) return Array.from({ length: dice.int(4) }, () => value(dice, depth + 1));
  if (kind === 7) return { [text(dice)]: value(dice, depth + 1), token_id: value(dice, depth + 1) };
  return [null, true, -1, 1.5, 2 ** 60, text(dice)][kind];
}

export function spliced(body: string, dice: Random): string {
  const at = dice.int(body.length + 1);
  return body.slice(0, at) + text(dice) + body.slice(at + dice.int(20));
}

export function text(dice: Random): string {
  return pick(dice, TEXTS);
}

export function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

export function pick<T>(dice: Random, list: readonly T[]): T {
  return list[dice.int(list.length)] as T;
}
