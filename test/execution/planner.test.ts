import { describe, expect, it } from 'vitest';
import {
  approve,
  type Intent,
  instanceNo,
  marketNo,
  type Outcome,
  orderNo,
  priceBps,
  type QuoteIntent,
  type Side,
} from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { fakeAccount, parseQuote, shares } from '../risk/fake-account.ts';
import { type Before, describe as describeCommand, describePlan, plan } from './scenario.ts';

const MARKET = marketNo(0);
const BOT = instanceNo(0);

describe('pairs that are being merged', () => {
  it('are neither sold nor merged again', () => {
    const view = fakeAccount({ markets: [{ yes: 50, no: 50, merging: 40 }] });
    const planner = createPlanner({ firstOrder: orderNo(1), mergeThreshold: shares(1) });
    const quotes = [parseQuote('ask 10 @ 6000'), parseQuote('ask 10 @ 6100')];
    const { commands } = planner.plan(approve({ type: 'quote', market: MARKET, quotes }), BOT, view);
    expect(commands.map(describeCommand)).toEqual(['#1 SELL YES 10 @ 6000', '#2 BUY NO 10 @ 3900']);
    expect(planner.mergePairs(BOT, MARKET, view)).toMatchObject([{ type: 'merge', shares: shares(10) }]);
  });
});

describe('an intent that was not approved', () => {
  it('does not type-check', () => {
    const planner = createPlanner({ firstOrder: orderNo(1) });
    const intent: QuoteIntent = { type: 'quote', market: MARKET, quotes: [] };
    // @ts-expect-error only risk brands an intent as approved
    const unchecked = () => planner.plan(intent, BOT, fakeAccount());
    expect(unchecked).toBeTypeOf('function');
    expect(planner.plan(approve(intent), BOT, fakeAccount()).commands).toEqual([]);
  });
});

describe('order numbers', () => {
  it('count up over all plans of the account, and only when an order is placed', () => {
    const planner = createPlanner({ firstOrder: orderNo(7) });
    const quoteLines = (price: number) =>
      approve<Intent>({ type: 'quote', market: MARKET, quotes: [parseQuote(`bid 10 @ ${price}`)] });
    expect(planner.nextOrder).toBe(7);
    planner.plan(quoteLines(5800), BOT, fakeAccount());
    expect(planner.nextOrder).toBe(8);
    planner.plan(quoteLines(5800), BOT, fakeAccount({ orders: ['#7 BUY YES 10 @ 5800'] }));
    expect(planner.nextOrder).toBe(8);
    const { commands } = planner.plan(quoteLines(5810), instanceNo(1), fakeAccount());
    expect(commands).toMatchObject([{ type: 'place', order: 8, bot: 1 }]);
  });
});

describe('a take', () => {
  it.each<[Outcome, Side, number, Before, string[]]>([
    ['YES', 'BUY', 6100, {}, ['#10 BUY YES 100 @ 6100 FAK']],
    ['YES', 'BUY', 6100, { no: 30 }, ['#10 SELL NO 30 @ 3900 FAK', '#11 BUY YES 70 @ 6100 FAK']],
    ['YES', 'SELL', 5900, { yes: 100 }, ['#10 SELL YES 100 @ 5900 FAK']],
    ['YES', 'SELL', 5900, { yes: 60 }, ['#10 SELL YES 60 @ 5900 FAK', '#11 BUY NO 40 @ 4100 FAK']],
    ['NO', 'BUY', 4100, { yes: 60 }, ['#10 SELL YES 60 @ 5900 FAK', '#11 BUY NO 40 @ 4100 FAK']],
    ['NO', 'SELL', 3900, { no: 100 }, ['#10 SELL NO 100 @ 3900 FAK']],
    [
      'NO',
      'SELL',
      3900,
      { no: 100, orders: ['#1 SELL NO 40 @ 4200'] },
      ['#10 SELL NO 60 @ 3900 FAK', '#11 BUY YES 40 @ 6100 FAK'],
    ],
    ['YES', 'SELL', 9990, { yes: 80 }, ['#10 SELL YES 80 @ 9990 FAK', 'dropped BELOW_MIN']],
  ])('of %s: %s at %i sells free shares first', (outcome, side, limit, before, commands) => {
    const intent: Intent = { type: 'take', market: MARKET, outcome, side, limit: priceBps(limit), shares: shares(100) };
    expect(describePlan(plan(before, intent))).toEqual(commands);
  });

  it.each([
    [61.48, 100],
    [61.47, 99.99],
    [0.61, 0],
  ])('with %s dollars buys %s shares including the fee', (cash, size) => {
    // 200 bps of 100 shares at 6100: 61.00 and 0.4758; one lot less costs 61.4697.
    const before = { cash, limits: { feeRateBps: 200 } };
    const intent: Intent = {
      type: 'take',
      market: MARKET,
      outcome: 'YES',
      side: 'BUY',
      limit: priceBps(6100),
      shares: shares(100),
    };
    const lines = describePlan(plan(before, intent));
    expect(lines[0]).toBe(size === 0 ? 'dropped INSUFFICIENT_BALANCE' : `#10 BUY YES ${size} @ 6100 FAK`);
    expect(lines.includes('dropped INSUFFICIENT_BALANCE')).toBe(size < 100);
  });
});

