import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inventoryTilt, ladderLevels, skewed } from '../../../strategies/ladder/levels.ts';
import { ladderParams } from '../../../strategies/ladder/params.ts';

const SHARE = 1_000_000;

const bases = (mid: number) => ({ bid: mid, ask: mid });

function levels(change: Record<string, unknown>, mid: number, net = 0): readonly string[] {
  return ladderLevels(params(change), bases(mid), net * SHARE).map(
    ({ side, price, shares }) => `${side} ${price} x ${shares / SHARE}`,
  );
}

describe('sizes at the end of their range', () => {
  it('are exact up to the maximum, which is enforced', () => {
    const maxima = { order_amount: 1e9, order_level_amount: 1e9, max_position: 1e9, order_levels: 10 };
    const quotes = ladderLevels(params(maxima), bases(6_000), 0);
    expect(quotes).toHaveLength(20);
    for (const { shares } of quotes) expect(Number.isSafeInteger(shares)).toBe(true);
    expect(
      quotes.filter(({ side }) => side === 'bid').reduce((sum, { shares }) => sum + shares, 0),
    ).toBeLessThanOrEqual(1e9 * SHARE);
    for (const key of ['order_amount', 'order_level_amount', 'max_position']) {
      expect(() => levels({ [key]: 1e300 }, 6_000)).toThrow(/expected number to be <=1000000000/);
    }
  });
});

describe('inventory skew', () => {
  it('is .75 with 150 shares long and 100 quoted a side: bid 25, ask 175', () => {
    const tilt = inventoryTilt({ net: 150, target: 0, totalQuoted: 200, rangeMultiplier: 1 });
    expect(tilt).toBe(0.75);
    expect(levels({}, 6_000, 150)).toEqual(['bid 5950 x 25', 'ask 6070 x 175']);
  });

  it('is complete at the end of its range and beyond it', () => {
    expect(levels({}, 6_000, 200)).toEqual(['bid 5950 x 0', 'ask 6070 x 200']);
    expect(levels({}, 6_000, -500)).toEqual(['bid 5950 x 200', 'ask 6070 x 0']);
  });

  it('targets a share of max_position', () => {
    expect(levels({ inventory_target_base_pct: 15 }, 6_000, 150)).toEqual(['bid 5950 x 100', 'ask 6070 x 100']);
    expect(levels({ inventory_target_base_pct: -5 }, 6_000)).toEqual(['bid 5950 x 75', 'ask 6070 x 125']);
  });

  it('is weaker with a larger range, and can be disabled', () => {
    expect(levels({ inventory_range_multiplier: 3 }, 6_000, 150)).toEqual(['bid 5950 x 75', 'ask 6070 x 125']);
    expect(levels({ inventory_skew_enabled: false }, 6_000, 150)).toEqual(['bid 5950 x 100', 'ask 6070 x 100']);
  });

  it('rounds sizes down to the lot', () => {
    expect(skewed('bid', ladderLevels(params(), bases(6_000), 0)[0]?.shares ?? fail(), 1 / 3)).toBe(66_660_000);
  });

  it('is zero when nothing is quoted', () => {
    expect(inventoryTilt({ net: 150, target: 0, totalQuoted: 0, rangeMultiplier: 1 })).toBe(0);
  });
});

describe('levels of the ladder', () => {
  it('are at the spreads from the mid, at half bps too', () => {
    expect(levels({}, 6_000.5)).toEqual(['bid 5950.5 x 100', 'ask 6070.5 x 100']);
  });

  it('continue outwards by order_level_spread, each larger by order_level_amount', () => {
    expect(
      levels({ order_levels: 3, order_level_spread: 30, order_level_amount: 10, max_position: 5_000 }, 6_000),
    ).toEqual([
      'bid 5950 x 100',
      'bid 5920 x 110',
      'bid 5890 x 120',
      'ask 6070 x 100',
      'ask 6100 x 110',
      'ask 6130 x 120',
    ]);
  });

  it('move out equally to keep min_spread between the best two', () => {
    expect(levels({ min_spread: 200 }, 6_000)).toEqual(['bid 5910 x 100', 'ask 6110 x 100']);
    expect(levels({ min_spread: 100 }, 6_000)).toEqual(['bid 5950 x 100', 'ask 6070 x 100']);
  });

  it('are cut from the outside in when all of them would exceed max_position', () => {
    const three = { order_levels: 3, max_position: 250, inventory_skew_enabled: false };
    expect(levels(three, 6_000)).toEqual([
      'bid 5950 x 100',
      'bid 5900 x 100',
      'bid 5850 x 50',
      'ask 6070 x 100',
      'ask 6120 x 100',
      'ask 6170 x 50',
    ]);
    expect(levels(three, 6_000, 180).slice(0, 3)).toEqual(['bid 5950 x 70', 'bid 5900 x 0', 'bid 5850 x 0']);
  });

  it('never exceed max_position when filled, nor remove a side that reduces the position', () => {
    const input = fc.record({
      net: fc.integer({ min: -60_000, max: 60_000 }),
      order_levels: fc.integer({ min: 1, max: 10 }),
      lots: fc.integer({ min: 1, max: 50_000 }),
      maxLots: fc.integer({ min: 1, max: 60_000 }),
      inventory_target_base_pct: fc.integer({ min: -100, max: 100 }),
    });
    fc.assert(
      fc.property(input, ({ net, lots, maxLots, ...rest }) => {
        const max_position = maxLots / 100;
        const parsed = params({ ...rest, order_amount: lots / 100, max_position });
        const quoted = ladderLevels(parsed, bases(5_000), net * 10_000);
        const total = (side: string) =>
          quoted.filter((level) => level.side === side).reduce((sum, { shares }) => sum + shares / 10_000, 0);
        if (total('bid') > 0) expect(net + total('bid')).toBeLessThanOrEqual(maxLots);
        if (total('ask') > 0) expect(net - total('ask')).toBeGreaterThanOrEqual(-maxLots);
        if (net > maxLots) expect(total('ask')).toBeGreaterThan(0);
        if (net < -maxLots) expect(total('bid')).toBeGreaterThan(0);
      }),
    );
  });
});

describe('parameters of the ladder', () => {
  it.each([
    ['an unknown name', { order_levl: 2 }],
    ['a spread beyond the payout', { bid_spread: 10_000 }],
    ['a target beyond max_position', { inventory_target_base_pct: 101 }],
    ['half a lot', { order_amount: 0.005 }],
    ['eleven levels', { order_levels: 11 }],
  ])('refuse %s', (_, change) => {
    expect(() => params(change)).toThrow();
  });
});

function params(change: Record<string, unknown> = {}) {
  return ladderParams.parse({ bid_spread: 50, ask_spread: 70, order_amount: 100, max_position: 1_000, ...change });
}

function fail(): never {
  throw new Error('no level');
}
