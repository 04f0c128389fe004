/**
 * The twin of `MatchingBook`: the same rules on one list of orders, filtered and sorted again for each match. It is
 * slow and has no derived state; the fast book must agree with it after every command.
 */

import { MAX_ORDER_SHARES, priceBps, yesPrice, yesSign } from '../../../src/domain/index.ts';
import { BOOK_RESULT, CLOSE, FORCE, ORDER_KINDS } from '../../../src/exchange/index.ts';
import { type Hash, StateHash } from '../../../src/exchange/state-writer.ts';
import type { EventRows } from './event-log.ts';
import { CLOSED_BY_SELF_TRADE, fillableShares, isOwn, isWholeLots, matchOf, type Resting, sum } from './naive-rules.ts';

export class NaiveBook {
  readonly #log: EventRows;
  readonly #tickBps: number;
  #resting: Resting[] = [];

  constructor(log: EventRows, tickBps: number) {
    this.#log = log;
    this.#tickBps = tickBps;
  }

  /** Open orders in order of time. */
  get resting(): readonly Resting[] {
    return this.#resting;
  }

  place(order: number, kind: number, force: number, price: number, shares: number, holding = 0, selfTrade = 0): number {
    const terms = ORDER_KINDS[kind];
    if (this.#resting.some((other) => other.order === order)) return BOOK_RESULT.conflict;
    if (!Number.isSafeInteger(order) || order < 1 || terms === undefined || ![0, 1, 2, 3].includes(force)) {
      return BOOK_RESULT.invalidOrder;
    }
    if (!(price >= this.#tickBps && price <= 10_000 - this.#tickBps && price % this.#tickBps === 0)) {
      return BOOK_RESULT.invalidTick;
    }
    if (!isWholeLots(shares)) return BOOK_RESULT.invalidLot;
    if (shares > MAX_ORDER_SHARES) return BOOK_RESULT.aboveMax;

    const isBid = yesSign(terms.outcome, terms.side) === 1;
    const taker = { order, kind, isBid, price: yesPrice(terms.outcome, priceBps(price)), remaining: shares, holding };
    const matchable = this.#matchable(taker);
    if (force === FORCE.postOnly && matchable.length > 0) return BOOK_RESULT.postOnlyWouldCross;
    if (force === FORCE.fok && fillableShares(matchable, holding, selfTrade) < shares)
      return BOOK_RESULT.fokNotFillable;
    const mayRest = force === FORCE.gtc || force === FORCE.postOnly;
    const level = this.#resting.filter((other) => other.price === taker.price && other.isBid === isBid);
    if (mayRest && matchable.length === 0 && sum(level) + shares > Number.MAX_SAFE_INTEGER) return BOOK_RESULT.aboveMax;

    const end = this.#match(taker, selfTrade);
    if (end !== undefined) this.#log.closed(order, taker.remaining, end);
    else if (mayRest) {
      this.#resting.push(taker);
      this.#log.rested(order, taker.remaining);
    } else this.#log.closed(order, taker.remaining, CLOSE.fakRemainder);
    return BOOK_RESULT.done;
  }

  cancel(order: number): number {
    if (!this.#resting.some((other) => other.order === order)) return BOOK_RESULT.notFound;
    this.closeOrder(order, CLOSE.user);
    return BOOK_RESULT.done;
  }

  reduceOrder(order: number, by: number): number {
    const found = this.#resting.find((other) => other.order === order);
    if (found === undefined) return BOOK_RESULT.notFound;
    if (!isWholeLots(by)) return BOOK_RESULT.invalidLot;
    if (by >= found.remaining) return this.cancel(order);
    found.remaining -= by;
    this.#log.reduced(order, found.remaining, found.price);
    return BOOK_RESULT.done;
  }

  closeOrder(order: number, reason: number): void {
    const found = this.#resting.find((other) => other.order === order);
    if (found === undefined) return;
    this.#resting = this.#resting.filter((other) => other !== found);
    this.#log.closed(order, found.remaining, reason);
  }

  closeAll(reason: number): void {
    for (const [, orders] of this.levels()) for (const { order } of orders) this.closeOrder(order, reason);
  }

  aheadOf(order: number): number {
    const found = this.#resting.find((other) => other.order === order);
    if (found === undefined) return Number.NaN;
    const queue = this.#resting.filter(({ price }) => price === found.price);
    return sum(queue.slice(0, queue.indexOf(found)));
  }

  ordersOf(holding: number): readonly number[] {
    return this.#resting.filter((other) => other.holding === holding).map(({ order }) => order);
  }

  /** Returns each price with its orders by time, by ascending price. */
  levels(): readonly (readonly [price: number, orders: readonly Resting[]])[] {
    const levels = Map.groupBy(this.#resting, ({ price }) => price);
    return [...levels].toSorted(([a], [b]) => a - b);
  }

  stateHash(): Hash {
    const hash = new StateHash();
    hash.number(this.#tickBps);
    for (const [price, orders] of this.levels()) {
      hash.number(price);
      hash.number(orders.length);
      for (const { order, kind, remaining, holding } of orders) {
        for (const value of [order, kind, remaining, holding]) hash.number(value);
      }
    }
    return hash.digest();
  }

  /** Returns the orders that an order can match, by price and time. */
  #matchable({ isBid, price }: Resting): readonly Resting[] {
    return this.#resting
      .filter((maker) => maker.isBid !== isBid && (isBid ? maker.price <= price : maker.price >= price))
      .toSorted((a, b) => (isBid ? a.price - b.price : b.price - a.price));
  }

  /** Matches an incoming order. @returns the code of `CLOSE` that ends it, undefined when it may rest */
  #match(taker: Resting, selfTrade: number): number | undefined {
    for (;;) {
      if (taker.remaining === 0) return CLOSE.filled;
      const [maker] = this.#matchable(taker);
      if (maker === undefined) return undefined;
      if (isOwn(maker, taker.holding)) {
        if (CLOSED_BY_SELF_TRADE[selfTrade]?.maker) this.closeOrder(maker.order, CLOSE.selfTrade);
        if (CLOSED_BY_SELF_TRADE[selfTrade]?.taker) return CLOSE.selfTrade;
      } else if (this.#trade(maker, taker)) {
        const end = this.#log.paused();
        if (end !== 0 && taker.remaining > 0) return end;
      }
    }
  }

  /** @returns whether to pause */
  #trade(maker: Resting, taker: Resting): boolean {
    const shares = Math.min(maker.remaining, taker.remaining);
    maker.remaining -= shares;
    taker.remaining -= shares;
    const match = matchOf(maker.kind, taker.kind);
    const pauses = this.#log.traded(maker.order, taker.order, maker.price, shares, match);
    if (maker.remaining === 0) this.closeOrder(maker.order, CLOSE.filled);
    return pauses;
  }
}
