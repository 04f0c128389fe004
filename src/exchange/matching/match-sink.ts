/**
 * Receives the events of a book in order, as plain numbers, to avoid allocation.
 *
 * A sink must not throw, and may call books only in `paused`. Orders are identified by their slots, which are valid during
 * the call. A sink may read all columns, but write only by `OrderSlots.note`. Prices are YES bps, sizes micro-shares. An
 * order that does not rest has no slot: the caller of `enter` has its fields.
 *
 * A match calls `filled`, then `closed` if the maker is filled, then `paused` if `filled` requested it. Then follows the next
 * match, or `ended`.
 */
export interface MatchSink {
  /**
   * The incoming order traded with the resting `maker` at the maker's price. The maker's remaining size is already reduced.
   * `match` is a code of `MATCH`.
   * @returns whether the book pauses before the next match
   */
  filled(maker: number, yesPrice: number, shares: number, match: number): boolean;
  /**
   * The pause that `filled` requested. The sink may close and reduce orders in all books, but not enter any.
   * @returns 0 to continue, or the code of `CLOSE` that ends the incoming order; ignored if the order is filled
   */
  paused(): number;
  /**
   * The rest of the incoming order (`shares`) is in the book, behind all others at its price. Write the notes of the slot now:
   * they still belong to an earlier order.
   */
  rested(slot: number, shares: number, yesPrice: number): void;
  /** An open order was reduced to `remaining` and keeps its place in the queue. */
  reduced(slot: number, remaining: number, yesPrice: number): void;
  /** An open order was closed with `unfilled` micro-shares cancelled; its slot is freed after the call. `reason`: a code of `CLOSE`. */
  closed(slot: number, unfilled: number, reason: number, yesPrice: number): void;
  /** The incoming order ended without resting, with `unfilled` micro-shares cancelled. `reason`: a code of `CLOSE`. */
  ended(unfilled: number, reason: number): void;
}
