/** Rounding to the prices at which a market lets orders stand: a bid **down**, an ask **up**. */
import type { PriceGrid } from './market.ts';
import { column, FULL_BPS, type PriceBps } from './units.ts';

/** The dearest allowed price at or below `price` (bps, may be fractional); undefined when there is none. */
export function gridDown(grid: PriceGrid, price: number): PriceBps | undefined {
  if (grid.type === 'tick') {
    const down = Math.min(Math.floor(price / grid.tickBps) * grid.tickBps, FULL_BPS - grid.tickBps);
    return down >= grid.tickBps ? column.price(down) : undefined;
  }
  return grid.prices[countUpTo(grid.prices, price) - 1];
}

/** The cheapest allowed price at or above `price` (bps, may be fractional); undefined when there is none. */
export function gridUp(grid: PriceGrid, price: number): PriceBps | undefined {
  if (grid.type === 'tick') {
    const up = Math.max(Math.ceil(price / grid.tickBps) * grid.tickBps, grid.tickBps);
    return up <= FULL_BPS - grid.tickBps ? column.price(up) : undefined;
  }
  const below = countUpTo(grid.prices, price);
  const at = grid.prices[below - 1];
  return at === price ? at : grid.prices[below];
}

/** The next allowed price strictly below; undefined at the end of the grid. */
export function gridBelow(grid: PriceGrid, price: number): PriceBps | undefined {
  return gridDown(grid, Math.ceil(price) - 1);
}

/** The next allowed price strictly above; undefined at the end of the grid. */
export function gridAbove(grid: PriceGrid, price: number): PriceBps | undefined {
  return gridUp(grid, Math.floor(price) + 1);
}

/** Whether an order may stand at this price. */
export function onGrid(grid: PriceGrid, price: number): boolean {
  return gridDown(grid, price) === price;
}

/** How many prices of an ascending list are at or below `price`. */
function countUpTo(prices: readonly number[], price: number): number {
  let low = 0;
  let high = prices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (prices[middle]! <= price) low = middle + 1;
    else high = middle;
  }
  return low;
}
