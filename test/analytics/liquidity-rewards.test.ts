import { describe, expect, it } from 'vitest';
import { LiquidityRewards, paidRewards, type RewardLevel, rewardScore } from '../../src/analytics/liquidity-rewards.ts';

const SHARE = 1_000_000;
const MINUTE = 60_000;
const DAY = 86_400_000;
const TERMS = { microsPerDay: 1_440_000_000, maxSpreadBps: 300, minShares: 10 * SHARE, multiplier: 1 };

/** Size in shares, distance in bps above the mid for asks and below it for bids. */
function levels(
  mid: number,
  ...sizes: readonly (readonly [shares: number, distance: number])[]
): readonly RewardLevel[] {
  return sizes.map(([shares, distance]) => ({ price: mid + distance, shares: shares * SHARE }));
}

const order = (sign: 1 | -1, yesPrice: number, shares: number) =>
  ({ order: 1, sign, yesPrice, remaining: shares * SHARE, phase: 'open', rests: true }) as const;

describe('the score of a maker (docs/spec/models.md#fees-commission-rewards)', () => {
  const bids = (mid: number) => levels(mid, [100, -100], [200, -200], [100, -100]);
  const asks = (mid: number) => levels(mid, [100, 150], [100, 200], [200, 50]);

  it('is the smaller side of the worked example', () => {
    expect(rewardScore({ bids: bids(5_000), asks: [] }, 1_000, TERMS)).toBe(0);
    expect(rewardScore({ bids: bids(5_000), asks: asks(5_000) }, 5_000, TERMS)).toBeCloseTo(111.1111, 4);
  });

  it('is a third for quotes on one side, and zero for them outside 10 to 90 cents', () => {
    expect(rewardScore({ bids: [], asks: asks(5_000) }, 5_000, TERMS)).toBeCloseTo(58.3333, 4);
    expect(rewardScore({ bids: [], asks: asks(9_500) }, 9_500, TERMS)).toBe(0);
    expect(rewardScore({ bids: bids(9_000), asks: asks(9_000) }, 9_000, TERMS)).toBeCloseTo(111.1111, 4);
  });

  it('ignores small orders and orders at the maximum distance', () => {
    const far = levels(5_000, [100, 300], [9.99, 10]);
    expect(rewardScore({ bids: bids(5_000), asks: far }, 5_000, TERMS)).toBeCloseTo(111.1111 / 3, 4);
  });
});

describe('liquidity rewards', () => {
  const others = { bids: levels(5_000, [100, -100]), asks: levels(5_000, [100, 100]) };
  const own = [order(1, 4_900, 100), order(-1, 5_100, 100)];

  it('are the share of the scores at each minute, also in minutes without events', () => {
    const rewards = new LiquidityRewards(TERMS);
    rewards.update(0, true, others, own);
    rewards.update(10 * MINUTE, true, others, []);
    rewards.addUntil(20 * MINUTE);
    // Half of $1 a minute in ten minutes: 0 to 9.
    expect(rewards.byDay()).toEqual(new Map([[0, 5_000_000]]));
  });

  it('use the orders at the end of a minute for following minutes without events', () => {
    const rewards = new LiquidityRewards(TERMS);
    rewards.update(0, true, others, []);
    rewards.update(30_000, true, others, own);
    rewards.addUntil(3 * MINUTE);
    expect(rewards.byDay()).toEqual(new Map([[0, 1_000_000]]));
  });

  it('are zero while the market is closed, orders are in flight, or a side has no large order', () => {
    const rewards = new LiquidityRewards(TERMS);
    rewards.update(0, false, others, own);
    const sent = own.map((placed) => ({ ...placed, phase: 'new' }));
    rewards.update(MINUTE, true, others, sent);
    rewards.update(2 * MINUTE, true, { bids: others.bids, asks: [] }, own.slice(0, 1));
    expect(rewards.byDay()).toEqual(new Map([[0, 0]]));
  });

  it('measure the mid between orders of sufficient size, including own orders', () => {
    const rewards = new LiquidityRewards(TERMS);
    const dust = { bids: levels(5_000, [1, -10], [100, -100]), asks: levels(5_000, [1, 10], [100, 100]) };
    rewards.update(0, true, dust, [order(1, 4_950, 100), order(-1, 5_050, 100)]);
    // Own: (250 / 300)^2; others: (200 / 300)^2.
    expect(rewards.byDay().get(0)).toBe(Math.floor((1_000_000 * 62_500) / (62_500 + 40_000)));
  });

  it('pay a day only when all markets together reach $1', () => {
    const market = () => new LiquidityRewards({ ...TERMS, microsPerDay: 1_440_000 * 100 });
    const [first, second] = [market(), market()];
    for (const rewards of [first, second]) {
      rewards.update(0, true, others, own);
      rewards.addUntil(10 * MINUTE);
    }
    expect(paidRewards([first])).toEqual([0]);
    expect(paidRewards([first, second])).toEqual([500_000, 500_000]);
    first.update(DAY, true, others, own);
    expect(paidRewards([first, second])[0]).toBeGreaterThan(500_000);
  });
});
