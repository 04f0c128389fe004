import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  botNo,
  column,
  counted,
  type Intent,
  LOT,
  marketNo,
  type Outcome,
  priceBps,
  type Quote,
  RISK_CODES,
  type Side,
} from '../../src/domain/index.ts';
import type { RiskMode } from '../../src/risk/index.ts';
import { type Before, check, gateWith, quoteOf, quotes, told, viewOf } from './asking.ts';
import { NOON, shares, usd } from './fake-account.ts';

const MARKET = marketNo(0);
const BOT = botNo(0);
const BOTH = ['bid 100 @ 5800', 'ask 100 @ 6200'];

function take(outcome: Outcome, side: Side, limit: number, size = 100): Intent {
  return { type: 'take', market: MARKET, outcome, side, limit: priceBps(limit), shares: shares(size) };
}

function convert(type: 'split' | 'merge', size: number): Intent {
  return { type, market: MARKET, shares: shares(size) };
}

describe('a quote set', () => {
  it('that passes whole is the intent itself', () => {
    const intent = quoteOf(BOTH);
    const { approved, refused } = gateWith().check(intent, BOT, viewOf({}));
    expect(approved).toBe(intent);
    expect(refused).toEqual([]);
  });

  it('keeps its tolerance when lines are refused', () => {
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

  it('of a market that this run does not have is refused', () => {
    const unknown = (intent: Intent) => told(gateWith().check(intent, BOT, viewOf({})));
    expect(unknown(quoteOf(BOTH, undefined, 5))).toEqual(['nothing approved', 'MARKET_NOT_OPEN 1/0']);
    expect(unknown({ type: 'claim', market: counted.market(Number.NaN) })).toEqual([
      'nothing approved',
      'MARKET_NOT_OPEN 1/0',
    ]);
  });

  it.each<[number, string[]]>([
    [4_999, BOTH],
    [5_000, BOTH],
    [5_001, ['STALE_BOOK 5000/5001', 'STALE_BOOK 5000/5001']],
  ])('on a book %i ms old stands or is withdrawn with max_book_age_ms 5000', (age, answer) => {
    expect(quotes({ max_book_age_ms: 5_000 }, { bookTime: column.time(NOON - age) }, BOTH)).toEqual(answer);
  });

  it('before the first message of the book is withdrawn', () => {
    const refusal = `STALE_BOOK 5000/${NOON}`;
    expect(quotes({ max_book_age_ms: 5_000 }, { bookTime: undefined }, BOTH)).toEqual([refusal, refusal]);
  });
});

describe('a line that is no order', () => {
  const line = (price: number, size: number): Intent => {
    const quote: Quote = { side: 'bid', price: column.price(price), shares: column.shares(size) };
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
  ])('has a price of %s; the nearest is told', (price, nearest) => {
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

  it('stands on the other side of a two-sided grid', () => {
    const grid = { type: 'list' as const, bids: [5500, 5714].map(priceBps), asks: [5501, 5715].map(priceBps) };
    expect(quotes({}, { grid }, ['bid 10 @ 5715', 'ask 10 @ 5714', 'ask 10 @ 5715'])).toEqual([
      'ask 10 @ 5715',
      'OFF_GRID 5714/5715',
      'OFF_GRID 5715/5714',
    ]);
  });
});

describe('REDUCING', () => {
  const reducing = (before: Before, lines: readonly string[]) => quotes({}, before, lines, 'REDUCING');

  it('lets pass what shrinks the position, up to the whole of it', () => {
    expect(reducing({ yes: 100 }, BOTH)).toEqual(['ask 100 @ 6200', 'REDUCE_ONLY 0/100']);
    expect(reducing({ no: 100 }, BOTH)).toEqual(['bid 100 @ 5800', 'REDUCE_ONLY 0/100']);
    expect(reducing({}, BOTH)).toEqual(['REDUCE_ONLY 0/100', 'REDUCE_ONLY 0/100']);
    expect(reducing({ yes: 100, no: 100 }, BOTH)).toEqual(['REDUCE_ONLY 0/100', 'REDUCE_ONLY 0/100']);
  });

  it('cuts down what would turn the position round', () => {
    expect(reducing({ yes: 99.99 }, ['ask 60 @ 6200', 'ask 60 @ 6210', 'ask 1 @ 6220'])).toEqual([
      'ask 60 @ 6200',
      'ask 39.99 @ 6210',
      'REDUCE_ONLY 39.99/60',
      'REDUCE_ONLY 0/1',
    ]);
  });

  it('counts the orders of other strategies and takers in flight', () => {
    const orders = ['#1 SELL YES 30 @ 6300 bot 1', '#2 SELL YES 20 @ 5900 taker'];
    expect(reducing({ yes: 100, orders }, ['ask 60 @ 6200'])).toEqual(['ask 50 @ 6200', 'REDUCE_ONLY 50/60']);
  });

  it('binds takings alike and allows no split, but merges and claims', () => {
    expect(check({}, { yes: 60 }, take('YES', 'SELL', 5900), 'REDUCING')).toEqual([
      'take SELL YES 60 @ 5900',
      'REDUCE_ONLY 60/100',
    ]);
    expect(check({}, { yes: 60 }, take('YES', 'BUY', 6100), 'REDUCING')).toEqual([
      'nothing approved',
      'REDUCE_ONLY 0/100',
    ]);
    expect(check({}, {}, convert('split', 5), 'REDUCING')).toEqual(['nothing approved', 'REDUCE_ONLY 0/5']);
    expect(check({}, { yes: 5, no: 5 }, convert('merge', 5), 'REDUCING')).toEqual(['merge 5']);
  });

  it('never lets the sum of what is granted pass the position, whatever is wished', () => {
    const lot = fc.integer({ min: 0, max: 20_000 });
    const line = fc.record({
      side: fc.constantFrom<Quote['side']>('bid', 'ask'),
      price: fc.integer({ min: 400, max: 800 }),
      lots: lot,
    });
    fc.assert(
      fc.property(fc.array(line), lot, lot, (lines, yes, no) => {
        const view = viewOf({ yes: yes / 100, no: no / 100 });
        const wished = lines.map(({ side, price, lots }) => ({
          side,
          price: priceBps(10 * price),
          shares: column.shares(lots * LOT),
        }));
        const { approved } = gateWith({}, 'REDUCING').check(
          { type: 'quote', market: MARKET, quotes: wished },
          BOT,
          view,
        );
        const granted = approved?.type === 'quote' ? approved.quotes : [];
        expect(granted.every(({ side }) => side === (yes > no ? 'ask' : 'bid'))).toBe(true);
        expect(granted.reduce((sum, quote) => sum + quote.shares, 0)).toBeLessThanOrEqual(Math.abs(yes - no) * LOT);
      }),
    );
  });
});

describe('KILLED', () => {
  it('withdraws quotes and refuses everything', () => {
    expect(quotes({}, {}, BOTH, 'KILLED')).toEqual(['KILLED 0/1', 'KILLED 0/1']);
    const refused = ['nothing approved', 'KILLED 0/1'];
    expect(check({}, { yes: 60 }, take('YES', 'SELL', 5900, 60), 'KILLED')).toEqual(refused);
    expect(check({}, {}, convert('split', 5), 'KILLED')).toEqual(refused);
    expect(check({}, { yes: 5, no: 5 }, convert('merge', 5), 'KILLED')).toEqual(refused);
    expect(check({}, { status: 'RESOLVED_YES' }, { type: 'claim', market: MARKET }, 'KILLED')).toEqual(refused);
  });

  it('is left by a resume only', () => {
    const gate = gateWith({}, 'KILLED');
    gate.turn('REDUCING');
    expect(gate.mode).toBe('KILLED');
    gate.turn('ACTIVE');
    expect(gate.mode).toBe('ACTIVE');
    gate.turn('REDUCING');
    expect(gate.mode).toBe('REDUCING');
  });
});

describe('a taking', () => {
  it.each<[string, Before, Intent, string[]]>([
    ['that all allow passes', {}, take('YES', 'BUY', 6100), ['take BUY YES 100 @ 6100']],
    [
      'may name a price of either side of the grid',
      { grid: { type: 'list', bids: [priceBps(5500)], asks: [priceBps(6101)] } },
      take('YES', 'BUY', 6101),
      ['take BUY YES 100 @ 6101'],
    ],
    ['off the grid is refused', {}, take('NO', 'BUY', 4105), ['OFF_GRID 5890/5895']],
    ['in a halted market is refused', { halted: true }, take('YES', 'BUY', 6100), ['MARKET_NOT_OPEN 1/0']],
    ['too small to be bought is refused', {}, take('YES', 'BUY', 6100, 0.5), ['BELOW_MIN 1/0.5']],
    ['of nothing is refused', {}, take('YES', 'BUY', 6100, 0), ['BELOW_MIN 0.01/0']],
    [
      'that could hit an own ask is refused',
      { orders: ['#1 BUY NO 10 @ 3900'] },
      take('YES', 'BUY', 6100),
      ['SELF_TRADE 6100/6100'],
    ],
    [
      'that stays short of the own ask passes',
      { orders: ['#1 BUY NO 10 @ 3890'] },
      take('YES', 'BUY', 6100),
      ['take BUY YES 100 @ 6100'],
    ],
    [
      'that could hit an own bid is refused',
      { orders: ['#1 BUY YES 10 @ 5900 bot 1'] },
      take('NO', 'BUY', 4100),
      ['SELF_TRADE 5900/5900'],
    ],
    [
      'is not stopped by takers in flight',
      { orders: ['#1 SELL YES 10 @ 5900 taker'], yes: 10 },
      take('YES', 'BUY', 6100),
      ['take BUY YES 100 @ 6100'],
    ],
  ])('%s', (_, before, intent, answer) => {
    expect(check({}, before, intent).filter((line) => line !== 'nothing approved')).toEqual(answer);
  });

  it('counts beside the own quotes, which it does not replace', () => {
    const orders = ['#1 BUY YES 40 @ 5800'];
    expect(check({ max_position: 100 }, { orders }, take('YES', 'BUY', 6100, 60))).toEqual(['take BUY YES 60 @ 6100']);
    expect(check({ max_position: 100 }, { orders }, take('NO', 'SELL', 3900, 60.01))).toEqual([
      'nothing approved',
      'MAX_POSITION 100/100.01',
    ]);
  });

  it('counts its fee in cash and in the worst case', () => {
    const limits = { feeRateBps: 200 };
    expect(check({}, { limits, cash: 61.48 }, take('YES', 'BUY', 6100))).toEqual(['take BUY YES 100 @ 6100']);
    expect(check({}, { limits, cash: 61.47 }, take('YES', 'BUY', 6100))).toEqual([
      'nothing approved',
      'INSUFFICIENT_BALANCE 61.47/61.4758',
    ]);
    expect(check({ max_notional_usd: 61.47 }, { limits }, take('YES', 'BUY', 6100))).toEqual([
      'nothing approved',
      'MAX_MARKET_NOTIONAL 61.47/61.4758',
    ]);
  });

  it('in flight counts with its fee', () => {
    const before = { limits: { feeRateBps: 200 }, orders: ['#1 BUY YES 100 @ 6100 taker'] };
    const limits = { max_notional_usd: 62.64 };
    expect(check(limits, before, quoteOf(['bid 2 @ 5800']))).toEqual(['bid 2 @ 5800']);
    expect(check(limits, before, quoteOf(['bid 2.01 @ 5800']))).toEqual(['MAX_MARKET_NOTIONAL 62.64/62.6416']);
  });

  it('is bound by age of the book, collar, size and exposure', () => {
    const intent = take('YES', 'BUY', 6100);
    const old = { bookTime: column.time(NOON - 5_001) };
    expect(check({ max_book_age_ms: 5_000 }, old, intent)[1]).toBe('STALE_BOOK 5000/5001');
    expect(check({ price_collar_bps: 99 }, {}, intent)[1]).toBe('PRICE_COLLAR 99/100');
    expect(check({ max_order: 99 }, {}, intent)[1]).toBe('MAX_ORDER 99/100');
    expect(check({}, { limits: { maxExposure: usd(60) } }, intent)[1]).toBe('EXPOSURE_LIMIT 60/61');
    expect(check({ max_open_orders: 0 }, {}, intent)).toEqual(['take BUY YES 100 @ 6100']);
  });

  it('in flight counts for the next check elsewhere', () => {
    const gate = gateWith({ max_total_notional_usd: 100 });
    const markets = [
      { number: 0, bid: 5900, ask: 6100 },
      { number: 1, bid: 5900, ask: 6100 },
    ];
    expect(told(gate.check(take('YES', 'BUY', 6100), BOT, viewOf({ markets })))).toEqual(['take BUY YES 100 @ 6100']);
    const flying = [{ ...markets[0], orders: ['#1 BUY YES 100 @ 6100 taker'] }, { ...markets[1] }];
    const other = quoteOf(['bid 100 @ 5800'], undefined, 1);
    expect(told(gate.check(other, BOT, viewOf({ markets: flying })))).toEqual(['MAX_TOTAL_NOTIONAL 100/119']);
  });
});

describe('conversions', () => {
  it.each<[string, Before, Intent, string[]]>([
    ['a split for all the cash there is', { cash: 5 }, convert('split', 5), ['split 5']],
    ['a split for more than there is', { cash: 5 }, convert('split', 5.01), ['INSUFFICIENT_BALANCE 5/5.01']],
    ['a split while debts show', { available: -1 }, convert('split', 1), ['INSUFFICIENT_BALANCE 0/1']],
    ['a split while halted', { halted: true }, convert('split', 5), ['split 5']],
    ['a split after the close', { status: 'PENDING_RESOLUTION' }, convert('split', 5), ['MARKET_NOT_OPEN 1/0']],
    ['a split of nothing', {}, convert('split', 0), ['BELOW_MIN 0.01/0']],
    ['a merge of all pairs', { yes: 7, no: 5 }, convert('merge', 5), ['merge 5']],
    ['a merge of more', { yes: 7, no: 5 }, convert('merge', 5.01), ['INSUFFICIENT_SHARES 5/5.01']],
    [
      'a merge of what is for sale',
      { yes: 7, no: 5, orders: ['#1 SELL YES 4 @ 6200', '#2 SELL YES 1 @ 6200 bot 1'] },
      convert('merge', 3),
      ['INSUFFICIENT_SHARES 2/3'],
    ],
    ['a merge after the close', { yes: 5, no: 5, status: 'RESOLVED' }, convert('merge', 5), ['merge 5']],
    ['a merge after the end', { yes: 5, no: 5, status: 'CANCELLED' }, convert('merge', 5), ['MARKET_NOT_OPEN 1/0']],
    ['a claim after the end', { status: 'RESOLVED_UNCERTAIN' }, { type: 'claim', market: MARKET }, ['claim']],
    ['a claim before the end', { status: 'RESOLVED' }, { type: 'claim', market: MARKET }, ['MARKET_NOT_FINAL 1/0']],
  ])('%s', (_, before, intent, answer) => {
    expect(check({}, before, intent).filter((line) => line !== 'nothing approved')).toEqual(answer);
  });
});

describe('the gate is total', () => {
  it('answers any intent in any mode with approval or codes it knows, and never throws', () => {
    const wild = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.integer({ min: 1, max: 999 }).map((step) => step * 10),
      fc.integer({ min: -5, max: 20_000 }).map((lots) => lots * LOT),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1e15, 2 ** 53, -0),
    );
    const market = fc.oneof(fc.constant(0), fc.constantFrom(-1, 1, 0.5, Number.NaN, 2 ** 40)).map(counted.market);
    const quote = fc.record({
      side: fc.constantFrom<Quote['side']>('bid', 'ask'),
      price: wild.map(column.price),
      shares: wild.map(column.shares),
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
        limit: wild.map(column.price),
        shares: wild.map(column.shares),
      }),
      fc.record({ type: fc.constantFrom('split' as const, 'merge' as const), market, shares: wild.map(column.shares) }),
      fc.record({ type: fc.constant('claim' as const), market }),
    );
    const mode = fc.constantFrom<RiskMode>('ACTIVE', 'REDUCING', 'KILLED');
    const codes = new Set<string>(RISK_CODES);
    fc.assert(
      fc.property(fc.array(intent, { minLength: 1, maxLength: 5 }), mode, (intents, mode) => {
        const gate = gateWith({}, mode);
        const view = viewOf({ yes: 100, no: 20, orders: ['#1 SELL YES 30 @ 6200', '#2 BUY YES 10 @ 5700 bot 1'] });
        for (const each of intents) {
          const { approved, refused } = gate.check(each, BOT, view);
          expect(refused.every(({ code }) => codes.has(code))).toBe(true);
          expect(approved !== undefined || refused.length > 0).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
