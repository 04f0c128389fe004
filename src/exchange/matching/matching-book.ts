/**
 * One market's orders, matched by price and time, with self-trade prevention (docs/spec/venue.md#the-book).
 *
 * HOT: the exchange's inner loop, 37 ns an operation at 10,000 open orders on 450 levels (bench/matching.ts). It
 * uses typed arrays and integers only, and creates no object per command. (`declare`: docs/decisions/0017.)
 *
 * Invariants: an order of any kind is a bid or an ask of one book in YES terms. The book is never crossed at rest.
 * Two orders of the same holding have the same account. The book checks only conditions that depend on its orders
 * (`refusal`); the engine checks the rest.
 */
import { InputFault, LOT } from '../../domain/index.ts';
import type { Book, MatchSink } from './book.ts';
import { BOOK_RESULT, CLOSE, FORCE, inYesTerms, isBidKind, SELF_TRADE } from './codes.ts';
import { LevelQueues } from './level-queues.ts';
import type { OrderSlots } from './order-slots.ts';

const { done: DONE, aboveMax: ABOVE_MAX, postOnlyWouldCross: WOULD_CROSS, fokNotFillable: NOT_FILLABLE } = BOOK_RESULT;
const { postOnly: POST_ONLY, fak: FAK, fok: FOK } = FORCE;
const { filled: FILLED, user: USER, selfTrade: SELF_TRADED, fakRemainder: REMAINDER } = CLOSE;
const { cancelTaker: CANCEL_TAKER, cancelMaker: CANCEL_MAKER } = SELF_TRADE;
/** Multiplies level and tick. Unlike `*`, `imul` needs no check for -0. */
const toPrice = Math.imul;

export interface MatchingBookOptions {
  /** Open orders of the whole exchange; shared by its books. */
  readonly slots: OrderSlots;
  readonly sink: MatchSink;
  /** The market's number, 0 … 2^31 - 1; unique among the books that share the slots. */
  readonly number: number;
  /** Distance of adjacent prices in bps; a divisor of 10000, below 10000. */
  readonly tickBps: number;
}

export class MatchingBook extends LevelQueues implements Book {
  declare readonly number: number;
  declare private readonly sink: MatchSink;

  constructor({ slots, sink, number, tickBps }: MatchingBookOptions) {
    super(slots, tickBps);
    if ((number | 0) !== number || number < 0) throw new InputFault('market number', number, 'an integer from 0');
    this.number = number;
    this.sink = sink;
  }

  hasPrice(_kind: number, _force: number, _price: number): boolean {
    return true;
  }

  restingAt(price: number): number {
    return this.sharesAt(price);
  }

  recordedBefore(_isBid: boolean, _price: number, _slot: number): number {
    return 0;
  }

  /**
   * Returns why the present book refuses an order. A post-only order must not cross, not even own orders. Others'
   * orders must be able to fill a FOK under its self-trade mode. The size of a level must not exceed 2^53.
   * @param kind a code of `ORDER_KIND`
   * @param force a code of `FORCE`
   * @param price limit in bps on the tick's grid, in the terms of the kind's outcome
   * @param shares micro-shares, whole lots
   * @param holding the owner's holding; 0 for an order without self-trade prevention
   * @param selfTrade a code of `SELF_TRADE`
   * @returns `BOOK_RESULT.postOnlyWouldCross`, `fokNotFillable`, `aboveMax` or `done`
   */
  refusal(kind: number, force: number, price: number, shares: number, holding: number, selfTrade: number): number {
    const level = this.levelOf(inYesTerms(kind, price));
    if (!this.crosses(kind, level)) {
      if (force === FOK) return NOT_FILLABLE;
      return force === FAK || this.hasRoom(level, shares) ? DONE : ABOVE_MAX;
    }
    if (force === POST_ONLY) return WOULD_CROSS;
    return force === FOK ? this.#fokResult(isBidKind(kind), level, shares, holding, selfTrade) : DONE;
  }

  fillable(kind: number, price: number, shares: number, holding: number, selfTrade: number): number {
    const incoming = { isBid: isBidKind(kind), limit: inYesTerms(kind, price), shares, holding, selfTrade };
    return shares - LOT * Math.max(0, missingLots(this.slots, this, incoming));
  }

  /** Takes separate arguments like `refusal`, because an options object would take longer than the match. */
  enter(
    order: number,
    kind: number,
    force: number,
    price: number,
    shares: number,
    holding: number,
    selfTrade: number,
  ): void {
    const level = this.levelOf(inYesTerms(kind, price));
    const left = this.crosses(kind, level)
      ? this.#match(kind, isBidKind(kind), level, shares, holding, selfTrade)
      : shares;
    if (left === 0) return;
    if (force === FAK || force === FOK) this.sink.ended(left, REMAINDER);
    else this.rest(order, kind, level, left, holding);
  }

  enterGtc(order: number, kind: number, level: number, shares: number, holding: number): void {
    const left = this.crosses(kind, level)
      ? this.#match(kind, isBidKind(kind), level, shares, holding, CANCEL_TAKER)
      : shares;
    if (left !== 0) this.rest(order, kind, level, left, holding);
  }

  close(slot: number, reason: number): void {
    const { slots } = this;
    const unfilled = slots.remaining(slot);
    this.unlink(slot, unfilled);
    this.sink.closed(slot, unfilled, reason, toPrice(slots.level(slot), this.tickBps));
    slots.close(slot);
  }

