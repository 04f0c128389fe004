import { LOT } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';

export type BookSideCode = typeof SIDE.bid | typeof SIDE.ask;

/** One grid price, with all source levels that round to this price. */
interface Level {
  readonly price: number;
  /** Micro-shares of the source at exactly this price. */
  exact: number;
  /** Micro-shares by source price, for prices off the grid. */
  offGrid: Map<number, number> | undefined;
  /** Micro-shares on the tape: whole lots. */
  shown: number;
  isChanged: boolean;
}

/** Saved state: price, exact and shown micro-shares, and micro-shares by price off the grid. */
export type SavedLevel = [number, number, number, [number, number][]];

/**
 * One side of a book by grid price. The sizes of all source prices that round to a grid price are added, and the sum
 * rounds **down** to lots. `flush` changes the sizes on the tape at the end of each message.
 */
export class SideLevels {
  readonly #levels = new Map<number, Level>();
  readonly #changed: Level[] = [];
  readonly #isBid: boolean;
  /** Best price of the source; `unknown` after its removal, until `sourceBest` computes the next. */
  #sourceBest: number | undefined | 'unknown';

  constructor(side: BookSideCode) {
    this.#isBid = side === SIDE.bid;
  }

  /** Returns the micro-shares of the source at a price. @param price price on the grid */
  sizeAt(price: number, sourcePrice: number): number {
    const level = this.#levels.get(price);
    return (sourcePrice === price ? level?.exact : level?.offGrid?.get(sourcePrice)) ?? 0;
  }

  /** @param price price on the grid @param microShares new size; 0 removes the level */
  set(price: number, sourcePrice: number, microShares: number): void {
    let level = this.#levels.get(price);
    if (level === undefined) {
      if (microShares === 0) return;
      level = { price, exact: 0, offGrid: undefined, shown: 0, isChanged: false };
      this.#levels.set(price, level);
    }
    if (sourcePrice === price) level.exact = microShares;
    else if (microShares === 0) level.offGrid?.delete(sourcePrice);
    else {
      level.offGrid ??= new Map();
      level.offGrid.set(sourcePrice, microShares);
    }
    this.#markChanged(level);
    if (this.#sourceBest === 'unknown') return;
    if (hasSourceSize(level)) {
      if (this.#isBetter(price, this.#sourceBest)) this.#sourceBest = price;
    } else if (price === this.#sourceBest) this.#sourceBest = 'unknown';
  }

  empty(): void {
    for (const level of this.#levels.values()) {
      level.exact = 0;
      level.offGrid = undefined;
      this.#markChanged(level);
    }
    this.#sourceBest = undefined;
  }

  /** Deletes all levels; the caller writes the row that clears the book. */
  clear(): void {
    this.#levels.clear();
    this.#changed.length = 0;
    this.#sourceBest = undefined;
  }

  /** Returns the best price before the current message; undefined for an empty side. */
  shownBest(): number | undefined {
    return this.#findBest(({ shown }) => shown > 0);
  }

  /** Returns the best price after the rows of the current message so far; undefined for an empty side. */
  newBest(): number | undefined {
    return this.#findBest((level) => toWholeLots(level) > 0);
  }

  /** Returns the best price of the source, including sizes below one lot; undefined for an empty side. */
  sourceBest(): number | undefined {
    if (this.#sourceBest === 'unknown') this.#sourceBest = this.#findBest(hasSourceSize);
    return this.#sourceBest;
  }

  /** Returns by how much the current message decreases the size on the tape at a price, micro-shares. */
  decreaseAt(price: number): number {
    const level = this.#levels.get(price);
    return level === undefined ? 0 : level.shown - toWholeLots(level);
  }

  /** Ends the message. Calls `onChange` for each changed price with old and new size on the tape, and exact size. */
  flush(onChange: (price: number, before: number, after: number, microShares: number) => void): void {
    for (const level of this.#changed) {
      level.isChanged = false;
      const before = level.shown;
      const sum = sumSizes(level);
      level.shown = sum - (sum % LOT);
      if (!hasSourceSize(level)) this.#levels.delete(level.price);
      onChange(level.price, before, level.shown, sum);
    }
    this.#changed.length = 0;
  }

  /** Returns the state between two messages as plain values, for `restore`. */
  save(): SavedLevel[] {
    const levels = [...this.#levels.values()];
    return levels.map(({ price, exact, shown, offGrid }) => [price, exact, shown, [...(offGrid ?? [])]]);
  }

  restore(levels: readonly SavedLevel[]): void {
    for (const [price, exact, shown, saved] of levels) {
      const offGrid = saved.length > 0 ? new Map(saved) : undefined;
      this.#levels.set(price, { price, exact, shown, offGrid, isChanged: false });
    }
    this.#sourceBest = 'unknown';
  }

  #markChanged(level: Level): void {
    if (level.isChanged) return;
    level.isChanged = true;
    this.#changed.push(level);
  }

  #findBest(passes: (level: Level) => boolean): number | undefined {
    let best: number | undefined;
    for (const level of this.#levels.values()) {
      if (this.#isBetter(level.price, best) && passes(level)) best = level.price;
    }
    return best;
  }

  #isBetter(price: number, best: number | undefined): boolean {
    return best === undefined || (this.#isBid ? price > best : price < best);
  }
}

function hasSourceSize({ exact, offGrid }: Level): boolean {
  return exact > 0 || (offGrid?.size ?? 0) > 0;
}

function toWholeLots(level: Level): number {
  const sum = sumSizes(level);
  return sum - (sum % LOT);
}

function sumSizes({ exact, offGrid }: Level): number {
  let sum = exact;
  if (offGrid !== undefined) for (const size of offGrid.values()) sum += size;
  return sum;
}
