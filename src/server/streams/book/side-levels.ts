/** One side of a book: price levels, best first. */

export interface Level {
  /** YES bps. */
  readonly price: number;
  /** Micro-shares. */
  readonly shares: number;
  readonly count: number;
}

export class SideLevels {
  readonly levels: Level[];
  readonly #isBid: boolean;

  constructor(isBid: boolean, levels: readonly Level[] = []) {
    this.#isBid = isBid;
    this.levels = [...levels];
  }

  copy(): SideLevels {
    return new SideLevels(this.#isBid, this.levels);
  }

  /** Adds signed amounts to a level. Removes a level without orders. @throws Error if an amount becomes negative */
  change(price: number, shares: number, count: number): void {
    const at = this.#find(price);
    const found = this.levels[at];
    const was = found?.price === price ? found : undefined;
    const level = { price, shares: (was?.shares ?? 0) + shares, count: (was?.count ?? 0) + count };
    if (level.shares < 0 || level.count < 0 || (level.count === 0 && level.shares !== 0)) {
      throw new Error(`Invariant: ${level.shares} micro-shares of ${level.count} orders at ${price}`);
    }
    const isGone = level.count === 0;
    if (was !== undefined) this.levels.splice(at, 1, ...(isGone ? [] : [level]));
    else if (!isGone) this.levels.splice(at, 0, level);
  }

  /** Index of a price, or its insertion index. */
  #find(price: number): number {
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.levels[middle]?.price ?? 0;
      if (this.#isBid ? other > price : other < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
