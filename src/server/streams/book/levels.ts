/** Price levels of books: the sides that clients see, and the recorded levels of markets with a tape. */
import type { Level } from '../../presenters/book-presenter.ts';

/** One side of a book in YES terms, best level first. */
export class SideLevels {
  readonly levels: Level[];
  readonly #side: 'bids' | 'asks';

  constructor(side: 'bids' | 'asks', levels: readonly Level[] = []) {
    this.#side = side;
    this.levels = [...levels];
  }

  copy(): SideLevels {
    return new SideLevels(this.#side, this.levels);
  }

  /** Adds signed amounts to a level. Removes a level without orders. @throws Error if an amount becomes negative */
  change(price: number, shares: number, orders: number): void {
    const index = this.#findIndex(price);
    const levelAtIndex = this.levels[index];
    const before = levelAtIndex?.price === price ? levelAtIndex : undefined;
    const level = { price, shares: (before?.shares ?? 0) + shares, orders: (before?.orders ?? 0) + orders };
    if (level.shares < 0 || level.orders < 0 || (level.orders === 0 && level.shares !== 0))
      throw new Error(`Invariant: ${level.shares} micro-shares of ${level.orders} orders at ${price}`);
    const isGone = level.orders === 0;
    if (before !== undefined) this.levels.splice(index, 1, ...(isGone ? [] : [level]));
    else if (!isGone) this.levels.splice(index, 0, level);
  }

  #findIndex(price: number): number {
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.levels[middle]?.price ?? 0;
      if (this.#side === 'bids' ? other > price : other < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A recorded level. A visible book shows each recorded level as one order. */
interface RecordedLevel {
  readonly isBid: boolean;
  readonly price: number;
  readonly shares: number;
}

/** Numbers per level in events: side (1 bid, 0 ask), YES bps and micro-shares. */
const NUMBERS_PER_LEVEL = 3;

export class RecordedLevels {
  /** Shares by market and `levelKey`; never 0. */
  readonly #levels = new Map<number, Map<number, number>>();

  /** Replaces the levels of a market. @param numbers result of `ExchangeView.recordedLevels` */
  reset(market: number, numbers: readonly number[]): void {
    this.#levels.delete(market);
    for (const { isBid, price, shares } of decodeLevels(numbers)) this.set(market, isBid, price, shares);
  }

  sharesAt(market: number, isBid: boolean, price: number): number {
    return this.#levels.get(market)?.get(levelKey(isBid, price)) ?? 0;
  }

  set(market: number, isBid: boolean, price: number, shares: number): void {
    const levels = this.#levels.get(market) ?? new Map<number, number>();
    this.#levels.set(market, levels);
    if (shares === 0) levels.delete(levelKey(isBid, price));
    else levels.set(levelKey(isBid, price), shares);
  }

  list(market: number): readonly RecordedLevel[] {
    const levels = [...(this.#levels.get(market) ?? [])];
    return levels.map(([key, shares]) => ({ isBid: (key & 1) === 1, price: key >> 1, shares }));
  }
}

export function decodeLevels(numbers: readonly number[]): readonly RecordedLevel[] {
  const levels: RecordedLevel[] = [];
  for (let begin = 0; begin < numbers.length; begin += NUMBERS_PER_LEVEL) {
    levels.push({ isBid: numbers[begin] === 1, price: numbers[begin + 1] ?? 0, shares: numbers[begin + 2] ?? 0 });
  }
  return levels;
}

/** Returns twice the price, plus 1 for a bid. */
function levelKey(isBid: boolean, price: number): number {
  return 2 * price + (isBid ? 1 : 0);
}
