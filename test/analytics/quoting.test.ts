import { describe, expect, it } from 'vitest';
import { LevelTotals, rankLevel } from '../../src/analytics/order-levels.ts';
import { QuotingUptime } from '../../src/analytics/quoting-uptime.ts';
import { MarketTags, TagTotals } from '../../src/analytics/tag-totals.ts';
import { instanceNo, marketNo, orderNo, priceBps, sharesOfLots, unchecked } from '../../src/domain/index.ts';
import type { OpenOrder, OrderPhase } from '../../src/state/index.ts';

function order(no: number, sign: 1 | -1, price: number, lots = 1_000, phase: OrderPhase = 'live'): OpenOrder {
  return {
    order: orderNo(no),
    bot: instanceNo(0),
    market: marketNo(0),
    outcome: 'YES',
    side: sign === 1 ? 'BUY' : 'SELL',
    price: priceBps(price),
    sign,
    yesPrice: priceBps(price),
    remaining: sharesOfLots(lots),
    phase,
    since: unchecked.time(0),
    rests: true,
  };
}

/** The mid is 55 cents. */
const BID = 5_450;
const ASK = 5_550;

const BOTH = [order(1, 1, 5_400), order(2, -1, 5_600)];

describe('two-sided uptime', () => {
  const conditions = { minShares: 5_000_000, maxSpreadBps: 200 };

  it('is the time with both sides quoted over the time in which the market was open and two-sided', () => {
    const uptime = new QuotingUptime(conditions);
    uptime.updateMarket(0, true, BID, ASK, []);
    uptime.updateOrders(100, BOTH);
    uptime.updateMarket(300, false, BID, ASK, BOTH);
    uptime.updateMarket(400, true, BID, ASK, BOTH);
    uptime.updateOrders(500, BOTH.slice(0, 1));
    // Quoted 100..300 and 400..500 of 0..300 and 400..1000.
    expect(uptime.share(1_000)).toBeCloseTo(300 / 900, 12);
  });

  it('does not count time in which the market is closed or its book one-sided', () => {
    const uptime = new QuotingUptime(conditions);
    uptime.updateMarket(0, true, BID, ASK, BOTH);
    uptime.updateMarket(100, false, BID, ASK, BOTH);
    expect(uptime.share(1_000)).toBe(1);
  });

  it('is evaluated again when the mid has moved away from the quotes', () => {
    const uptime = new QuotingUptime(conditions);
    uptime.updateMarket(0, true, BID, ASK, BOTH);
    uptime.updateMarket(250, true, BID + 401, ASK + 401, BOTH);
    expect(uptime.share(1_000)).toBe(0.25);
  });

  it('is undefined for a market that was never open', () => {
    const uptime = new QuotingUptime(conditions);
    uptime.updateMarket(0, false, BID, ASK, BOTH);
    expect(uptime.share(1_000)).toBeUndefined();
  });

  it('requires acknowledged orders that are near and large enough, and adds the sizes of a side', () => {
    const shareWith = (orders: readonly OpenOrder[]): number | undefined => {
      const uptime = new QuotingUptime(conditions);
      uptime.updateMarket(0, true, BID, ASK, orders);
      return uptime.share(1_000);
    };
    const [bid, ask] = [order(1, 1, 5_400), order(2, -1, 5_600)];
    expect(shareWith([bid, ask])).toBe(1);
    expect(shareWith([bid, order(2, -1, 5_600, 1_000, 'new')])).toBe(0);
    expect(shareWith([bid, order(2, -1, 5_600, 1_000, 'cancelling')])).toBe(1);
    expect(shareWith([bid, order(2, -1, 5_700)])).toBe(1);
    expect(shareWith([bid, order(2, -1, 5_701)])).toBe(0);
    expect(shareWith([bid, order(2, -1, 5_600, 499)])).toBe(0);
    expect(shareWith([bid, order(2, -1, 5_600, 499), order(3, -1, 5_650, 1)])).toBe(1);
  });
});

describe('levels of own quotes', () => {
  const ladder = [
    order(1, 1, 5_000),
    order(2, 1, 4_900),
    order(3, 1, 4_900),
    order(4, 1, 4_800),
    order(5, 1, 5_100, 100, 'new'),
    order(6, -1, 5_600),
    order(7, -1, 5_700, 100, 'cancelling'),
    order(8, -1, 5_800),
  ];

  it('are counted from the best own price of a side, without unacknowledged orders', () => {
    const level = (no: number): number => {
      const own = ladder.find(({ order }) => order === no);
      return own === undefined ? 0 : rankLevel(no, own.sign, own.yesPrice, ladder);
    };
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(level)).toEqual([1, 2, 2, 3, 1, 1, 2, 3]);
  });

  it('include orders that the bot wrongly considers closed', () => {
    expect(rankLevel(99, 1, 4_950, ladder)).toBe(2);
  });

  it('are summed by side, without empty ones', () => {
    const totals = new LevelTotals();
    totals.add(1, 1, 100);
    totals.add(1, 3, 50);
    totals.add(-1, 1, 10);
    totals.add(1, 1, 1);
    expect(totals.rows()).toEqual([
      { side: 'bid', level: 1, count: 2, shares: 101 },
      { side: 'bid', level: 3, count: 1, shares: 50 },
      { side: 'ask', level: 1, count: 1, shares: 10 },
    ]);
  });
});

describe('fills by tag', () => {
  it('assign each fill its P&L to the final price, after its fee, and add up over markets', () => {
    const totals = new TagTotals();
    const first = new MarketTags();
    first.add({ basis: 'queue', inside: false, sign: 1, lots: 100, price: 5_800, fee: 0 });
    first.add({ basis: 'queue', inside: true, sign: -1, lots: 60, price: 6_000, fee: 0 });
    first.add({ basis: 'taker', inside: false, sign: 1, lots: 10, price: 6_100, fee: 1_000 });
    first.addTo(totals, 20_000);
    const second = new MarketTags();
    second.add({ basis: 'queue', inside: false, sign: -1, lots: 3, price: 4_001, fee: 0 });
    second.addTo(totals, 8_001);
    expect(totals.results()).toEqual({
      // 100 x 42 cents less 60 x 40 cents, less 3 lots at half a bps.
      queue: { count: 3, inside: 1, shares: 1_630_000, pnlMicros: 420_000 - 240_000 + 1 },
      taker: { count: 1, inside: 0, shares: 100_000, pnlMicros: 39_000 - 1_000 },
    });
    expect(totals.halfMicros).toBe(2 * (420_000 - 240_000 + 38_000) + 3);
  });
});
