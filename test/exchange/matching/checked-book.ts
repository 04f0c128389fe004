/**
 * A book on its own, without accounts around it: orders by their numbers, all that an order says tested.
 *
 * HOT: what bench/matching.ts times as the bare core.
 */
import { LOT, MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import { ANSWER, CLOSE, FORCE, inYesTerms, SELF_TRADE } from '../../../src/exchange/matching/codes.ts';
import { MatchingBook } from '../../../src/exchange/matching/matching-book.ts';
import { type Hash, StateHash } from '../../../src/exchange/state-hash.ts';

// Names of this file for what is imported.
const { done: DONE, notFound: NOT_FOUND, conflict: CONFLICT, invalidOrder: INVALID } = ANSWER;
const { invalidTick: OFF_TICK, invalidLot: OFF_LOT, aboveMax: ABOVE_MAX } = ANSWER;
const { gtc: GTC, postOnly: POST_ONLY } = FORCE;
const { user: USER } = CLOSE;
const { cancelTaker: CANCEL_TAKER } = SELF_TRADE;
const MOST_SHARES = MAX_ORDER_SHARES;
const LOT_SHARES = LOT;
const toYes = inYesTerms;

/** `place`, `cancel` and `reduce` by number: a command is tested whole before anything changes. */
export class CheckedBook extends MatchingBook {
  /**
   * A new limit order.
   * @param order its number, best counted upwards; a positive safe integer
   * @param kind a code of `ORDER_KIND`
   * @param force a code of `FORCE`
   * @param price limit in bps, in the terms of the kind's outcome
   * @param shares micro-shares
   * @param holding the owner's, 0 … 2^26 - 1; 0 for one who meets no order of his own. Not tested, as is the next
   * @param selfTrade a code of `SELF_TRADE`; default `cancelTaker`
   * @returns a code of `ANSWER`; what is not `done` left no trace
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
    if (shares > MOST_SHARES) return ABOVE_MAX;
    // Most orders match nothing: they are not checked twice.
    const mayRest = force === GTC || force === POST_ONLY;
    if (mayRest && !this.meets(kind, level)) {
      if (!this.hasRoom(level, shares)) return ABOVE_MAX;
      this.rest(order, kind, level, shares, holding);
      return DONE;
    }
    const answer = this.refusalAt(kind, force, level, shares, holding, selfTrade);
    if (answer === DONE) this.enterAt(order, kind, force, level, shares, holding, selfTrade);
    return answer;
  }

  /** Takes an open order out. @returns a code of `ANSWER` */
  cancel(order: number): number {
    const slot = this.#find(order);
    if (slot === 0) return NOT_FOUND;
    this.close(slot, USER);
    return DONE;
  }

  /** Takes `by` micro-shares off an open order (`MatchingBook.reduce`). @returns a code of `ANSWER` */
  reduceOrder(order: number, by: number): number {
    const slot = this.#find(order);
    if (slot === 0) return NOT_FOUND;
    if (!isWholeLots(by)) return OFF_LOT;
    this.reduce(slot, by);
    return DONE;
  }

  /** What is open of an order, in micro-shares; 0 when it is not in this book. */
  remainingOf(order: number): number {
    const slot = this.#find(order);
    return slot === 0 ? 0 : this.slots.remaining(slot);
  }

  /**
   * Hash of tick, then each level from the lowest price up (price, orders), then its orders from the first in time
   * (number, kind, remaining, holding). What is not of the market's state (slots, capacity) does not count.
   */
  stateHash(): Hash {
    const slots = this.slots;
    const hash = new StateHash();
    hash.add(this.tickBps);
    for (let price = this.priceAbove(0); price < 10_000; price = this.priceAbove(price)) {
      hash.add(price);
      hash.add(this.orderCountAt(price));
      for (let slot = this.firstAt(price); slot !== 0; slot = slots.behind(slot)) {
        hash.add(slots.order(slot));
        hash.add(slots.kind(slot));
        hash.add(slots.remaining(slot));
        hash.add(slots.holding(slot));
      }
    }
    return hash.digest();
  }

  /** The slot of an order in this book, else 0. */
  #find(order: number): number {
    const slot = this.slots.find(order);
    return slot !== 0 && this.slots.book(slot) === this.number ? slot : 0;
  }
}

/** Divided, as `%` on a float64 calls into C; the product is exact within 2^53. NaN is not. */
function isWholeLots(shares: number): boolean {
  return shares > 0 && shares <= Number.MAX_SAFE_INTEGER && Math.floor(shares / LOT_SHARES) * LOT_SHARES === shares;
}
