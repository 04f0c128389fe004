/**
 * One market's orders, matched by price and time.
 *
 * HOT: the exchange's inner loop. Typed columns, integers only, no object per command. 34 ns an operation at 10,000
 * open orders on 450 levels, about 10 of them the mispredicted choice between place and cancel (bench/matching.ts).
 *
 * Invariants: one ladder in YES terms, in which each order is a bid or an ask whatever its kind (venue.md 2); level
 * `l` is the price `l * tick`, so 10,000 markets cost what their ticks need; the book is never crossed, so a level
 * holds bids or asks but not both, and one queue and one bit a level serve both; levels 0 and `levels + 1` are the
 * payouts, where nobody rests and every search ends. A command is tested whole before anything changes.
 */
import { FULL_BPS, InputFault, LOT, MAX_ORDER_SHARES, Occupancy } from '../domain/index.ts';
import { ANSWER, CLOSE, FORCE, inYesTerms, isBidKind } from './codes.ts';
import type { MatchSink } from './match-sink.ts';
import type { OrderSlots } from './order-slots.ts';
import { type Hash, StateHash } from './state-hash.ts';

/** What a book is made of. */
export interface MatchingBookOptions {
  /** Open orders of the whole exchange; shared by its books. */
  readonly slots: OrderSlots;
  readonly sink: MatchSink;
  /** The market's number, 0 … 2^31 - 1; unique among the books that share the slots. */
  readonly number: number;
  /** Distance of neighbouring prices in bps; a divisor of 10000 under 10000. */
  readonly tickBps: number;
}

/** One market's book: place, cancel, reduce; what happens goes to the sink, refusals are answered. */
export class MatchingBook {
  readonly tickBps: number;
  readonly #slots: OrderSlots;
  readonly #sink: MatchSink;
  readonly #number: number;
  readonly #levels: number;
  /** First and last slot of each level's queue. */
  readonly #head: Int32Array;
  readonly #tail: Int32Array;
  /** Orders and micro-shares of each level. */
  readonly #count: Int32Array;
  readonly #shares: Float64Array;
  readonly #occupied: Occupancy;
  #bestBid = 0;
  #bestAsk: number;

  constructor({ slots, sink, number, tickBps }: MatchingBookOptions) {
    if (!Number.isInteger(tickBps) || tickBps < 1 || tickBps >= FULL_BPS || FULL_BPS % tickBps !== 0) {
      throw new InputFault('tickBps', tickBps, 'a divisor of 10000 from 1 to 5000');
    }
    if ((number | 0) !== number || number < 0) throw new InputFault('market number', number, 'an integer from 0');
    this.tickBps = tickBps;
    this.#slots = slots;
    this.#sink = sink;
    this.#number = number;
    this.#levels = FULL_BPS / tickBps - 1;
    const length = this.#levels + 2;
    this.#head = new Int32Array(length);
    this.#tail = new Int32Array(length);
    this.#count = new Int32Array(length);
    this.#shares = new Float64Array(length);
    this.#occupied = new Occupancy(length - 1);
    this.#bestAsk = length - 1;
  }

  /** Highest bid in YES bps; 0 when there is none. */
  get bestBid(): number {
    return this.#bestBid * this.tickBps;
  }

  /** Lowest ask in YES bps; 10000 when there is none. */
  get bestAsk(): number {
    return this.#bestAsk * this.tickBps;
  }

