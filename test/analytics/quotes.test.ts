/** Measures of quotes: the queue ahead, the fill ratio, the worst case. */
import { describe, expect, it } from 'vitest';
import type { MeasuredOrder } from '../../src/analytics/measure-types.ts';
import { FillRatio, QueueAhead } from '../../src/analytics/order-levels.ts';
import { QuotingUptime } from '../../src/analytics/quoting-uptime.ts';
import { complement, costAt, orderNo, unchecked } from '../../src/domain/index.ts';
import { worstCase } from '../../src/ledger/index.ts';

const SHARE = 1_000_000;

function order(no: number, sign: 1 | -1, yesPrice: number, shares: number, phase = 'live'): MeasuredOrder {
  return { order: no, sign, yesPrice, remaining: shares * SHARE, phase, rests: true };
}

function fill(no: number, shares: number, remaining: number, trade?: string) {
  return {
    order: orderNo(no),
    shares: unchecked.shares(shares * SHARE),
    remaining: unchecked.shares(remaining * SHARE),
    ...(trade !== undefined && { trade, provisional: true as const }),
  };
}

describe('the fill ratio by level', () => {
  it('counts an order on the level on which it was accepted, regardless of later changes', () => {
    const ratio = new FillRatio();
    const book = [order(1, 1, 5_800, 100), order(2, 1, 5_700, 50), order(3, -1, 6_200, 80)];
    for (const no of [1, 2, 3]) ratio.addOrder(no, book);
    ratio.addFill(fill(1, 100, 0));
    ratio.addFill(fill(2, 10, 40));
    ratio.removeOrder(3);
    // A fill that is reported after its order closed does not count.
    ratio.addFill(fill(3, 1, 0));
    expect(ratio.rows()).toEqual([
      { side: 'bid', level: 1, orders: 1, placedShares: 100 * SHARE, filledShares: 100 * SHARE },
      { side: 'bid', level: 2, orders: 1, placedShares: 50 * SHARE, filledShares: 10 * SHARE },
      { side: 'ask', level: 1, orders: 1, placedShares: 80 * SHARE, filledShares: 0 },
    ]);
  });

  it('excludes takers and reversed fills', () => {
    const ratio = new FillRatio();
    ratio.addOrder(1, [{ ...order(1, 1, 6_000, 10), rests: false }]);
    ratio.addOrder(2, [order(2, 1, 5_900, 10)]);
    ratio.addFill(fill(2, 4, 6, 'a'));
    ratio.reverseFill('a');
    expect(ratio.rows()).toMatchObject([{ orders: 1, placedShares: 10 * SHARE, filledShares: 0 }]);
  });

  it('excludes a fill that was reversed after its order was completely filled', () => {
    const ratio = new FillRatio();
    ratio.addOrder(1, [order(1, 1, 5_900, 10)]);
    ratio.addFill(fill(1, 4, 6, 'a'));
    ratio.addFill(fill(1, 6, 0, 'b'));
    ratio.settleFill('a');
    ratio.reverseFill('b');
    expect(ratio.rows()).toMatchObject([{ orders: 1, filledShares: 4 * SHARE }]);
  });
});

describe('the queue ahead', () => {
  it('is weighted by shares, and known at the fill only if a model or the venue provides it', () => {
    const ahead = new QueueAhead();
    expect(ahead.result()).toBeUndefined();
    ahead.add(30, 100, 0);
    ahead.add(10, 300, undefined);
    ahead.add(5, undefined, undefined);
    expect(ahead.result()).toEqual({ count: 2, atPlacing: 150, atFill: 0 });
    ahead.add(10, 300, undefined, -1);
    expect(ahead.result()).toEqual({ count: 1, atPlacing: 100, atFill: 0 });
  });
});

describe('time at the best price', () => {
  it('is the share of open time with an own price at or better than the best price of others', () => {
    const uptime = new QuotingUptime({ minShares: SHARE, maxSpreadBps: 500 });
    uptime.updateMarket(0, true, 5_800, 6_200, []);
    uptime.updateOrders(100, [order(1, 1, 5_800, 10), order(2, -1, 6_300, 10)]);
    // The own bid is worse than the best one, the own ask is the best.
    uptime.updateMarket(300, true, 5_900, 6_300, [order(1, 1, 5_800, 10), order(2, -1, 6_300, 10)]);
    uptime.updateMarket(600, false, 5_900, 6_300, []);
    expect(uptime.atBest(1_000)).toEqual({ bid: 200 / 600, ask: 300 / 600, both: 0 });
  });
});

describe('the worst case of docs/spec/models.md#worst-case', () => {
  it('is $75.50 with 80 YES bought at 6000, a bid 50 @ 5500 and an ask 50 @ 6500 open', () => {
    const stake = {
      yes: unchecked.shares(80 * SHARE),
      no: unchecked.shares(0),
      netCash: unchecked.usd(-48_000_000),
      fees: unchecked.usd(0),
    };
    const size = unchecked.shares(50 * SHARE);
    const worstLosses = worstCase(
      stake,
      costAt(size, unchecked.price(5_500)),
      costAt(size, complement(unchecked.price(6_500))),
    );
    expect(worstLosses).toEqual({ ifNo: 75_500_000, ifYes: -14_500_000, worstLoss: 75_500_000 });
  });
});
