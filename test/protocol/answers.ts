/** Answers as their selections want them, and what can be wrong with one. */
import { seededRandom } from '../../src/clock/index.ts';
import type { FieldShape, LeafKind, Selection } from '../../src/protocol/index.ts';

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

/** One with something in each field and list. */
export function answerOf(selection: Selection): Record<string, unknown> {
  return Object.fromEntries(Object.entries(selection).map(([name, shape]) => [name, valueFor(shape)]));
}

function valueFor(shape: FieldShape): unknown {
  const [wrap, value] =
    typeof shape === 'string' ? [shape, leafOf(shape)] : [String(shape.wrap), answerOf(shape.fields)];
  return wrap.includes('[]') ? [value] : value;
}

function leafOf(shape: string): unknown {
  const name = Object.keys(VALUES).find((kind) => kind === shape.replace(/(\[\])?\??$/, ''));
  if (name === undefined) throw new Error(`no value for ${shape}`);
  return Reflect.get(VALUES, name);
}

/** What is put in the place of values. All of it can come as JSON. */
const STRANGE: readonly unknown[] = [
  ...[null, true, false, '', 'NaN', 'null', '-1', '1e5', '0x10', ' 7 ', '9'.repeat(400), 'x'.repeat(70_000)],
  ...[0, -1, -0.5, 0.001, 1e300, -1e300, 2 ** 53, 2 ** 31, 9_999, 10_001],
  ...[[], [[]], [null], {}, { length: 3 }, { toString: 1, valueOf: 1 }, { constructor: null }],
  ...['9007199254740991', '9007199254740992', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59.999Z', '\u0000', '\ud800'],
  JSON.parse('{"__proto__":{"polluted":1}}'),
  JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
];

type Place = readonly [holder: object, key: string];

function placesIn(value: unknown, found: Place[] = []): readonly Place[] {
  if (typeof value !== 'object' || value === null || found.length > 5_000) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    placesIn(Reflect.get(value, key), found);
  }
  return found;
}

/** A copy with one to three changes: a field gone, another value, a doubled element, a key too many. */
export function mutated(value: unknown, seed: number): unknown {
  const random = seededRandom(seed);
  const copy: unknown = structuredClone(value);
  for (let left = 1 + random.int(3); left > 0; left -= 1) {
    const places = placesIn(copy);
    const place = places[random.int(Math.max(1, places.length))];
    if (place === undefined) return STRANGE[random.int(STRANGE.length)];
    change(place, random.int(6), structuredClone(STRANGE[random.int(STRANGE.length)]));
  }
  return copy;
}

function change([holder, key]: Place, how: number, strange: unknown): void {
  if (how === 0) Reflect.deleteProperty(holder, key);
  else if (how === 1 && Array.isArray(holder)) holder.push(...holder.slice(0, 50));
  else if (how === 2) Reflect.set(holder, `${key}More`, strange);
  else Reflect.set(holder, key, strange);
}

/** A copy with one value that no field takes. */
export function badValue(value: unknown, seed: number): unknown {
  const random = seededRandom(seed);
  const copy: unknown = structuredClone(value);
  // A fee rate may be anything: who reads it tests it.
  const places = placesIn(copy).filter(([, name]) => name !== 'feeRateBps');
  const place = places[random.int(places.length)];
  if (place !== undefined) Reflect.set(place[0], place[1], 10n);
  return copy;
}
