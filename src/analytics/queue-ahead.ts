/** What stood before own maker orders: when the venue took them in, and just before they filled. Weighted by shares. */

export interface QueueAheadResult {
  /** Maker fills behind the means. */
  readonly count: number;
  /** Mean outside micro-shares before the order when it was accepted. */
  readonly atPlacing: number;
  /** The same just before the fill; undefined where it is unknown, as at a real venue. */
  readonly atFill: number | undefined;
}

export class QueueAhead {
  #count = 0;
  #shares = 0;
  #placing = 0;
  #knownShares = 0;
  #fill = 0;

  /** @param placing outside micro-shares; a fill of which it is not known counts nowhere @param times -1 takes back what was added */
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
