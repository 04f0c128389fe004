import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Intent,
  instanceNo,
  LOT,
  marketNo,
  type Outcome,
  priceBps,
  type Quote,
  RISK_CODES,
  type Side,
  unchecked,
} from '../../src/domain/index.ts';
import type { RiskMode } from '../../src/risk/index.ts';
import { runs } from '../runs.ts';
import { type Before, check, gateWith, quoteOf, quotes, verdictLines, viewOf } from './check-text.ts';
import { NOON } from './fake-account.ts';

const MARKET = marketNo(0);
const BOT = instanceNo(0);
const BOTH = ['bid 100 @ 5800', 'ask 100 @ 6200'];

describe('a quote set', () => {
  it('is returned unchanged when all quotes pass', () => {
    const intent = quoteOf(BOTH);
    const { approved, refused } = gateWith().check(intent, BOT, viewOf({}));
    expect(approved).toBe(intent);
    expect(refused).toEqual([]);
  });

  it('has its tolerance when lines are refused', () => {
    const { approved } = gateWith({ max_order: 1 }).check(quoteOf(BOTH, { minAgeMs: 7 }), BOT, viewOf({}));
    expect(approved).toEqual({ type: 'quote', market: 0, quotes: [], tolerance: { minAgeMs: 7 } });
  });

  it.each<[string, Before, string]>([
    ['is not open', { status: 'PENDING_RESOLUTION' }, 'MARKET_NOT_OPEN 1/0'],
    ['is halted', { halted: true }, 'MARKET_NOT_OPEN 1/0'],
  ])('is withdrawn from a market that %s', (_, before, refusal) => {
    expect(quotes({}, before, BOTH)).toEqual([refusal, refusal]);
    expect(quotes({}, before, [])).toEqual([]);
  });

  it('is refused for an unknown market', () => {
    const unknown = (intent: Intent) => verdictLines(gateWith().check(intent, BOT, viewOf({})));
    expect(unknown(quoteOf(BOTH, undefined, 5))).toEqual(['nothing approved', 'MARKET_NOT_OPEN 1/0']);
    expect(unknown({ type: 'claim', market: unchecked.market(Number.NaN) })).toEqual([
      'nothing approved',
      'MARKET_NOT_OPEN 1/0',
    ]);
  });

  it.each<[number, string[]]>([
    [4_999, BOTH],
    [5_000, BOTH],
    [5_001, ['STALE_BOOK 5000/5001', 'STALE_BOOK 5000/5001']],
  ])('is granted or withdrawn on a book of %i ms with max_book_age_ms 5000', (age, answer) => {
    expect(quotes({ max_book_age_ms: 5_000 }, { bookTime: unchecked.time(NOON - age) }, BOTH)).toEqual(answer);
  });

  it('is cancelled before the first message of the book', () => {
    const refusal = `STALE_BOOK 5000/${NOON}`;
    expect(quotes({ max_book_age_ms: 5_000 }, { bookTime: undefined }, BOTH)).toEqual([refusal, refusal]);
  });
});

describe('a quote that cannot become an order', () => {
  const line = (price: number, size: number): Intent => {
    const quote: Quote = { side: 'bid', price: unchecked.price(price), shares: unchecked.shares(size) };
    return { type: 'quote', market: MARKET, quotes: [quote] };
  };

  it.each([
    [5805, 5800],
    [Number.NaN, 0],
    [0, 0],
    [-10, 0],
    [10_000, 9990],
    [5800.5, 5800],
    [Number.POSITIVE_INFINITY, 9990],
  ])('has a price of %s, and the refusal reports the nearest valid price', (price, nearest) => {
    expect(check({}, {}, line(price, 100 * LOT))).toEqual([`OFF_GRID ${nearest}/${price}`]);
  });

  it.each([
    [Number.NaN, 'OFF_LOT 0.01/NaN'],
    [15_000, 'OFF_LOT 0.01/0.015'],
    [0.5, 'OFF_LOT 0.01/5e-7'],
    [0, 'BELOW_MIN 0.01/0'],
    [-LOT, 'BELOW_MIN 0.01/-0.01'],
    [1e15 + LOT, 'MAX_ORDER 1000000000/1000000000.01'],
    [Number.POSITIVE_INFINITY, 'MAX_ORDER 1000000000/Infinity'],
  ])('has a size of %s', (size, refusal) => {
    expect(check({}, {}, line(5800, size))).toEqual([refusal]);
  });

  it('has a price of the other side of a two-sided grid', () => {
    const grid = { type: 'list' as const, bids: [5500, 5714].map(priceBps), asks: [5501, 5715].map(priceBps) };
    expect(quotes({}, { grid }, ['bid 10 @ 5715', 'ask 10 @ 5714', 'ask 10 @ 5715'])).toEqual([
      'ask 10 @ 5715',
      'OFF_GRID 5714/5715',
      'OFF_GRID 5715/5714',
    ]);
  });
});

describe('the gate', () => {
  it('approves any intent or refuses it with a known code in any mode, and never throws', () => {
    const wild = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.integer({ min: 1, max: 999 }).map((step) => step * 10),
      fc.integer({ min: -5, max: 20_000 }).map((lots) => lots * LOT),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1e15, 2 ** 53, -0),
    );
    const market = fc.oneof(fc.constant(0), fc.constantFrom(-1, 1, 0.5, Number.NaN, 2 ** 40)).map(unchecked.market);
    const quote = fc.record({
      side: fc.constantFrom<Quote['side']>('bid', 'ask'),
      price: wild.map(unchecked.price),
      shares: wild.map(unchecked.shares),
    });
    const tolerance = fc.record({ pricePct: wild, minAgeMs: wild, maxAgeMs: wild });
    const outcome = fc.constantFrom<Outcome>('YES', 'NO');
    const side = fc.constantFrom<Side>('BUY', 'SELL');
    const intent: fc.Arbitrary<Intent> = fc.oneof(
      fc.record({ type: fc.constant('quote' as const), market, quotes: fc.array(quote), tolerance }),
      fc.record({
        type: fc.constant('take' as const),
        market,
        outcome,
        side,
        limit: wild.map(unchecked.price),
        shares: wild.map(unchecked.shares),
      }),
      fc.record({
        type: fc.constantFrom('split' as const, 'merge' as const),
        market,
        shares: wild.map(unchecked.shares),
      }),
      fc.record({ type: fc.constant('claim' as const), market }),
    );
    const mode = fc.constantFrom<RiskMode>('ACTIVE', 'REDUCING', 'KILLED');
    const codes = new Set<string>(RISK_CODES);
    fc.assert(
      fc.property(fc.array(intent, { minLength: 1, maxLength: 5 }), mode, (intents, mode) => {
        const gate = gateWith({}, mode);
        const view = viewOf({ yes: 100, no: 20, orders: ['#1 SELL YES 30 @ 6200', '#2 BUY YES 10 @ 5700 bot 1'] });
        for (const next of intents) {
          const { approved, refused } = gate.check(next, BOT, view);
          expect(refused.every(({ code }) => codes.has(code))).toBe(true);
          expect(approved !== undefined || refused.length > 0).toBe(true);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });
});
