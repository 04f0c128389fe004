/**
 * Where a book tells what it does, in the order in which it does it, as bare numbers so that nothing is allocated.
 *
 * The calls come while the book works: a sink neither throws nor calls a book or its slots. Prices are YES bps, sizes
 * micro-shares. A command that is refused tells nothing.
 */
export interface MatchSink {
  /** `taker` traded with the resting `maker` at the maker's price. `match` is a code of `MATCH`. */
  filled(maker: number, taker: number, price: number, shares: number, match: number): void;
  /** What is left of a new order waits in the book, behind all others at its price. */
  rested(order: number, shares: number): void;
  /** An open order was made smaller and has `remaining` now, at its old place in the queue. */
  reduced(order: number, remaining: number): void;
  /** The order is gone, with `unfilled` of it given up. `reason` is a code of `CLOSE`. */
  closed(order: number, unfilled: number, reason: number): void;
}
