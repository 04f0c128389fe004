/** Share-weighted mean queue ahead of own maker orders, at their acceptance and just before their fills. */

export interface QueueAheadResult {
  /** Number of maker fills. */
  readonly count: number;
  /** Mean micro-shares of others ahead of the order when the venue accepted it. */
  readonly atPlacing: number;
  /** The same just before the fill; undefined when unknown, as at a real venue. */
  readonly atFill: number | undefined;
}

export class QueueAhead {
  #count = 0;
  #shares = 0;
  #placing = 0;
  #knownShares = 0;
  #fill = 0;

  /**
   * @param placing micro-shares ahead at acceptance; a fill without them is ignored
   * @param fill micro-shares ahead just before the fill
   * @param times -1 to revert a fill
   */
  add(shares: number, placing: number | undefined, fill: number | undefined, times: 1 | -1 = 1): void {
    if (placing === undefined) return;
    this.#count += times;
    this.#shares += times * shares;
    this.#placing += times * shares * placing;
    if (fill === undefined) return;
    this.#knownShares += times * shares;
    this.#fill += times * shares * fill;
  }

  /** Undefined without fills. */
  result(): QueueAheadResult | undefined {
    if (this.#shares <= 0) return undefined;
    return {
      count: this.#count,
      atPlacing: this.#placing / this.#shares,
      atFill: this.#knownShares <= 0 ? undefined : this.#fill / this.#knownShares,
    };
  }
}
