import type { Recording } from './recording.ts';

/**
 * One market's book. Two implementations: `MatchingBook`, in which orders match each other, and the replayed book of
 * `replay/`, in which they also match a recorded market. Prices except limits are YES bps, sizes micro-shares, other numbers
 * codes and slots. Results go to the book's `MatchSink`.
 */
export interface Book {
  /** Distance of adjacent prices in bps: an order's price is its slot's level times this. */
  readonly tickBps: number;
  /** Highest bid; 0 if there is none. */
  readonly bestBid: number;
  /** Lowest ask; 10000 if there is none. */
  readonly bestAsk: number;
  /** Returns whether such an order may have this limit, which is on the tick and in the terms of its kind's outcome. */
  hasPrice(kind: number, force: number, price: number): boolean;
  /** Returns why the present book refuses an order (`MatchingBook.refusal`), a code of `ANSWER`. Changes nothing. */
  refusal(kind: number, force: number, price: number, shares: number, holding: number, selfTrade: number): number;
  /**
   * The fast path of a GTC with CANCEL_TAKER: `hasPrice`, `refusal` and the tick in one call.
   * @returns the level for `enterGtc`; -1 for an order that the book refuses or may refuse
   */
  levelFor(kind: number, price: number, shares: number): number;
  /** `enter` for such an order. @param level from a `levelFor` directly before */
  enterGtc(order: number, kind: number, level: number, shares: number, holding: number): void;
  /** Returns the micro-shares that an order could fill at once under its self-trade mode. Changes nothing. */
  fillable(kind: number, price: number, shares: number, holding: number, selfTrade: number): number;
  /** Enters an order that `refusal` accepts: it matches what it can, then rests or ends. */
  enter(
    order: number,
    kind: number,
    force: number,
    price: number,
    shares: number,
    holding: number,
    selfTrade: number,
  ): void;
  /** Removes an open order from this book. */
  close(slot: number, reason: number): void;
  /** Reduces an open order, which keeps its place. A reduction to 0 or below closes it. */
  reduce(slot: number, by: number): void;
  /** Removes all orders. */
  closeAll(reason: number): void;
  /** Micro-shares before an open order at its price. */
  queueAhead(slot: number): number;
  /** The part of `queueAhead` from a recorded market. */
  recordedFront(slot: number): number;
  /** The slot of the first order at a price; `behind` returns the next. 0 if the level is empty. */
  firstAt(price: number): number;
  /**
   * Micro-shares of a recorded market that a bid (else an ask) matches at a price before the order in `slot`; all of them for
   * slot 0.
   */
  recordedBefore(isBid: boolean, price: number, slot: number): number;
  /** Micro-shares of open orders at a price. */
  restingAt(price: number): number;
  /** Micro-shares at a price, including a recorded market's. */
  sharesAt(price: number): number;
  /** Number of open orders at a price. The size of a recorded market counts as one order a side. */
  orderCountAt(price: number): number;
  /** Next price below `price` with orders; 0 if there is none. */
  priceBelow(price: number): number;
  /** Next price above `price` with orders; 10000 if there is none. */
  priceAbove(price: number): number;
  /** Only in a book whose recording arrives in commands. */
  readonly recording?: Recording;
}
