/** What quotes look at: the levels of one book, in YES terms. A `MatchingBook` is one. */
export interface BookView {
  /** Distance of neighbouring prices in bps; divides 10000. */
  readonly tickBps: number;
  /** Highest bid in YES bps; 0 when there is none. */
  readonly bestBid: number;
  /** Lowest ask in YES bps; 10000 when there is none. */
  readonly bestAsk: number;
  /** Micro-shares at a price in YES bps. */
  sharesAt(price: number): number;
  /** The next price under `price` that holds orders; 0 when there is none. */
  priceBelow(price: number): number;
  /** The next price over `price` that holds orders; 10000 when there is none. */
  priceAbove(price: number): number;
}

/** The best price of each side and what was traded last, in YES bps. A `BookView` with `lastTrade` is one. */
export interface Touch {
  readonly tickBps: number;
  /** 0 when there is none. */
  readonly bestBid: number;
  /** 10000 when there is none. */
  readonly bestAsk: number;
  /** 0 before the first trade. */
  readonly lastTrade: number;
}
