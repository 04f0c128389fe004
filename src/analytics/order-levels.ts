/** Maker fills by side and level. Level 1 is the best own price of the side that the bot knows at that moment. */
import type { LevelRow, MeasuredOrder } from './figures.ts';

/**
 * Returns the own price level of an order, counted from 1 on its side. Other orders count from their acknowledgement to
 * their reported end, so a sweep through three levels fills levels 1, 2 and 3.
 */
export function levelOf(order: number, sign: number, yesPrice: number, orders: readonly MeasuredOrder[]): number {
  const better = new Set<number>();
  for (const other of orders) {
    if (other.order === order || other.sign !== sign || !other.rests || other.phase === 'new') continue;
    if (sign * (other.yesPrice - yesPrice) > 0) better.add(other.yesPrice);
  }
  return better.size + 1;
}

export class LevelTotals {
  readonly #bids: { count: number; shares: number }[] = [];
  readonly #asks: { count: number; shares: number }[] = [];

  add(sign: number, level: number, shares: number): void {
    this.#count(sign, level, shares, 1);
  }

  /** Reverts an `add`. */
  remove(sign: number, level: number, shares: number): void {
    this.#count(sign, level, shares, -1);
  }

  #count(sign: number, level: number, shares: number, times: 1 | -1): void {
    const side = sign === 1 ? this.#bids : this.#asks;
    while (side.length < level) side.push({ count: 0, shares: 0 });
    const row = side[level - 1];
    if (row === undefined) return;
    row.count += times;
    row.shares += times * shares;
  }

  /** Returns the levels with fills: bids, then asks, best level first. */
  rows(): readonly LevelRow[] {
    const rows = (side: 'bid' | 'ask', sums: readonly { count: number; shares: number }[]): LevelRow[] =>
      sums
        .map(({ count, shares }, index) => ({ side, level: index + 1, count, shares }))
        .filter(({ count }) => count > 0);
    return [...rows('bid', this.#bids), ...rows('ask', this.#asks)];
  }
}
