/**
 * The twin of `MatchingBook`: the same rules in the plainest form, one list of orders in time, filtered and sorted for
 * each command. Slow, without state to get out of step; the fast book has to agree with it after every command.
 */
import { MAX_ORDER_SHARES, priceBps, yesPrice, yesSign } from '../../../src/domain/index.ts';
import { ANSWER, CLOSE, FORCE, type Hash, MATCH, ORDER_KINDS, StateHash } from '../../../src/exchange/index.ts';
import type { EventRows } from './event-log.ts';

export interface Resting {
  readonly order: number;
  readonly kind: number;
  readonly isBid: boolean;
  /** YES bps. */
  readonly price: number;
  remaining: number;
}

export class NaiveBook {
  readonly #sink: EventRows;
  readonly #tickBps: number;
  #resting: Resting[] = [];

  constructor(sink: EventRows, tickBps: number) {
    this.#sink = sink;
    this.#tickBps = tickBps;
  }

  /** Open orders in order of time. */
  get resting(): readonly Resting[] {
    return this.#resting;
  }

  place(order: number, kind: number, force: number, price: number, shares: number): number {
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
    const limit = yesPrice(words.outcome, priceBps(price));
    const facing = this.#resting
      .filter((maker) => maker.isBid !== isBid && (isBid ? maker.price <= limit : maker.price >= limit))
      .toSorted((a, b) => (isBid ? a.price - b.price : b.price - a.price));
    if (force === FORCE.postOnly && facing.length > 0) return ANSWER.postOnlyWouldCross;
    if (force === FORCE.fok && sum(facing) < shares) return ANSWER.fokNotFillable;
    const mayRest = force === FORCE.gtc || force === FORCE.postOnly;
    const level = this.#resting.filter((other) => other.price === limit && other.isBid === isBid);
    if (mayRest && facing.length === 0 && sum(level) + shares > Number.MAX_SAFE_INTEGER) return ANSWER.aboveMax;

    const taker: Resting = { order, kind, isBid, price: limit, remaining: shares };
    for (const maker of facing) if (taker.remaining > 0) this.#trade(maker, taker);
    if (taker.remaining === 0) this.#sink.closed(order, 0, CLOSE.filled);
    else if (mayRest) {
      this.#resting.push(taker);
      this.#sink.rested(order, taker.remaining);
    } else this.#sink.closed(order, taker.remaining, CLOSE.fakRemainder);
    return ANSWER.done;
  }

  cancel(order: number): number {
    const found = this.#resting.find((other) => other.order === order);
    if (found === undefined) return ANSWER.notFound;
    this.#resting = this.#resting.filter((other) => other !== found);
    this.#sink.closed(order, found.remaining, CLOSE.user);
    return ANSWER.done;
  }

  reduceOrder(order: number, by: number): number {
    const found = this.#resting.find((other) => other.order === order);
    if (found === undefined) return ANSWER.notFound;
    if (!isWholeLots(by)) return ANSWER.invalidLot;
    if (by >= found.remaining) return this.cancel(order);
    found.remaining -= by;
    this.#sink.reduced(order, found.remaining);
    return ANSWER.done;
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
      for (const { order, kind, remaining } of orders) {
        hash.add(order);
        hash.add(kind);
        hash.add(remaining);
        hash.add(0);
      }
    }
    return hash.digest();
  }

  #trade(maker: Resting, taker: Resting): void {
    const shares = Math.min(maker.remaining, taker.remaining);
    maker.remaining -= shares;
    taker.remaining -= shares;
    this.#sink.traded(maker.order, taker.order, maker.price, shares, matchOf(maker.kind, taker.kind));
    if (maker.remaining > 0) return;
    this.#resting = this.#resting.filter((other) => other !== maker);
    this.#sink.closed(maker.order, 0, CLOSE.filled);
  }
}

/** What venue.md 2 calls the match of two kinds of order. */
export function matchOf(maker: number, taker: number): number {
  const sides = `${ORDER_KINDS[maker]?.side} ${ORDER_KINDS[taker]?.side}`;
  return sides === 'BUY BUY' ? MATCH.mint : sides === 'SELL SELL' ? MATCH.merge : MATCH.normal;
}

function isWholeLots(shares: number): boolean {
  return Number.isSafeInteger(shares) && shares > 0 && shares % 10_000 === 0;
}

function sum(orders: readonly Resting[]): number {
  return orders.reduce((total, { remaining }) => total + remaining, 0);
}
