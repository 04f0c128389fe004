/**
 * One market's orders, matched by price and time, with self-trade prevention (venue.md 2).
 *
 * HOT: the exchange's inner loop. Typed columns, integers only, no object per command. 34 ns an operation at 10,000
 * open orders on 450 levels, about 10 of them the mispredicted choice between place and cancel (bench/matching.ts).
 *
 * Invariants: one ladder in YES terms, in which each order is a bid or an ask whatever its kind; the book is never
 * crossed at rest; an account's holding in the market is its owner, so "the same account" is "the same holding".
 * Nothing is tested here but what only the book can know (`refusal`): `CheckedBook` and the engine test the rest.
 */
import { FULL_BPS, InputFault } from '../../domain/index.ts';
import { ANSWER, CLOSE, FORCE, inYesTerms, isBidKind, SELF_TRADE } from './codes.ts';
import { aheadOf, isFillable } from './is-fillable.ts';
import { LevelQueues } from './level-queues.ts';
import type { MatchSink } from './match-sink.ts';
import type { OrderSlots } from './order-slots.ts';

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

/** One market's book. Prices at the door are bps, sizes micro-shares; what happens goes to the sink. */
export class MatchingBook {
  readonly tickBps: number;
  readonly number: number;
  readonly #slots: OrderSlots;
  readonly #sink: MatchSink;
  readonly #queues: LevelQueues;

  constructor({ slots, sink, number, tickBps }: MatchingBookOptions) {
    if (!Number.isInteger(tickBps) || tickBps < 1 || tickBps >= FULL_BPS || FULL_BPS % tickBps !== 0) {
      throw new InputFault('tickBps', tickBps, 'a divisor of 10000 from 1 to 5000');
    }
    if ((number | 0) !== number || number < 0) throw new InputFault('market number', number, 'an integer from 0');
    this.tickBps = tickBps;
    this.number = number;
    this.#slots = slots;
    this.#sink = sink;
    this.#queues = new LevelQueues(slots, FULL_BPS / tickBps);
  }

  /** Highest bid in YES bps; 0 when there is none. */
  get bestBid(): number {
    return this.#queues.bestBid * this.tickBps;
  }

  /** Lowest ask in YES bps; 10000 when there is none. */
  get bestAsk(): number {
    return this.#queues.bestAsk * this.tickBps;
  }

