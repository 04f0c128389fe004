/**
 * Receives what a book does, in the order in which it does it, as bare numbers so that nothing is allocated.
 *
 * The calls come while the book works: a sink does not throw, and calls a book only in `paused`. Orders are named by
 * their slots, which are valid during the call. All columns may be read; only `OrderSlots.note`, which books do not
 * use, may be written. Prices are YES bps, sizes micro-shares. A new order that does not rest has no slot: the caller
 * of `enter` has its fields.
 *
 * A match calls `filled`, then `closed` when the maker is used up, then `paused` when `filled` requested it; then
 * follows the next match, or `ended`.
 */
export interface MatchSink {
  /**
   * The incoming order traded with the resting `maker` at the maker's price; what remains of the maker is lowered
   * already. `match` is a code of `MATCH`.
   * @returns whether the book shall pause before the next match
   */
  filled(maker: number, yesPrice: number, shares: number, match: number): boolean;
  /**
   * The pause that `filled` requested. All books are at rest: orders may be closed and reduced in each of them, this
   * one too, and none may come in.
   * @returns 0 to go on, else the code of `CLOSE` with which the incoming order ends here; a filled one is filled
   */
  paused(): number;
  /**
   * What is left of the incoming order (`shares`) waits in the book, behind all others at its price. The notes of the
   * slot still belong to an earlier order: write them now.
   */
  rested(slot: number, shares: number, yesPrice: number): void;
  /** An open order was made smaller and has `remaining` now, at its old place in the queue. */
  reduced(slot: number, remaining: number, yesPrice: number): void;
  /** An open order is gone, with `unfilled` of it given up; its slot is freed after the call. `reason` is a code of `CLOSE`. */
  closed(slot: number, unfilled: number, reason: number, yesPrice: number): void;
  /** The incoming order is over without resting, with `unfilled` of it given up. `reason` is a code of `CLOSE`. */
  ended(unfilled: number, reason: number): void;
}
