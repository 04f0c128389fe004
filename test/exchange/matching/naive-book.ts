/**
 * The twin of `MatchingBook`: the same rules in the plainest form, one list of orders in time, filtered and sorted again for
 * each match. Slow, without state to get out of step; the fast book has to agree with it after every command.
 */
import { MAX_ORDER_SHARES, priceBps, yesPrice, yesSign } from '../../../src/domain/index.ts';
import { ANSWER, CLOSE, FORCE, type Hash, ORDER_KINDS, StateHash } from '../../../src/exchange/index.ts';
import type { EventRows } from './event-log.ts';
import { GOES, isOwn, isWholeLots, matchOf, type Resting, sum, takeable } from './naive-rules.ts';

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
    const words = ORDER_KINDS[kind];
    if (this.#resting.some((other) => other.order === order)) return ANSWER.conflict;
    if (!Number.isSafeInteger(order) || order < 1 || words === undefined || ![0, 1, 2, 3].includes(force)) {
      return ANSWER.invalidOrder;
    }
    if (!(price >= this.#tickBps && price <= 10_000 - this.#tickBps && price % this.#tickBps === 0)) {
      return ANSWER.invalidTick;
    }
    if (!isWholeLots(shares)) return ANSWER.invalidLot;
    if (shares > MAX_ORDER_SHARES) return ANSWER.aboveMax;

    const isBid = yesSign(words.outcome, words.side) === 1;
    const taker = { order, kind, isBid, price: yesPrice(words.outcome, priceBps(price)), remaining: shares, holding };
    const facing = this.#facing(taker);
    if (force === FORCE.postOnly && facing.length > 0) return ANSWER.postOnlyWouldCross;
    if (force === FORCE.fok && takeable(facing, holding, selfTrade) < shares) return ANSWER.fokNotFillable;
    const mayRest = force === FORCE.gtc || force === FORCE.postOnly;
    const level = this.#resting.filter((other) => other.price === taker.price && other.isBid === isBid);
    if (mayRest && facing.length === 0 && sum(level) + shares > Number.MAX_SAFE_INTEGER) return ANSWER.aboveMax;

    const end = this.#take(taker, selfTrade);
    if (end !== undefined) this.#log.closed(order, taker.remaining, end);
    else if (mayRest) {
      this.#resting.push(taker);
      this.#log.rested(order, taker.remaining);
    } else this.#log.closed(order, taker.remaining, CLOSE.fakRemainder);
    return ANSWER.done;
  }

  cancel(order: number): number {
    if (!this.#resting.some((other) => other.order === order)) return ANSWER.notFound;
    this.closeOrder(order, CLOSE.user);
    return ANSWER.done;
  }

  reduceOrder(order: number, by: number): number {
    const found = this.#resting.find((other) => other.order === order);
    if (found === undefined) return ANSWER.notFound;
    if (!isWholeLots(by)) return ANSWER.invalidLot;
    if (by >= found.remaining) return this.cancel(order);
    found.remaining -= by;
    this.#log.reduced(order, found.remaining);
    return ANSWER.done;
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

  /** Each price with orders, from the lowest up, with its orders in time. */
  levels(): readonly (readonly [price: number, orders: readonly Resting[]])[] {
    const levels = Map.groupBy(this.#resting, ({ price }) => price);
    return [...levels].toSorted(([a], [b]) => a - b);
  }

  stateHash(): Hash {
    const hash = new StateHash();
    hash.add(this.#tickBps);
    for (const [price, orders] of this.levels()) {
      hash.add(price);
      hash.add(orders.length);
      for (const { order, kind, remaining, holding } of orders) {
        for (const value of [order, kind, remaining, holding]) hash.add(value);
      }
    }
    return hash.digest();
  }

  /** Orders that one would meet, best price first, then first in time. */
  #facing({ isBid, price }: Resting): readonly Resting[] {
    return this.#resting
      .filter((maker) => maker.isBid !== isBid && (isBid ? maker.price <= price : maker.price >= price))
      .toSorted((a, b) => (isBid ? a.price - b.price : b.price - a.price));
  }

  /** Match by match, with a new search each time. @returns the code of `CLOSE` with which it is over, undefined when it is not */
  #take(taker: Resting, selfTrade: number): number | undefined {
    for (;;) {
      if (taker.remaining === 0) return CLOSE.filled;
      const [maker] = this.#facing(taker);
      if (maker === undefined) return undefined;
      if (isOwn(maker, taker.holding)) {
        if (GOES[selfTrade]?.maker) this.closeOrder(maker.order, CLOSE.selfTrade);
        if (GOES[selfTrade]?.taker) return CLOSE.selfTrade;
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
