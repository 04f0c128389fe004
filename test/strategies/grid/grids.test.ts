import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microShares, SHARE } from '../../../src/index.ts';
import { centreAfter, levelQuotes } from '../../../strategies/grid/dynamic-grid.ts';
import { gridParams } from '../../../strategies/grid/params.ts';
import {
  afterFill,
  type Cells,
  cellAt,
  cellQuotes,
  gridLines,
  netOf,
  newCells,
} from '../../../strategies/grid/static-grid.ts';

const FULL = microShares(100 * SHARE);
const PARAMS = gridParams.parse({ lower_price: 5_000, upper_price: 7_000, order_amount: 100, max_position: 1_000 });
const LINES = gridLines(PARAMS);

const prices = (cells: Cells, side: 'bid' | 'ask') =>
  cellQuotes(cells, LINES, FULL).flatMap((quote) => (quote.side === side ? [quote.price] : []));

/** Fills each quote that the path of the mid reaches, line by line. Cash in dollars. */
function tradeAlong(mids: readonly number[]) {
  let cells = newCells(PARAMS, LINES, 6_010);
  let [fills, cash, last] = [0, 0, 6_000];
  /** The nearest quote between the last price and the mid. */
  const nextReached = (mid: number) =>
    cellQuotes(cells, LINES, FULL)
      .filter(({ side, price }) => (side === 'bid' ? price >= mid && price < last : price <= mid && price > last))
      .toSorted((a, b) => Math.abs(a.price - last) - Math.abs(b.price - last))[0];
  for (const mid of mids) {
    for (let quote = nextReached(mid); quote !== undefined; quote = nextReached(mid)) {
      const { side, price, shares, tag } = quote;
      last = price;
      fills += 1;
      cash += ((side === 'bid' ? -1 : 1) * price * (shares / SHARE)) / 10_000;
      cells = afterFill(cells, { cell: Number(tag), side, shares, full: FULL });
    }
    last = mid;
  }
  return { fills, cash, held: netOf(cells, FULL) / SHARE };
}

describe('a static grid', () => {
  it('begins with bids below the line nearest to the mid, and asks above it', () => {
    const cells = newCells(PARAMS, LINES, 6_010);
    expect(cells.first).toBe(5);
    expect(prices(cells, 'bid')).toEqual([5_000, 5_200, 5_400, 5_600, 5_800]);
    expect(prices(cells, 'ask')).toEqual([6_200, 6_400, 6_600, 6_800, 7_000]);
    expect(netOf(cells, FULL)).toBe(0);
    expect(newCells(PARAMS, LINES, 6_100).first).toBe(5);
  });

  it('has the lines of the worked example in log-odds', () => {
    const lines = gridLines({
      ...PARAMS,
      lower_price: 1_000,
      upper_price: 9_000,
      grid_cells: 8,
      grid_spacing: 'log_odds',
    });
    expect(lines.map((line) => Number(line.toFixed(2)))).toEqual([
      1_000, 1_613.9, 2_500, 3_660.25, 5_000, 6_339.75, 7_500, 8_386.1, 9_000,
    ]);
  });

  it('has the profit of the worked example', () => {
    const { fills, cash, held } = tradeAlong([6_000, 5_600, 6_400, 5_000]);
    expect([fills, held]).toEqual([13, 500]);
    expect(cash).toBeCloseTo(-262, 9);
    // At the last mid, and at both payouts.
    expect(cash + held * 0.5).toBeCloseTo(-12, 9);
    expect(cash + held).toBeCloseTo(238, 9);
  });

  it('never quotes both sides at one line, and its cells add up to its position', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(19), fc.integer({ min: 1, max: 10_000 }))), (fills) => {
        let cells = newCells(PARAMS, LINES, 6_010);
        let held = 0;
        for (const [index, lots] of fills) {
          const quotes = cellQuotes(cells, LINES, FULL);
          const quote = quotes[index % quotes.length];
          if (quote === undefined) continue;
          const shares = Math.min(quote.shares, lots * 10_000);
          cells = afterFill(cells, { cell: Number(quote.tag), side: quote.side, shares, full: FULL });
          held += quote.side === 'bid' ? shares : -shares;
          const [bids, asks] = [prices(cells, 'bid'), prices(cells, 'ask')];
          expect(bids.filter((price) => asks.includes(price))).toEqual([]);
        }
        expect(netOf(cells, FULL)).toBe(held);
      }),
      { numRuns: 100 },
    );
  });

  it('finds the cell of a price that was rounded to the tick', () => {
    expect([cellAt(LINES, 'bid', 5_390), cellAt(LINES, 'ask', 5_610)]).toEqual([2, 2]);
  });

  it('undoes a reversed fill', () => {
    const cells = newCells(PARAMS, LINES, 6_010);
    const fill = { cell: 2, side: 'bid', shares: 40 * SHARE, full: FULL } as const;
    const filled = afterFill(cells, fill);
    expect(netOf(filled, FULL)).toBe(40 * SHARE);
    expect(afterFill(filled, { ...fill, shares: -40 * SHARE })).toEqual(cells);
  });
});

describe('a dynamic grid', () => {
  const params = gridParams.parse({
    grid_type: 'dynamic',
    half_spread: 60,
    grid_interval: 50,
    skew_bps_per_share: 0.1,
    order_levels: 2,
    order_amount: 10,
    max_position: 100,
  });

  it('quotes multiples of the interval around a centre that is skewed against the position', () => {
    expect(levelQuotes(params, 6_037.5, 120).map(({ side, price }) => [side, price])).toEqual([
      ['bid', 5_950],
      ['ask', 6_100],
      ['bid', 5_900],
      ['ask', 6_150],
    ]);
  });

  it('follows the mid only after the given number of intervals', () => {
    expect(centreAfter(undefined, 6_000, params)).toBe(6_000);
    expect(centreAfter(6_000, 6_049, params)).toBe(6_000);
    expect(centreAfter(6_000, 5_950, params)).toBe(5_950);
    expect(centreAfter(6_000, 6_001, { ...params, recentre_steps: 0 })).toBe(6_001);
  });
});

it('a static grid needs two prices, the lower one first', () => {
  const sizes = { order_amount: 10, max_position: 100 };
  for (const wrong of [sizes, { ...sizes, lower_price: 5_000 }, { ...sizes, lower_price: 5_000, upper_price: 5_000 }]) {
    expect(gridParams.safeParse(wrong).error?.issues[0]?.message).toContain('lower_price and upper_price');
  }
  expect(gridParams.safeParse({ ...sizes, grid_type: 'dynamic' }).success).toBe(true);
});
