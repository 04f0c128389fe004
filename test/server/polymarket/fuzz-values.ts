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
export function mutate(json: unknown, random: Random): unknown {
  if (typeof json !== 'object' || json === null || random.int(4) === 0) return randomValue(random, 0);
  if (Array.isArray(json)) {
    if (random.int(4) === 0) return Array.from({ length: 3_000 }, () => json[0]);
    return json.map((inner, at) => (at === 0 ? mutate(inner, random) : inner));
  }
  const key = pick(random, [...Object.keys(json), '__proto__', 'extra']);
  return { ...json, [key]: mutate(Reflect.get(json, key), random) };
}

export function randomValue(random: Random, depth: number): unknown {
  const kind = random.int(depth > 4 ? 6 : 8);
  if (kind === 6) return Array.from({ length: random.int(4) }, () => randomValue(random, depth + 1));
  if (kind === 7)
    return { [randomText(random)]: randomValue(random, depth + 1), token_id: randomValue(random, depth + 1) };
  return [null, true, -1, 1.5, 2 ** 60, randomText(random)][kind];
}

export function splice(body: string, random: Random): string {
  const at = random.int(body.length + 1);
  return body.slice(0, at) + randomText(random) + body.slice(at + random.int(20));
}

export function randomText(random: Random): string {
  return pick(random, TEXTS);
}

export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.int(list.length)] as T;
}