  /**
   * What keeps an order out of the book as it is: post-only that would cross (an own order too), FOK that others' orders
   * cannot fill under its self-trade mode, a level that would pass 2^53. All else is the caller's to test. No trace.
   * @param kind a code of `ORDER_KIND`
   * @param force a code of `FORCE`
   * @param price limit in bps on the tick's grid, in the terms of the kind's outcome
   * @param shares micro-shares, whole lots
   * @param holding the owner's; 0 for an order that meets no order of its own
   * @param selfTrade a code of `SELF_TRADE`
   * @returns `ANSWER.postOnlyWouldCross`, `fokNotFillable`, `aboveMax` or `done`
   */
  refusal(kind: number, force: number, price: number, shares: number, holding: number, selfTrade: number): number {
    const queues = this.#queues;
    const isBid = isBidKind(kind);
    const limit = (inYesTerms(kind, price) / this.tickBps) | 0;
    if (isBid ? queues.bestAsk <= limit : queues.bestBid >= limit) {
      if (force === FORCE.postOnly) return ANSWER.postOnlyWouldCross;
      if (force !== FORCE.fok || isFillable(this.#slots, queues, { isBid, limit, shares, holding, selfTrade })) {
        return ANSWER.done;
      }
      return ANSWER.fokNotFillable;
    }
    if (force === FORCE.fok) return ANSWER.fokNotFillable;
    if (force !== FORCE.fak && queues.sharesOf(limit) + shares > Number.MAX_SAFE_INTEGER) return ANSWER.aboveMax;
    return ANSWER.done;
  }

  /**
   * An order that `refusal` lets in: it takes what it can, then rests or ends. Numbers instead of one object, as an
   * object per order costs more than the match. Arguments as there; `order` is its number, new among the open ones.
   */
  enter(
    order: number,
    kind: number,
    force: number,
    price: number,
    shares: number,
    holding: number,
    selfTrade: number,
  ): void {
    const queues = this.#queues;
    const isBid = isBidKind(kind);
    const limit = (inYesTerms(kind, price) / this.tickBps) | 0;
    let left = shares;
    if (isBid ? queues.bestAsk <= limit : queues.bestBid >= limit) {
      left = this.#match(kind, isBid, limit, shares, holding, selfTrade);
      if (left === 0) return;
    }
    if (force === FORCE.fak || force === FORCE.fok) {
      this.#sink.ended(left, CLOSE.fakRemainder);
      return;
    }
    const slots = this.#slots;
    const slot = slots.open(order, holding);
    slots.remaining[slot] = left;
    slots.book[slot] = this.number;
    slots.level[slot] = limit;
    slots.kind[slot] = kind;
    queues.append(slot, limit, isBid, left);
    this.#sink.rested(slot);
  }

  /** Takes an open order of this book out. */
  close(slot: number, reason: number): void {
    this.#queues.unlink(slot);
    this.#sink.closed(slot, this.#slots.remaining[slot]!, reason);
    this.#slots.close(slot);
  }

  /**
   * Takes `by` micro-shares (whole lots) off an open order of this book, which keeps its place in the queue. All that
   * remains, or more (part of it may have traded meanwhile), closes it: `CLOSE.user`.
   */
  reduce(slot: number, by: number): void {
    const { remaining, level } = this.#slots;
    const left = remaining[slot]! - by;
    if (left <= 0) {
      this.close(slot, CLOSE.user);
      return;
    }
    remaining[slot] = left;
    this.#queues.shares[level[slot]!]! -= by;
    this.#sink.reduced(slot, left);
  }

  /** Takes all orders out, from the lowest price up and in order of time, and gives the memory of the levels back. */
  closeAll(reason: number): void {
    const slots = this.#slots;
    const queues = this.#queues;
    for (let level = queues.above(0); level < queues.end; level = queues.above(level)) {
      let slot = queues.head[level]!;
      while (slot !== 0) {
        const next = slots.behind[slot]!;
        this.#sink.closed(slot, slots.remaining[slot]!, reason);
        slots.close(slot);
        slot = next;
      }
    }
    queues.clear();
  }

  /** Micro-shares that wait before an open order of this book at its price. */
  queueAhead(slot: number): number {
    return aheadOf(this.#slots, slot);
  }

  /** The slot that is first in time at a price in YES bps, `behind` leads on; 0 when nobody is there. */
  firstAt(price: number): number {
    return this.#queues.head[price / this.tickBps] ?? 0;
  }

  /** Micro-shares at a price in YES bps. */
  sharesAt(price: number): number {
    return this.#queues.shares[price / this.tickBps] ?? 0;
  }

  /** Orders at a price in YES bps. */
  countAt(price: number): number {
    return this.#queues.count[price / this.tickBps] ?? 0;
  }

  /** The next price under `price` that holds orders; 0 when there is none. */
  priceBelow(price: number): number {
    return price <= this.tickBps ? 0 : this.#queues.below(Math.ceil(price / this.tickBps)) * this.tickBps;
  }

  /** The next price over `price` that holds orders; 10000 when there is none. */
  priceAbove(price: number): number {
    const last = FULL_BPS - this.tickBps;
    return price >= last ? FULL_BPS : this.#queues.above(Math.floor(price / this.tickBps)) * this.tickBps;
  }

  /**
   * Trades with the best levels within the limit, first come first served. What is left is read anew after a pause, in
   * which orders of this book may have gone.
   * @returns what is left of `shares`, to rest or to be given up; 0 when the order's end was told
   */
  #match(kind: number, isBid: boolean, limit: number, shares: number, holding: number, selfTrade: number): number {
    const slots = this.#slots;
    const queues = this.#queues;
    const sink = this.#sink;
    const { holding: owner, kind: kinds, remaining, behind } = slots;
    let left = shares;
    let level = isBid ? queues.bestAsk : queues.bestBid;
    while (isBid ? level <= limit : level >= limit) {
      const price = level * this.tickBps;
      let slot = queues.head[level]!;
      let pause = false;
      let end: number = CLOSE.filled;
      while (slot !== 0 && left > 0 && !pause && end === CLOSE.filled) {
        const open = remaining[slot]!;
        const isOwn = holding !== 0 && owner[slot] === holding;
        if (isOwn && selfTrade !== SELF_TRADE.cancelMaker) end = CLOSE.selfTrade;
        if (isOwn && selfTrade === SELF_TRADE.cancelTaker) break;
        const gone = isOwn || open < left ? open : left;
        queues.shares[level]! -= gone;
        if (!isOwn) {
          left -= gone;
          remaining[slot] = open - gone;
          pause = sink.filled(slot, price, gone, (kinds[slot]! & 1) + (kind & 1));
          if (gone < open) break;
        }
        const next = behind[slot]!;
        queues.count[level]!--;
        sink.closed(slot, isOwn ? open : 0, isOwn ? CLOSE.selfTrade : CLOSE.filled);
        slots.close(slot);
        slot = next;
      }
      queues.advance(level, slot);
      if (pause) end = sink.paused();
      if (left === 0 || end !== CLOSE.filled) {
        sink.ended(left, left === 0 ? CLOSE.filled : end);
        return 0;
      }
      level = isBid ? queues.bestAsk : queues.bestBid;
    }
    return left;
  }
}
