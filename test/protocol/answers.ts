/** Valid answers for selections, and invalid variants of them. */

import { seededRandom } from '../../src/clock/index.ts';
import type { LeafKind } from '../../src/protocol/answer-check.ts';
import type { FieldShape, Selection } from '../../src/protocol/index.ts';

const UUID = '00000000-0000-4000-8000-000000000001';
const VALUES: Readonly<Record<LeafKind, unknown>> = {
  boolean: true,
  text: 'Will it rain?',
  word: 'SOMETHING_NEW',
  token: 'abc.def',
  id: 'id-1',
  uuid: UUID,
  cursor: 'YQ==',
  hash: `0x${'ab'.repeat(32)}`,
  hex: '0x1a',
  time: '2026-01-29T12:30:00.123Z',
  price: 5_000,
  bps: 10_000,
  fee: 100,
  tick: 10,
  cents: 100,
  count: 0,
  positive: 1,
  ms: 0,
  positiveMs: 1_000,
  int: -1,
  shares: 12.34,
  amount: 0.5,
  rate: 0.1,
  micros: '1000000',
  signedMicros: '-1000000',
  seq: '17',
  integer: '-5',
  object: {},
  BetOutcome: 'YES',
  BookEventKind: 'DELTA',
  LiquidityRole: 'MAKER',
  MarketStatus: 'OPEN',
  OrderEventKind: 'FILLED',
  OrderSide: 'BUY',
  OrderStatus: 'LIVE',
  RejectReason: 'CONFLICT',
  VenueMode: 'NORMAL',
};

/** A valid answer with a value in each field and an element in each list. */
export function validAnswer(selection: Selection): Record<string, unknown> {
  return Object.fromEntries(Object.entries(selection).map(([name, shape]) => [name, valueFor(shape)]));
}

function valueFor(shape: FieldShape): unknown {
  const [wrap, value] =
    typeof shape === 'string' ? [shape, leafOf(shape)] : [String(shape.wrap), validAnswer(shape.fields)];
  return wrap.includes('[]') ? [value] : value;
}

function leafOf(shape: string): unknown {
  const name = Object.keys(VALUES).find((kind) => kind === shape.replace(/(\[\])?\??$/, ''));
  if (name === undefined) throw new Error(`no value for ${shape}`);
  return Reflect.get(VALUES, name);
}

/** Unusual JSON values that replace valid ones. */
const UNUSUAL: readonly unknown[] = [
  ...[null, true, false, '', 'NaN', 'null', '-1', '1e5', '0x10', ' 7 ', '9'.repeat(400), 'x'.repeat(70_000)],
  ...[0, -1, -0.5, 0.001, 1e300, -1e300, 2 ** 53, 2 ** 31, 9_999, 10_001],
  ...[[], [[]], [null], {}, { length: 3 }, { toString: 1, valueOf: 1 }, { constructor: null }],
  ...['9007199254740991', '9007199254740992', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59.999Z', '\u0000', '\ud800'],
  JSON.parse('{"__proto__":{"polluted":1}}'),
  JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
];

type Location = readonly [holder: object, key: string];

function locationsIn(value: unknown, found: Location[] = []): readonly Location[] {
  if (typeof value !== 'object' || value === null || found.length > 5_000) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    locationsIn(Reflect.get(value, key), found);
  }
  return found;
}

/** A copy with one to three changes: a deleted field, another value, repeated elements or an extra key. */
export function mutate(value: unknown, seed: number): unknown {
  const random = seededRandom(seed);
  const copy: unknown = structuredClone(value);
  for (let left = 1 + random.int(3); left > 0; left -= 1) {
    const locations = locationsIn(copy);
    const location = locations[random.int(Math.max(1, locations.length))];
    if (location === undefined) return UNUSUAL[random.int(UNUSUAL.length)];
    change(location, random.int(6), structuredClone(UNUSUAL[random.int(UNUSUAL.length)]));
  }
  return copy;
}

function change([holder, key]: Location, how: number, unusual: unknown): void {
  if (how === 0) Reflect.deleteProperty(holder, key);
  else if (how === 1 && Array.isArray(holder)) holder.push(...holder.slice(0, 50));
  else if (how === 2) Reflect.set(holder, `${key}More`, unusual);
  else Reflect.set(holder, key, unusual);
}

/** A copy with one value that no field accepts. */
export function withInvalidValue(value: unknown, seed: number): unknown {
  const random = seededRandom(seed);
  const copy: unknown = structuredClone(value);
  // Fee rates accept any value here. Their reader checks them.
  const locations = locationsIn(copy).filter(([, name]) => name !== 'feeRateBps');
  const location = locations[random.int(locations.length)];
  if (location !== undefined) Reflect.set(location[0], location[1], 10n);
  return copy;
}
