import { describe, expect, it } from 'vitest';
import { gridDown, gridUp, onGrid } from '../../../src/domain/index.ts';
import { classicOdds, oddsGrid, toYesPrice } from '../../../src/history/betfair/odds.ts';
import { SIDE } from '../../../src/tape/index.ts';

describe('the ladder of odds', () => {
  it('has 350 steps from 1.01 to 1000, ascending, with the known bands', () => {
    const odds = classicOdds();
    expect(odds).toHaveLength(350);
    expect([odds[0], odds.at(-1)]).toEqual([101, 100_000]);
    expect(odds.every((b, i) => i === 0 || b > odds[i - 1]!)).toBe(true);
    const after = (b: number) => odds[odds.indexOf(b) + 1];
    expect([101, 200, 300, 400, 600, 1000, 2000, 3000, 5000, 10_000].map(after)).toEqual([
      102, 202, 305, 410, 620, 1050, 2100, 3200, 5500, 11_000,
    ]);
  });
});

describe('odds as prices', () => {
  it('round asks up and bids down, and mirror for the other runner', () => {
    expect(toYesPrice('atb', 126, false)).toEqual({ side: SIDE.ask, price: 7937 });
    expect(toYesPrice('atl', 126, false)).toEqual({ side: SIDE.bid, price: 7936 });
    expect(toYesPrice('atb', 470, true)).toEqual({ side: SIDE.bid, price: 7872 });
    expect(toYesPrice('atl', 600, true)).toEqual({ side: SIDE.ask, price: 8334 });
    expect(toYesPrice('atb', 100_000, false).price).toBe(10);
    expect(toYesPrice('atl', 101, true).price).toBe(100);
  });
});

describe('the grid of odds', () => {
  it('has every price that an offer can have, 589 per side for two runners', () => {
    const grid = oddsGrid(classicOdds(), 'merged');
    if (grid.type !== 'list') throw new Error('odds are a list');
    expect([grid.bids.length, grid.asks.length]).toEqual([589, 589]);
    for (const b of classicOdds()) {
      for (const mirrored of [false, true]) {
        for (const side of ['atb', 'atl'] as const) {
          const at = toYesPrice(side, b, mirrored);
          expect(at.side === SIDE.bid ? grid.bids : grid.asks).toContain(at.price);
        }
      }
    }
  });

  it('allows no bid one bps before the recorded bids and no ask one before the asks', () => {
    const grid = oddsGrid(classicOdds(), 'merged');
    // 7936 and 7937 are 1.26 rounded down and up.
    expect([gridDown(grid, 7937), gridUp(grid, 7936)]).toEqual([7936, 7937]);
    expect([onGrid(grid, 7937, 1), onGrid(grid, 7937, -1), onGrid(grid, 7936, 1), onGrid(grid, 7936, -1)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
