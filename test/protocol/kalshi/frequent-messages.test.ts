import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import { readFrequentMessage } from '../../../src/protocol/kalshi/frequent-messages.ts';
import { readKalshiMessage } from '../../../src/protocol/kalshi/index.ts';
import { readBySchema } from '../../../src/protocol/kalshi/market-messages.ts';
import { runs } from '../../runs.ts';
import { DELTA, TRADE } from './frames.ts';

/** Field values on which the two readers could differ. */
const anyValue = fc.oneof(
  fc.constantFrom(undefined, null, '', '0', '1', '0.5', '.48', '5.', '0.00001', '1e-3', '-1', '-4.00', '+2', 0, 1, 52),
  fc.constantFrom(0.5, 1e-7, -1, 1e15, 1.5, 'yes', 'no', 'YES', 'bid', 'ask', true, false, [], {}, [1]),
  fc.constantFrom('x'.repeat(200), 'x'.repeat(201), '253402300799999', '253402300800000', '2026-01-01T00:00:00Z'),
  fc.string({ maxLength: 5 }),
  fc.double(),
);
const anyEdit = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.option(anyValue, { nil: 'delete' }), { maxKeys: 2 });
const OUTER_FIELDS = ['type', 'cmd', 'params', 'sid', 'seq', 'msg', 'trade_id'];
const COMMON_FIELDS = ['market_ticker', 'ts_ms', 'ts', 'created_time', 'more'];
const DELTA_FIELDS = [...COMMON_FIELDS, 'price_dollars', 'price', 'delta_fp', 'delta', 'side'];
const TRADE_FIELDS = [
  ...COMMON_FIELDS,
  ...['trade_id', 'ticker', 'yes_price_dollars', 'yes_price', 'count_fp', 'count'],
  ...['taker_book_side', 'taker_outcome_side', 'taker_side', 'is_block_trade'],
];

function applyEdit(object: object, edit: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries({ ...object, ...edit }).filter(([, value]) => value !== 'delete'));
}

function resultOrMessage(read: () => unknown): unknown {
  try {
    return read();
  } catch (fault) {
    if (!(fault instanceof InputFault)) throw fault;
    return fault.message;
  }
}

const anyMessage = fc
  .record({
    isTrade: fc.boolean(),
    outer: anyEdit(OUTER_FIELDS),
    delta: anyEdit(DELTA_FIELDS),
    trade: anyEdit(TRADE_FIELDS),
  })
  .map(({ isTrade, outer, delta, trade }) =>
    isTrade
      ? applyEdit({ ...TRADE, msg: applyEdit(TRADE.msg, trade) }, outer)
      : applyEdit({ ...DELTA, msg: applyEdit(DELTA.msg, delta) }, outer),
  );

it('the fast reader returns the same level changes, trades and error messages as the schemas', () => {
  const counts = { fast: 0, refused: 0 };
  fc.assert(
    fc.property(anyMessage, fc.boolean(), (json, usesYesPrices) => {
      const expected = resultOrMessage(() => readBySchema(json, { usesYesPrices }));
      expect(resultOrMessage(() => readKalshiMessage(json, { usesYesPrices }))).toStrictEqual(expected);
      if (readFrequentMessage(json, { usesYesPrices }) !== undefined) counts.fast += 1;
      if (typeof expected === 'string') counts.refused += 1;
    }),
    { numRuns: runs(3_000) },
  );
  expect(counts.fast).toBeGreaterThan(runs(100));
  expect(counts.refused).toBeGreaterThan(runs(100));
});

it('the fast reader reads the documented messages', () => {
  expect(readFrequentMessage(DELTA, { usesYesPrices: false })).toStrictEqual(
    readBySchema(DELTA, { usesYesPrices: false }),
  );
  expect(readFrequentMessage(TRADE, { usesYesPrices: false })).toStrictEqual(
    readBySchema(TRADE, { usesYesPrices: false }),
  );
});
