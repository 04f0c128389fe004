/** Rounds prices to the grid on which orders may rest: bids **down**, asks **up**. */
import type { PriceGrid } from './market.ts';
import type { Sign } from './order.ts';
import { unchecked } from './unchecked.ts';
import { FULL_BPS, type PriceBps } from './units.ts';

/** Returns the highest price for a bid at or below `price` (bps, may be fractional); undefined if there is none. */
export function gridDown(grid: PriceGrid, price: number): PriceBps | undefined {
  if (grid.type === 'tick') {
    const down = Math.min(Math.floor(price / grid.tickBps) * grid.tickBps, FULL_BPS - grid.tickBps);
    return down >= grid.tickBps ? unchecked.price(down) : undefined;
  }
  return grid.bids[countWhile(grid.bids, (bid) => bid <= price) - 1];
}

/** Returns the lowest price for an ask at or above `price` (bps, may be fractional); undefined if there is none. */
export function gridUp(grid: PriceGrid, price: number): PriceBps | undefined {
  if (grid.type === 'tick') {
    const up = Math.max(Math.ceil(price / grid.tickBps) * grid.tickBps, grid.tickBps);
    return up <= FULL_BPS - grid.tickBps ? unchecked.price(up) : undefined;
  }
  // Negated, so that NaN finds no price.
  return grid.asks[countWhile(grid.asks, (ask) => !(ask >= price))];
}

/** Returns the next price for a bid strictly below `price`; undefined at the end of the grid. */
export function gridBelow(grid: PriceGrid, price: number): PriceBps | undefined {
  return gridDown(grid, Math.ceil(price) - 1);
}

/** Returns the next price for an ask strictly above `price`; undefined at the end of the grid. */
export function gridAbove(grid: PriceGrid, price: number): PriceBps | undefined {
  return gridUp(grid, Math.floor(price) + 1);
}

/** Returns whether a bid (sign +1), an ask (sign -1), or either of them (no sign) may rest at a price. */
export function onGrid(grid: PriceGrid, price: number, sign?: Sign): boolean {
  return (sign !== -1 && gridDown(grid, price) === price) || (sign !== 1 && gridUp(grid, price) === price);
}

/** Returns whether every price of the grid is valid in a market with this tick. A tick grid must have the same tick. */
export function fitsTick(grid: PriceGrid, tickBps: number): boolean {
  if (grid.type === 'tick') return grid.tickBps === tickBps;
  return grid.bids.every((price) => price % tickBps === 0) && grid.asks.every((price) => price % tickBps === 0);
}

export function sameGrid(a: PriceGrid, b: PriceGrid): boolean {
  if (a.type === 'tick' || b.type === 'tick') return a.type === 'tick' && b.type === 'tick' && a.tickBps === b.tickBps;
  return sameList(a.bids, b.bids) && sameList(a.asks, b.asks);
}

function sameList(a: readonly PriceBps[], b: readonly PriceBps[]): boolean {
  return a.length === b.length && a.every((price, at) => price === b[at]);
}

/** Returns the number of prices in an ascending list before the first price that fails the test. */
function countWhile(prices: readonly PriceBps[], passes: (price: PriceBps) => boolean): number {
  let low = 0;
  let high = prices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const price = prices[middle];
    if (price !== undefined && passes(price)) low = middle + 1;
    else high = middle;
  }
  return low;
}
