import type { Recording } from './recording.ts';

/**
 * One market's book as the engine sees it. Two implementations: `MatchingBook`, in which orders meet each other, and
 * the replayed book of `replay/`, in which they meet a recorded market, too. Prices are YES bps except limits, sizes
 * are micro-shares, all else is codes and slots. Results go to the `MatchSink` of the book.
 */
export interface Book {
  /** Distance of neighbouring prices in bps: an order's price is its slot's level times this. */
  readonly tickBps: number;
  /** Highest bid; 0 when there is none. */
  readonly bestBid: number;
  /** Lowest ask; 10000 when there is none. */
  readonly bestAsk: number;
  /** Whether a limit on the tick, in the terms of its kind's outcome, is a price of this book for such an order. */
  hasPrice(kind: number, force: number, price: number): boolean;
  /** Why the present book refuses an order (`MatchingBook.refusal`): a code of `ANSWER`; changes nothing. */
  refusal(kind: number, force: number, price: number, shares: number, holding: number, selfTrade: number): number;
  /**
   * The fast path of a GTC with CANCEL_TAKER: `hasPrice`, `refusal` and the tick in one call.
   * @returns what `enterGtc` takes; -1 for an order that the book does not let in, or might not
   */
  levelFor(kind: number, price: number, shares: number): number;
  /** `enter` of such an order. @param level as `levelFor` returned, with nothing in between */
  enterGtc(order: number, kind: number, level: number, shares: number, holding: number): void;
  /** Micro-shares, of those wanted, that an order could take at once under its self-trade mode. No trace. */
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
  /** Micro-shares that wait before an open order at its price. */
  queueAhead(slot: number): number;
  /** Those of them that a recorded market has. */
  recordedFront(slot: number): number;
  /** The slot of the order that is first in time at a price, `behind` leads on; 0 when the level is empty. */
  firstAt(price: number): number;
  /**
   * Micro-shares of a recorded market that a bid (else an ask) meets at a price before the order in `slot`; with slot 0,
   * all of them there.
   */
  recordedBefore(isBid: boolean, price: number, slot: number): number;
  /** Micro-shares of open orders at a price. */
  restingAt(price: number): number;
  /** Micro-shares at a price, a recorded market's included. */
  sharesAt(price: number): number;
  /** Open orders at a price; 0 for none. What a recorded market shows there counts as one order a side. */
  orderCountAt(price: number): number;
  /** The next price under `price` with orders; 0 when there is none. */
  priceBelow(price: number): number;
  /** The next price over `price` with orders; 10000 when there is none. */
  priceAbove(price: number): number;
  /** Of a book whose recording comes by commands. */
  readonly recording?: Recording;
}
