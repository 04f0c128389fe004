import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import { readFrequentEvent } from '../../../src/protocol/polymarket/frequent-events.ts';
import { readPolymarketEvent } from '../../../src/protocol/polymarket/index.ts';
import { readBySchema } from '../../../src/protocol/polymarket/market-events.ts';
import { runs } from '../../runs.ts';
import { PRICE_CHANGE, TRADE, YES } from './frames.ts';

/** Field values on which the two readers could differ. */
const anyValue = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    '0',
    '1',
    '0.5',
    '.48',
    '5.',
    '0.00001',
    '1e-3',
    '-1',
    0,
    1,
    0.5,
    1e-7,
    -1,
    1e15,
  ),
  fc.constantFrom('1000000000', '1000000000.1', 'BUY', 'SELL', 'buy', YES, `${YES}${YES}`, '0xAB', [], {}, true, [1]),
  fc.constantFrom('x'.repeat(100), 'x'.repeat(101), `0x${'AB'.repeat(32)}`, '253402300799999', '253402300800000', 1.5),
  fc.string({ maxLength: 5 }),
  fc.double(),
);
const anyEdit = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.option(anyValue, { nil: 'delete' }), { maxKeys: 2 });

const CHANGE = PRICE_CHANGE.price_changes[0];
const OUTER_FIELDS = ['market', 'timestamp', 'price_changes', 'asset_id', 'changes', 'hash', 'price', 'size', 'side'];
const CHANGE_FIELDS = ['asset_id', 'price', 'size', 'side', 'hash', 'best_bid', 'best_ask', 'more'];

function applyEdit(object: object, edit: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries({ ...object, ...edit }).filter(([, value]) => value !== 'delete'));
}

function resultOrMessage(read: (json: unknown) => unknown, json: unknown): unknown {
  try {
    return read(json);
  } catch (fault) {
    if (!(fault instanceof InputFault)) throw fault;
    return fault.message;
  }
}

const anyEvent = fc
  .record({
    isTrade: fc.boolean(),
    outer: anyEdit(OUTER_FIELDS),
    inner: fc.array(anyEdit(CHANGE_FIELDS), { maxLength: 3 }),
  })
  .map(({ isTrade, outer, inner }) =>
    isTrade
      ? applyEdit(TRADE, outer)
      : applyEdit({ ...PRICE_CHANGE, price_changes: inner.map((edit) => applyEdit(CHANGE ?? {}, edit)) }, outer),
  );

it('the fast reader returns the same level changes, trades and error messages as the schemas', () => {
  const counts = { fast: 0, refused: 0 };
  fc.assert(
    fc.property(anyEvent, (json) => {
      const expected = resultOrMessage(readBySchema, json);
      expect(resultOrMessage(readPolymarketEvent, json)).toStrictEqual(expected);
      if (readFrequentEvent(json) !== undefined) counts.fast += 1;
      if (typeof expected === 'string') counts.refused += 1;
    }),
    { numRuns: runs(3_000) },
  );
  expect(counts.fast).toBeGreaterThan(runs(100));
  expect(counts.refused).toBeGreaterThan(runs(100));
});

it('the fast reader reads the documented frames', () => {
  expect(readFrequentEvent(PRICE_CHANGE)).toStrictEqual(readBySchema(PRICE_CHANGE));
  expect(readFrequentEvent(TRADE)).toStrictEqual(readBySchema(TRADE));
});
