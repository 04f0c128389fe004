/**
 * The exchange's open orders of one replayed market, by price and time.
 *
 * HOT: each requote changes this twice (bench/replay.ts).
 *
 * Invariants: own orders of all accounts never cross each other, so a level holds own bids or own asks but not both.
 * The flag `own` is set exactly at prices with own orders. `ownBid` 0 and `ownAsk` 10000 mean an empty side.
 */
import { ascending, FULL_BPS } from '../domain/index.ts';
import { type BookOptions, CLOSE, isBidKind, LevelQueues, type MatchSink } from '../exchange/index.ts';
import { SIDE } from '../tape/index.ts';
import { LEVEL_FLAG, type LevelFlags } from './level-flags.ts';
import type { Replay } from './replay.ts';

export class OwnQueues extends LevelQueues {
  /** Cached `bestBid` and `bestAsk`. Only this class writes them. */
  ownBid = 0;
  ownAsk: number = FULL_BPS;
  /** 1 while the taker is a SELL, otherwise 0. The code that enters the taker sets this field. */
  takerSells = 0;
  readonly #sink: MatchSink;
  readonly #market: number;
  readonly #levelFlags: LevelFlags;
  readonly #replay: Replay;

  constructor({ slots, sink, number }: BookOptions, tickBps: number, levelFlags: LevelFlags, replay: Replay) {
    super(slots, tickBps);
    this.#sink = sink;
    this.#market = number;
    this.#levelFlags = levelFlags;
    this.#replay = replay;
  }

  remaining(slot: number): number {
    return this.slots.remaining(slot);
  }

  orderNumber(slot: number): number {
    return this.slots.order(slot);
  }

  priceAt(slot: number): number {
    return this.slots.level(slot) * this.tickBps;
  }

  /** Returns the next slot in the queue of its price; 0 if it is the last. */
  behind(slot: number): number {
    return this.slots.behind(slot);
  }

  isBid(slot: number): boolean {
    return isBidKind(this.slots.kind(slot));
  }

  belongsTo(slot: number, holding: number): boolean {
    return this.slots.holding(slot) === holding;
  }

  isOpen(slot: number, order: number): boolean {
    return this.slots.find(order) === slot;
  }

  /** Appends an order to the queue of its price. @param front outside micro-shares before the order */
  rest(order: number, kind: number, price: number, shares: number, holding: number, front: number): void {
    const level = price / this.tickBps;
    const isBid = isBidKind(kind);
    const last = this.lastOf(level);
    const slot = this.slots.open(order, holding, this.#market, level, kind, shares, last);
    const { positions, now, incomingOrder } = this.#replay;
    positions.open(slot, incomingOrder, front, last === 0 ? 0 : positions.printed[last]!, now);
    this.append(slot, level, kind, shares);
    if (last === 0) {
      this.#levelFlags.set(price, isBid ? SIDE.bid : SIDE.ask, LEVEL_FLAG.own);
      this.#cacheBest();
    }
    this.#sink.rested(slot, shares, price);
  }

  /** Fills a resting order at its own price. @returns whether the sink requests a pause */
  fill(slot: number, shares: number): boolean {
    const { slots } = this;
    const left = slots.remaining(slot) - shares;
    const level = slots.level(slot);
    slots.setRemaining(slot, left);
    this.shares[level]! -= shares;
    this.#replay.slot = slot;
    const mustPause = this.#sink.filled(slot, level * this.tickBps, shares, (slots.kind(slot) & 1) + this.takerSells);
    if (left === 0) this.close(slot, CLOSE.filled);
    return mustPause;
  }

  close(slot: number, reason: number): void {
    const { slots } = this;
    const level = slots.level(slot);
    const unfilled = slots.remaining(slot);
    this.unlink(slot, unfilled);
    if (this.head[level] === 0) {
      this.#levelFlags.unset(level * this.tickBps, isBidKind(slots.kind(slot)) ? SIDE.bid : SIDE.ask, LEVEL_FLAG.own);
      this.#cacheBest();
    }
    this.#sink.closed(slot, unfilled, reason, level * this.tickBps);
    slots.close(slot);
  }

  reduce(slot: number, by: number): void {
    const { slots } = this;
    const left = slots.remaining(slot) - by;
    if (left <= 0) {
      this.close(slot, CLOSE.user);
      return;
    }
    slots.setRemaining(slot, left);
    this.shares[slots.level(slot)]! -= by;
    this.#sink.reduced(slot, left, this.priceAt(slot));
  }

  /** Returns all slots, by ascending price, then in order of arrival. */
  inOrder(): number[] {
    const ordered: number[] = [];
    for (let price = this.priceAbove(0); price < FULL_BPS; price = this.priceAbove(price)) {
      for (let slot = this.firstAt(price); slot !== 0; slot = this.slots.behind(slot)) ordered.push(slot);
    }
    return ordered;
  }

  /** Closes all orders in order of arrival. */
  closeAll(reason: number): void {
    const { slots } = this;
    for (const slot of this.inOrder().sort((a, b) => ascending(slots.order(a), slots.order(b))))
      this.close(slot, reason);
  }

  /** Advances all orders at a price by outside shares that were before them. */
  advanceAt(price: number, shares: number): void {
    const { front } = this.#replay.positions;
    for (let slot = this.firstAt(price); slot !== 0; slot = this.behind(slot))
      front[slot] = Math.max(0, front[slot]! - shares);
  }

  #cacheBest(): void {
    this.ownBid = this.bestBid;
    this.ownAsk = this.bestAsk;
  }
}
