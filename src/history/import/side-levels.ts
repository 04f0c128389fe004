import { LOT } from '../../domain/index.ts';
import type { SIDE } from '../../tape/index.ts';

export type BookSideCode = typeof SIDE.bid | typeof SIDE.ask;

/** One price of the tape's book, with the source's levels that round to it. */
interface Level {
  readonly price: number;
  /** Micro-shares at exactly this price. */
  exact: number;
  /** Micro-shares by source price, where it lies between two prices of the grid. */
  between: Map<number, number> | undefined;
  /** What the tape's reader sees: whole lots. */
  shown: number;
  isTouched: boolean;
}

/** Price, exact and shown micro-shares, and what lies between two prices. */
export type SavedLevel = [number, number, number, [number, number][]];

/** One side of a book by price of the grid: sizes that round to one price add up exactly, then round **down** to lots. */
export class SideLevels {
  readonly #levels = new Map<number, Level>();
  readonly #touched: Level[] = [];
  readonly #isBid: boolean;
  /** The best price of the source; `unknown` after it was removed, until it is needed. */
  #sourceBest: number | undefined | 'unknown';

  constructor(isBid: boolean) {
    this.#isBid = isBid;
  }

  /** Micro-shares of the source at its own price. */
  sizeAt(price: number, source: number): number {
    const level = this.#levels.get(price);
    return (source === price ? level?.exact : level?.between?.get(source)) ?? 0;
  }

  /** @param price of the grid @param source price of the source @param microShares absolute, 0 removes */
  set(price: number, source: number, microShares: number): void {
    let level = this.#levels.get(price);
    if (level === undefined) {
      if (microShares === 0) return;
      level = { price, exact: 0, between: undefined, shown: 0, isTouched: false };
      this.#levels.set(price, level);
    }
    if (source === price) level.exact = microShares;
    else if (microShares === 0) level.between?.delete(source);
    else {
      level.between ??= new Map();
      level.between.set(source, microShares);
    }
    this.#touch(level);
    if (this.#sourceBest === 'unknown') return;
    if (sourceSize(level) > 0) {
      if (this.#isBetter(price, this.#sourceBest)) this.#sourceBest = price;
    } else if (price === this.#sourceBest) this.#sourceBest = 'unknown';
  }

  /** Every level is 0 until it is set: a full book follows. */
  empty(): void {
    for (const level of this.#levels.values()) {
      level.exact = 0;
      level.between = undefined;
      this.#touch(level);
    }
    this.#sourceBest = undefined;
  }

  /** Forgets everything; the caller writes the row that clears the book. */
  clear(): void {
    this.#levels.clear();
    this.#touched.length = 0;
    this.#sourceBest = undefined;
  }

  /** The best shown price before the open changes; undefined for an empty side. */
  shownBest(): number | undefined {
    return this.#best(({ shown }) => shown);
  }

  /** The best price with the open changes. */
  newBest(): number | undefined {
    return this.#best(lotsOf);
  }

  /** The best price of the source that is above 0, also where it is below one lot. */
  sourceBest(): number | undefined {
    if (this.#sourceBest === 'unknown') this.#sourceBest = this.#best(sourceSize);
    return this.#sourceBest;
  }

  /** By how much the open changes lower the shown size of a price. */
  fallAt(price: number): number {
    const level = this.#levels.get(price);
    return level === undefined ? 0 : level.shown - lotsOf(level);
  }

  /** Hands on each price that was set, with its lots before and after and its micro-shares, and closes the changes. */
  flush(closed: (price: number, before: number, after: number, microShares: number) => void): void {
    for (const level of this.#touched) {
      level.isTouched = false;
      const before = level.shown;
      const sum = sumOf(level);
      const after = sum - (sum % LOT);
      level.shown = after;
      if (level.exact === 0 && (level.between?.size ?? 0) === 0) this.#levels.delete(level.price);
      closed(level.price, before, after, sum);
    }
    this.#touched.length = 0;
  }

  /** Plain values of a closed book, for `restore`. */
  save(): SavedLevel[] {
    return [...this.#levels.values()].map(({ price, exact, shown, between }) => [
      price,
      exact,
      shown,
      [...(between ?? [])],
    ]);
  }

  restore(levels: readonly SavedLevel[]): void {
    for (const [price, exact, shown, between] of levels) {
      const level = {
        price,
        exact,
        shown,
        between: between.length > 0 ? new Map(between) : undefined,
        isTouched: false,
      };
      this.#levels.set(price, level);
    }
    this.#sourceBest = 'unknown';
  }

  #touch(level: Level): void {
    if (level.isTouched) return;
    level.isTouched = true;
    this.#touched.push(level);
  }

  #best(sizeOf: (level: Level) => number): number | undefined {
    let best: number | undefined;
    for (const level of this.#levels.values()) {
      if (this.#isBetter(level.price, best) && sizeOf(level) > 0) best = level.price;
    }
    return best;
  }

  #isBetter(price: number, best: number | undefined): boolean {
    return best === undefined || (this.#isBid ? price > best : price < best);
  }
}

/** Above 0 where the source has anything at the price. */
function sourceSize({ exact, between }: Level): number {
  return exact + (between?.size ?? 0);
}

function lotsOf(level: Level): number {
  const sum = sumOf(level);
  return sum - (sum % LOT);
}

function sumOf({ exact, between }: Level): number {
  let sum = exact;
  if (between !== undefined) for (const size of between.values()) sum += size;
  return sum;
}
