/** Recorded, consumed and available sizes as maps (docs/spec/models.md#outside-flow). */
import { SIDE } from '../../../src/tape/index.ts';

export const LOT = 10_000;
export const lots = (shares: number): number => Math.floor(Math.max(0, shares) / LOT) * LOT;

/** A level by market, side and price. */
export type Level = readonly [market: number, side: number, price: number];

export class NaiveBook {
  recorded = new Map<string, number>();
  consumed = new Map<string, number>();
  /** Levels that own orders consumed in the current step. */
  touched: Level[] = [];

  size(...level: Level): number {
    const key = level.join('/');
    return Math.max(0, (this.recorded.get(key) ?? 0) - (this.consumed.get(key) ?? 0));
  }
  /** Returns prices with available size, best first. @param all includes prices that own orders consumed completely */
  prices(market: number, side: number, { all = false } = {}): number[] {
    const prices = [...this.recorded]
      .filter(([key, size]) => key.startsWith(`${market}/${side}/`) && size > 0)
      .map(([key]) => Number(key.split('/')[2]));
    return prices
      .filter((price) => all || this.size(market, side, price) > 0)
      .sort((a, b) => (side === SIDE.bid ? b - a : a - b));
  }
  consume(level: Level, shares: number): void {
    if (shares === 0) return;
    const key = level.join('/');
    this.consumed.set(key, (this.consumed.get(key) ?? 0) + shares);
    this.touched.push(level);
  }
  set(level: Level, shares: number): void {
    const key = level.join('/');
    this.recorded.set(key, shares);
    this.consumed.set(key, Math.min(this.consumed.get(key) ?? 0, shares));
  }
  clear(market: number): void {
    for (const map of [this.recorded, this.consumed])
      for (const key of map.keys()) if (key.startsWith(`${market}/`)) map.delete(key);
  }
}
