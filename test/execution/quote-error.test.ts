import { describe, expect, it } from 'vitest';
import { instanceNo, marketNo, type QuoteIntent } from '../../src/domain/index.ts';
import { quoteError, tooAggressiveOrders } from '../../src/execution/index.ts';
import { fakeAccount, parseQuote } from '../risk/fake-account.ts';

const BOT = instanceNo(0);

function marketWith(orders: readonly string[]) {
  return fakeAccount({ bid: 5_900, ask: 6_100, orders }).market(marketNo(0));
}

function quoteIntent(...lines: readonly string[]): QuoteIntent {
  return { type: 'quote', market: marketNo(0), quotes: lines.map(parseQuote) };
}

const BOTH = quoteIntent('bid 10 @ 5900', 'bid 10 @ 5800', 'ask 10 @ 6100');

describe('the error of open orders against the quotes', () => {
  it.each([
    [['#1 BUY YES 10 @ 5900', '#2 BUY YES 10 @ 5800', '#3 BUY NO 10 @ 3900'], 0],
    [['#1 BUY YES 10 @ 5950', '#3 BUY NO 10 @ 3900'], 50],
    [['#1 BUY YES 10 @ 5900', '#3 BUY NO 10 @ 4200'], 300],
    [['#1 BUY YES 10 @ 5950 cancelling', '#2 BUY YES 10 @ 5950 bot 1', '#3 BUY YES 10 @ 5950 taker'], 0.003],
    [['#1 BUY YES 10 @ 5880', '#2 BUY YES 10 @ 5900', '#3 BUY NO 10 @ 3900'], 0.2],
    [['#1 BUY YES 10 @ 1000'], 1],
    [[], 0.003],
  ])('%j has error %d', (orders, expected) => {
    expect(quoteError(BOTH, BOT, marketWith(orders))).toBeCloseTo(expected, 9);
  });

  it('is largest when a side has orders but no quotes', () => {
    expect(quoteError(quoteIntent('ask 10 @ 6100'), BOT, marketWith(['#1 BUY YES 10 @ 100']))).toBe(100);
    expect(quoteError(quoteIntent(), BOT, marketWith(['#1 BUY NO 10 @ 4000']))).toBe(4_000);
  });
});

describe('exposed orders', () => {
  it('are live orders of the instance that are more aggressive than every quote of their side', () => {
    const orders = ['#1 BUY YES 10 @ 5950', '#2 BUY YES 10 @ 5880', '#3 BUY NO 10 @ 3910', '#4 BUY NO 10 @ 3900'];
    const others = ['#5 BUY YES 10 @ 5990 bot 1', '#6 BUY YES 10 @ 5990 new', '#7 BUY YES 10 @ 5990 cancelling'];
    expect(tooAggressiveOrders(BOTH, BOT, marketWith([...orders, ...others]))).toEqual([1, 3]);
    expect(tooAggressiveOrders(quoteIntent(), BOT, marketWith(orders))).toEqual([1, 2, 3, 4]);
  });
});