describe('conversions', () => {
  it('are sent unchanged', () => {
    const split: Intent = { type: 'split', market: MARKET, shares: shares(5) };
    expect(plan({}, split).commands).toEqual([{ type: 'split', bot: 0, market: 0, shares: 5_000_000 }]);
    expect(describePlan(plan({}, { ...split, type: 'merge' }))).toEqual(['merge 5']);
    expect(plan({}, { type: 'claim', market: MARKET }).commands).toEqual([
      { type: 'claim', bot: 0, market: 0, shares: 0 },
    ]);
  });
});

describe('the merge of idle pairs', () => {
  const sweep = (before: Before, threshold?: number) => {
    const options = threshold === undefined ? {} : { mergeThreshold: shares(threshold) };
    const planner = createPlanner({ firstOrder: orderNo(10), ...options });
    return planner.mergePairs(BOT, MARKET, fakeAccount(before)).map(describeCommand);
  };

  it.each([
    [{ yes: 50, no: 50 }, []],
    [{ yes: 50.01, no: 90 }, ['merge 50.01']],
    [{ yes: 90, no: 60, orders: ['#1 SELL NO 10 @ 4200', '#2 SELL YES 35 @ 6200'] }, []],
    [{ yes: 90, no: 61, orders: ['#1 SELL NO 10 @ 4200', '#2 SELL YES 35 @ 6200 bot 1'] }, ['merge 51']],
    [{ yes: 90, no: 90, status: 'PENDING_RESOLUTION' as const }, ['merge 90']],
    [{ yes: 90, no: 90, status: 'RESOLVED_YES' as const }, []],
  ])('above 50 pairs merges all pairs that no order sells: %o', (before, commands) => {
    expect(sweep(before, 50)).toEqual(commands);
  });

  it('without a threshold merges nothing', () => {
    expect(sweep({ yes: 90, no: 90 })).toEqual([]);
  });
});