  /** @param by micro-shares in whole lots; the remaining size or more closes the order as `CLOSE.user` */
  reduce(slot: number, by: number): void {
    const { slots } = this;
    const left = slots.remaining(slot) - by;
    if (left <= 0) {
      this.close(slot, USER);
      return;
    }
    slots.setRemaining(slot, left);
    this.shares[slots.level(slot)]! -= by;
    this.sink.reduced(slot, left, slots.level(slot) * this.tickBps);
  }

  /** Removes all orders, from the lowest price up and by time at each price. Frees the memory of the levels. */
  closeAll(reason: number): void {
    const { slots } = this;
    for (let level = this.levelAbove(0); level < this.end; level = this.levelAbove(level)) {
      let slot = this.head[level]!;
      while (slot !== 0) {
        const next = slots.behind(slot);
        this.sink.closed(slot, slots.remaining(slot), reason, level * this.tickBps);
        slots.close(slot);
        slot = next;
      }
    }
    this.clear();
  }

  /** Separate from `refusal`, so that V8 inlines `refusal`. */
  #fokResult(isBid: boolean, level: number, shares: number, holding: number, selfTrade: number): number {
    const incoming = { isBid, limit: level * this.tickBps, shares, holding, selfTrade };
    return missingLots(this.slots, this, incoming) <= 0 ? DONE : NOT_FILLABLE;
  }

  protected rest(order: number, kind: number, level: number, shares: number, holding: number): void {
    const slot = this.slots.open(order, holding, this.number, level, kind, shares, this.lastOf(level));
    this.append(slot, level, kind, shares);
    this.sink.rested(slot, shares, toPrice(level, this.tickBps));
  }

  /**
   * Trades with the best levels within the limit, by price and time. Reads the levels again after a pause, because the
   * pause may close orders.
   * @returns the unfilled part of `shares`, to rest or to be cancelled; 0 if the sink has received the order's end
   */
  #match(kind: number, isBid: boolean, limit: number, shares: number, holding: number, selfTrade: number): number {
    const { slots } = this;
    const sink = this.sink;
    let left = shares;
    let level = isBid ? this.askLevel : this.bidLevel;
    while (isBid ? level <= limit : level >= limit) {
      const price = toPrice(level, this.tickBps);
      let slot = this.head[level]!;
      let mustPause = false;
      let endReason: number = FILLED;
      while (slot !== 0 && left > 0 && !mustPause && endReason === FILLED) {
        const makerShares = slots.remaining(slot);
        const isOwn = holding !== 0 && slots.holding(slot) === holding;
        if (isOwn && selfTrade !== CANCEL_MAKER) endReason = SELF_TRADED;
        if (isOwn && selfTrade === CANCEL_TAKER) break;
        const removed = isOwn || makerShares < left ? makerShares : left;
        this.shares[level]! -= removed;
        if (!isOwn) {
          left -= removed;
          slots.setRemaining(slot, makerShares - removed);
          mustPause = sink.filled(slot, price, removed, (slots.kind(slot) & 1) + (kind & 1));
          if (removed < makerShares) break;
        }
        const next = slots.behind(slot);
        this.count[level]!--;
        sink.closed(slot, isOwn ? makerShares : 0, isOwn ? SELF_TRADED : FILLED, price);
        slots.close(slot);
        slot = next;
      }
      this.setFirst(level, slot);
      if (mustPause) endReason = sink.paused();
      if (left === 0 || endReason !== FILLED) {
        sink.ended(left, left === 0 ? FILLED : endReason);
        return 0;
      }
      level = isBid ? this.askLevel : this.bidLevel;
    }
    return left;
  }
}

/** An order before it enters the book; `limit` is in YES terms. */
interface IncomingOrder {
  readonly isBid: boolean;
  readonly limit: number;
  readonly shares: number;
  readonly holding: number;
  readonly selfTrade: number;
}

/** Returns the lots that others' orders within the limit cannot fill under the self-trade mode; 0 or less for none. */
function missingLots(slots: OrderSlots, queues: LevelQueues, incoming: IncomingOrder): number {
  const { isBid, limit, holding, selfTrade } = incoming;
  const isWithin = (price: number, last: number): boolean => (isBid ? price <= last : price >= last);
  // In lots, because sums over levels may exceed 2^53 micro-shares.
  let wanted = incoming.shares / LOT;
  /** The first own order that would end the matching. */
  let ownOrder = 0;
  let last = limit;
  for (let slot = slots.firstOfHolding(holding); slot !== 0; slot = slots.nextOfHolding(slot)) {
    const price = slots.level(slot) * queues.tickBps;
    if (isBidKind(slots.kind(slot)) === isBid || !isWithin(price, limit)) continue;
    if (selfTrade === SELF_TRADE.cancelMaker) wanted += slots.remaining(slot) / LOT;
    else if (ownOrder === 0 || !isWithin(last, price)) {
      ownOrder = slot;
      last = price;
    }
  }
  let price = isBid ? queues.bestAsk : queues.bestBid;
  while (wanted > 0 && isWithin(price, last)) {
    wanted -= (ownOrder !== 0 && price === last ? queues.queueAhead(ownOrder) : queues.sharesAt(price)) / LOT;
    price = isBid ? queues.priceAbove(price) : queues.priceBelow(price);
  }
  return wanted;
}