  /**
   * A new limit order. Numbers instead of one object, as an object per order costs more than the match.
   * @param order its number, best counted upwards; a positive safe integer
   * @param kind a code of `ORDER_KIND`
   * @param force a code of `FORCE`
   * @param price limit in bps, in the terms of the kind's outcome
   * @param shares micro-shares
   * @returns a code of `ANSWER`; what is not `done` left no trace
   */
  place(order: number, kind: number, force: number, price: number, shares: number): number {
    if (this.#slots.find(order) !== 0) return ANSWER.conflict;
    if (!Number.isSafeInteger(order) || order < 1) return ANSWER.invalidOrder;
    if (kind !== (kind & 3) || force !== (force & 3)) return ANSWER.invalidOrder;
    const yesPrice = inYesTerms(kind, price);
    const level = (yesPrice / this.tickBps) | 0;
    if (level * this.tickBps !== yesPrice || level < 1 || level > this.#levels) return ANSWER.invalidTick;
    if (!isWholeLots(shares)) return ANSWER.invalidLot;
    if (shares > MAX_ORDER_SHARES) return ANSWER.aboveMax;
    const isBid = isBidKind(kind);
    let left = shares;
    if (isBid ? this.#bestAsk <= level : this.#bestBid >= level) {
      if (force === FORCE.postOnly) return ANSWER.postOnlyWouldCross;
      if (force === FORCE.fok && !this.#isFillable(isBid, level, shares)) return ANSWER.fokNotFillable;
      left = this.#match(order, kind, isBid, level, shares);
      if (left === 0) {
        this.#sink.closed(order, 0, CLOSE.filled);
        return ANSWER.done;
      }
    } else if (force === FORCE.fok) return ANSWER.fokNotFillable;
    else if (force !== FORCE.fak && this.#shares[level]! + shares > Number.MAX_SAFE_INTEGER) return ANSWER.aboveMax;
    if (force === FORCE.fak) this.#sink.closed(order, left, CLOSE.fakRemainder);
    else this.#rest(order, kind, isBid, level, left);
    return ANSWER.done;
  }

  /** Takes an open order out. @returns a code of `ANSWER` */
  cancel(order: number): number {
    const slot = this.#find(order);
    if (slot === 0) return ANSWER.notFound;
    const unfilled = this.#slots.remaining[slot]!;
    this.#remove(slot, unfilled);
    this.#sink.closed(order, unfilled, CLOSE.user);
    return ANSWER.done;
  }

  /**
   * Takes `by` micro-shares off an open order, which keeps its place in the queue. All that remains, or more (part of
   * it may have traded meanwhile), cancels it.
   * @returns a code of `ANSWER`
   */
  reduce(order: number, by: number): number {
    const slot = this.#find(order);
    if (slot === 0) return ANSWER.notFound;
    if (!isWholeLots(by)) return ANSWER.invalidLot;
    const { remaining, level } = this.#slots;
    const left = remaining[slot]! - by;
    if (left <= 0) return this.cancel(order);
    remaining[slot] = left;
    this.#shares[level[slot]!]! -= by;
    this.#sink.reduced(order, left);
    return ANSWER.done;
  }

  /** What is open of an order, in micro-shares; 0 when it is not in this book. */
  remainingOf(order: number): number {
    const slot = this.#find(order);
    return slot === 0 ? 0 : this.#slots.remaining[slot]!;
  }

  /** Micro-shares at a price in YES bps. */
  sharesAt(price: number): number {
    return this.#shares[price / this.tickBps] ?? 0;
  }

  /** Orders at a price in YES bps. */
  countAt(price: number): number {
    return this.#count[price / this.tickBps] ?? 0;
  }

  /** The next price under `price` that holds orders; 0 when there is none. */
  priceBelow(price: number): number {
    return price <= this.tickBps ? 0 : this.#occupied.below(Math.ceil(price / this.tickBps)) * this.tickBps;
  }

  /** The next price over `price` that holds orders; 10000 when there is none. */
  priceAbove(price: number): number {
    const last = FULL_BPS - this.tickBps;
    return price >= last ? FULL_BPS : this.#occupied.above(Math.floor(price / this.tickBps)) * this.tickBps;
  }

  /**
   * Hash of tick, then each level from the lowest price up (price, orders), then its orders from the first in time
   * (number, kind, remaining). What is not of the market's state (slots, capacity) does not count.
   */
  stateHash(): Hash {
    const { order, kind, remaining, behind } = this.#slots;
    const hash = new StateHash();
    hash.add(this.tickBps);
    for (let level = this.#occupied.above(0); level <= this.#levels; level = this.#occupied.above(level)) {
      hash.add(level * this.tickBps);
      hash.add(this.#count[level]!);
      for (let slot = this.#head[level]!; slot !== 0; slot = behind[slot]!) {
        hash.add(order[slot]!);
        hash.add(kind[slot]!);
        hash.add(remaining[slot]!);
      }
    }
    return hash.digest();
  }

  /** The slot of an order in this book, else 0. */
  #find(order: number): number {
    const slot = this.#slots.find(order);
    return slot !== 0 && this.#slots.book[slot] === this.#number ? slot : 0;
  }

  /** Whether the levels within the limit hold enough. */
  #isFillable(isBid: boolean, limit: number, shares: number): boolean {
    let wanted = shares;
    let level = isBid ? this.#bestAsk : this.#bestBid;
    while (isBid ? level <= limit : level >= limit) {
      wanted -= this.#shares[level]!;
      if (wanted <= 0) return true;
      level = isBid ? this.#occupied.above(level) : this.#occupied.below(level);
    }
    return false;
  }

  /** Trades with the best levels within the limit, first come first served. @returns what is left of `shares` */
  #match(taker: number, takerKind: number, isBid: boolean, limit: number, shares: number): number {
    const { order, kind, remaining, ahead, behind } = this.#slots;
    let left = shares;
    let level = isBid ? this.#bestAsk : this.#bestBid;
    while (left > 0 && (isBid ? level <= limit : level >= limit)) {
      const price = level * this.tickBps;
      let slot = this.#head[level]!;
      while (slot !== 0 && left > 0) {
        const maker = order[slot]!;
        const open = remaining[slot]!;
        const traded = open < left ? open : left;
        const match = (kind[slot]! & 1) + (takerKind & 1);
        left -= traded;
        this.#shares[level]! -= traded;
        this.#sink.filled(maker, taker, price, traded, match);
        if (traded < open) {
          remaining[slot] = open - traded;
          break;
        }
        const next = behind[slot]!;
        this.#count[level]!--;
        this.#slots.close(slot);
        this.#sink.closed(maker, 0, CLOSE.filled);
        slot = next;
      }
      this.#head[level] = slot;
      ahead[slot] = 0;
      if (slot === 0) {
        this.#tail[level] = 0;
        this.#vacate(level);
        level = isBid ? this.#bestAsk : this.#bestBid;
      }
    }
    return left;
  }

  /** Puts what is left of a new order at the end of its level's queue. */
  #rest(order: number, kind: number, isBid: boolean, level: number, shares: number): void {
    const slots = this.#slots;
    const slot = slots.open(order);
    const last = this.#tail[level]!;
    slots.remaining[slot] = shares;
    slots.book[slot] = this.#number;
    slots.level[slot] = level;
    slots.kind[slot] = kind;
    slots.ahead[slot] = last;
    slots.behind[slot] = 0;
    this.#tail[level] = slot;
    this.#count[level]!++;
    this.#shares[level]! += shares;
    if (last !== 0) slots.behind[last] = slot;
    else {
      this.#head[level] = slot;
      this.#occupied.set(level);
      if (isBid) {
        if (level > this.#bestBid) this.#bestBid = level;
      } else if (level < this.#bestAsk) this.#bestAsk = level;
    }
    this.#sink.rested(order, shares);
  }

  /** Takes a slot out of its queue and frees it. */
  #remove(slot: number, unfilled: number): void {
    const { ahead, behind } = this.#slots;
    const level = this.#slots.level[slot]!;
    const before = ahead[slot]!;
    const after = behind[slot]!;
    this.#count[level]!--;
    this.#shares[level]! -= unfilled;
    if (before === 0) this.#head[level] = after;
    else behind[before] = after;
    if (after === 0) this.#tail[level] = before;
    else ahead[after] = before;
    this.#slots.close(slot);
    if (before === 0 && after === 0) this.#vacate(level);
  }

  /** Marks a level that has just emptied; the next best takes the place of the best. */
  #vacate(level: number): void {
    this.#occupied.clear(level);
    if (level === this.#bestBid) this.#bestBid = this.#occupied.below(level);
    else if (level === this.#bestAsk) this.#bestAsk = this.#occupied.above(level);
  }
}

/** Divided, as `%` on a float64 calls into C; the product is exact within 2^53. NaN is not. */
function isWholeLots(shares: number): boolean {
  return shares > 0 && shares <= Number.MAX_SAFE_INTEGER && Math.floor(shares / LOT) * LOT === shares;
}
