/**
 * A book without accounts that identifies orders by number and validates every order.
 *
 * HOT: bench/matching.ts times it as the bare core.
 */
import { LOT, MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import { BOOK_RESULT, CLOSE, FORCE, inYesTerms, SELF_TRADE } from '../../../src/exchange/matching/codes.ts';
import { MatchingBook } from '../../../src/exchange/matching/matching-book.ts';
import { type Hash, StateHash } from '../../../src/exchange/state-writer.ts';

const { done: DONE, notFound: NOT_FOUND, conflict: CONFLICT, invalidOrder: INVALID } = BOOK_RESULT;
const { invalidTick: OFF_TICK, invalidLot: OFF_LOT, aboveMax: ABOVE_MAX } = BOOK_RESULT;
const { gtc: GTC, postOnly: POST_ONLY } = FORCE;
const { user: USER } = CLOSE;
const { cancelTaker: CANCEL_TAKER } = SELF_TRADE;
const toYes = inYesTerms;

/** Validates each command completely before it changes the book. */
export class CheckedBook extends MatchingBook {
  /**
   * Places a limit order.
   * @param order its number, preferably ascending; a positive safe integer
   * @param kind a code of `ORDER_KIND`
   * @param force a code of `FORCE`
   * @param price limit in bps, in the terms of the kind's outcome
   * @param shares micro-shares
   * @param holding the owner's holding, 0 … 2^26 - 1; 0 disables self-trade prevention. Not validated
   * @param selfTrade a code of `SELF_TRADE`; default `cancelTaker`
   * @returns a code of `BOOK_RESULT`; only `done` changes the book
   */
  place(
    order: number,
    kind: number,
    force: number,
    price: number,
    shares: number,
    holding = 0,
    selfTrade: number = CANCEL_TAKER,
  ): number {
    if (this.slots.find(order) !== 0) return CONFLICT;
    if (!Number.isSafeInteger(order) || order < 1) return INVALID;
    if (kind !== (kind & 3) || force !== (force & 3)) return INVALID;
    const { tickBps } = this;
    const yesPrice = toYes(kind, price);
    const level = (yesPrice / tickBps) | 0;
    if (level * tickBps !== yesPrice || yesPrice < 1 || yesPrice >= 10_000) return OFF_TICK;
    if (!isWholeLots(shares)) return OFF_LOT;
    if (shares > MAX_ORDER_SHARES) return ABOVE_MAX;
    // Most orders match nothing. They skip the second check.
    const mayRest = force === GTC || force === POST_ONLY;
    if (mayRest && !this.crosses(kind, level)) {
      if (!this.hasRoom(level, shares)) return ABOVE_MAX;
      this.rest(order, kind, level, shares, holding);
      return DONE;
    }
    const answer = this.refusal(kind, force, price, shares, holding, selfTrade);
    if (answer === DONE) this.enter(order, kind, force, price, shares, holding, selfTrade);
    return answer;
  }

  /** Cancels an open order. @returns a code of `BOOK_RESULT` */
  cancel(order: number): number {
    const slot = this.#find(order);
    if (slot === 0) return NOT_FOUND;
    this.close(slot, USER);
    return DONE;
  }

  /** Reduces an open order by `by` micro-shares (`MatchingBook.reduce`). @returns a code of `BOOK_RESULT` */
  reduceOrder(order: number, by: number): number {
    const slot = this.#find(order);
    if (slot === 0) return NOT_FOUND;
    if (!isWholeLots(by)) return OFF_LOT;
    this.reduce(slot, by);
    return DONE;
  }

  /** Returns the open micro-shares of an order; 0 when it is not in this book. */
  remainingOf(order: number): number {
    const slot = this.#find(order);
    return slot === 0 ? 0 : this.slots.remaining(slot);
  }

  /**
   * Hashes the tick, then each level by ascending price (price, orders) with its orders by time (number, kind,
   * remaining, holding). Slots and capacity are not part of the hash.
   */
  stateHash(): Hash {
    const slots = this.slots;
    const hash = new StateHash();
    hash.number(this.tickBps);
    for (let price = this.priceAbove(0); price < 10_000; price = this.priceAbove(price)) {
      hash.number(price);
      hash.number(this.orderCountAt(price));
      for (let slot = this.firstAt(price); slot !== 0; slot = slots.behind(slot)) {
        hash.number(slots.order(slot));
        hash.number(slots.kind(slot));
        hash.number(slots.remaining(slot));
        hash.number(slots.holding(slot));
      }
    }
    return hash.digest();
  }

  /** Returns the slot of an order in this book, or 0. */
  #find(order: number): number {
    const slot = this.slots.find(order);
    return slot !== 0 && this.slots.book(slot) === this.number ? slot : 0;
  }
}

/** Divides, because `%` on a float64 calls into C. The product is exact within 2^53, and NaN returns false. */
function isWholeLots(shares: number): boolean {
  return shares > 0 && shares <= Number.MAX_SAFE_INTEGER && Math.floor(shares / LOT) * LOT === shares;
}
