/** Maker fills by level and side: level 1 is the best own price of that side, as far as the bot knew at that moment. */
import type { LevelRow, MeasuredOrder } from './figures.ts';

/**
 * Number of the own price level that an order is on, counted from 1 on its side. Orders without an acknowledgement do
 * not count, except the filled one. Orders whose end was not reported yet count, so that a sweep through three levels
 * fills levels 1, 2 and 3.
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

  /** Takes back what `add` added. */
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

  /** Bids, then asks, best level first; levels without a fill are left out. */
  rows(): readonly LevelRow[] {
    const rows = (side: 'bid' | 'ask', sums: readonly { count: number; shares: number }[]): LevelRow[] =>
      sums
        .map(({ count, shares }, index) => ({ side, level: index + 1, count, shares }))
        .filter(({ count }) => count > 0);
    return [...rows('bid', this.#bids), ...rows('ask', this.#asks)];
  }
}