describe('max_open_orders', () => {
  const quoteWithLimit = (maxOpenOrders: number, before: Before, lines: readonly string[]) =>
    describePlan(plan(before, { type: 'quote', market: MARKET, quotes: lines.map(parseQuote) }, { maxOpenOrders }));
  const bids = ['bid 10 @ 5800', 'bid 10 @ 5790'];

  it('counts orders of all strategies and markets until the venue closes them, without takes', () => {
    const before: Before = {
      markets: [
        { bid: 5900, ask: 6100, orders: ['#1 BUY YES 1 @ 5000 cancelling bot 1', '#2 BUY YES 1 @ 5000 bot 1 taker'] },
        { number: 1, orders: ['#3 BUY YES 1 @ 5000 new', '#4 BUY YES 1 @ 5000 taker'] },
      ],
    };
    const [inner, outer] = ['#10 BUY YES 10 @ 5800', '#11 BUY YES 10 @ 5790'];
    expect(quoteWithLimit(4, before, bids)).toEqual([inner, outer]);
    expect(quoteWithLimit(3, before, bids)).toEqual([inner, 'dropped MAX_OPEN_ORDERS']);
    expect(quoteWithLimit(2, before, bids)).toEqual(['dropped MAX_OPEN_ORDERS', 'dropped MAX_OPEN_ORDERS']);
    expect(quoteWithLimit(0, before, bids)).toEqual(['dropped MAX_OPEN_ORDERS', 'dropped MAX_OPEN_ORDERS']);
  });

  it('reports the limit and the number of orders that would be open', () => {
    const intent: Intent = { type: 'quote', market: MARKET, quotes: [parseQuote('ask 10 @ 6200')] };
    const before = { yes: 4, orders: ['#1 BUY YES 1 @ 5000 bot 1', '#2 BUY YES 1 @ 5000 bot 1'] };
    expect(plan(before, intent, { maxOpenOrders: 3 }).dropped).toEqual([
      { ok: false, market: MARKET, code: 'MAX_OPEN_ORDERS', limit: 3, actual: 4 },
    ]);
  });

  it('counts each leg of a level and sells first', () => {
    const lines = ['ask 100 @ 6200'];
    expect(quoteWithLimit(2, { yes: 30 }, lines)).toEqual(['#10 SELL YES 30 @ 6200', '#11 BUY NO 70 @ 3800']);
    expect(quoteWithLimit(1, { yes: 30 }, lines)).toEqual(['#10 SELL YES 30 @ 6200', 'dropped MAX_OPEN_ORDERS']);
    expect(quoteWithLimit(1, { yes: 30, orders: ['#1 SELL YES 30 @ 6200'] }, lines)).toEqual([]);
  });

  it('counts each order of a level that is split over several orders', () => {
    const lines = ['bid 10 @ 5800', 'bid 20 @ 5800'];
    const [first, second] = ['#10 BUY YES 20 @ 5800', '#11 BUY YES 10 @ 5800'];
    expect(quoteWithLimit(2, {}, lines)).toEqual([first, second]);
    expect(quoteWithLimit(1, {}, lines)).toEqual([first, 'dropped MAX_OPEN_ORDERS']);
  });

  it('allows a replace by the same number of orders at the limit', () => {
    const orders = ['#1 BUY YES 10 @ 5780', '#2 BUY YES 10 @ 5770'];
    expect(quoteWithLimit(2, { orders }, bids)).toEqual([
      'replace #1(10) #2(10) by #10 BUY YES 10 @ 5800, #11 BUY YES 10 @ 5790',
    ]);
    const small = ['#1 BUY YES 5 @ 5800', '#2 BUY YES 10 @ 5790'];
    expect(quoteWithLimit(2, { orders: small }, bids)).toEqual(['replace #1(5) by #10 BUY YES 10 @ 5800']);
  });

  it('allows a replace by the same number of orders while another replace in flight counts twice', () => {
    const orders = ['#1 BUY YES 10 @ 5780', '#2 BUY NO 10 @ 3810 cancelling', '#3 BUY NO 10 @ 3800 new'];
    expect(quoteWithLimit(2, { orders }, ['bid 10 @ 5800', 'ask 10 @ 6200'])).toEqual([
      'replace #1(10) by #10 BUY YES 10 @ 5800',
    ]);
  });

  it('waits for the answer to its cancel when a new order would exceed the limit', () => {
    const before = { placeDelayMs: 5_000, orders: ['#1 BUY YES 10 @ 5780'] };
    expect(quoteWithLimit(1, before, ['ask 10 @ 6200'])).toEqual(['cancel #1', 'dropped MAX_OPEN_ORDERS', 'deferred']);
    expect(quoteWithLimit(2, before, ['ask 10 @ 6200'])).toEqual(['cancel #1', '#10 BUY NO 10 @ 3800']);
  });

  it('does not extend a level in a market with a placing delay when that exceeds the limit', () => {
    const before = { placeDelayMs: 5_000, orders: ['#1 BUY YES 60 @ 5800', '#2 BUY YES 20 @ 5800'] };
    expect(quoteWithLimit(3, before, ['bid 100 @ 5800'])).toEqual(['#10 BUY YES 20 @ 5800']);
    expect(quoteWithLimit(2, before, ['bid 100 @ 5800'])).toEqual([]);
  });
});
