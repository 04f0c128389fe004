/**
 * One market's queues of open orders, a queue a price level, and which levels are best.
 *
 * HOT: the exchange's inner loop; part of bench/matching.ts.
 *
 * Invariants: level `l` is the price `l * tick`, so 10,000 markets cost what their ticks need; the book is never crossed
 * at rest, so a level holds bids or asks but not both, and one queue and one bit a level serve both; levels 0 and `end`
 * are the payouts, where nobody rests and every search ends. The columns are made with the first order and given back
 * by `clear`: of a market without orders only this object is there.
 */
import { Occupancy } from '../../domain/index.ts';
import type { OrderSlots } from './order-slots.ts';

const NO_ROWS = new Int32Array(0);
const NO_SHARES = new Float64Array(0);
const NOBODY = new Occupancy(1);

/** Queues by level: append, unlink, and what the match takes from the front. */
export class LevelQueues {
  /** The payout over the highest level. */
  readonly end: number;
  /** Best levels; 0 and `end` where there is none. */
  bestBid = 0;
  bestAsk: number;
  /** First and last slot of each level's queue. */
  head: Int32Array = NO_ROWS;
  tail: Int32Array = NO_ROWS;
  /** Orders and micro-shares of each level. */
  count: Int32Array = NO_ROWS;
  shares: Float64Array = NO_SHARES;
  #occupied = NOBODY;
  readonly #slots: OrderSlots;

  constructor(slots: OrderSlots, end: number) {
    this.#slots = slots;
    this.end = end;
    this.bestAsk = end;
  }

  /** The next level with orders over `level`, which is less than `end`; `end` when there is none. */
  above(level: number): number {
    return this.head.length === 0 ? this.end : this.#occupied.above(level);
  }

  /** The next level with orders under `level`, which is more than 0; 0 when there is none. */
  below(level: number): number {
    return this.head.length === 0 ? 0 : this.#occupied.below(level);
  }

  /** Micro-shares of a level. */
  sharesOf(level: number): number {
    return this.head.length === 0 ? 0 : this.shares[level]!;
  }

  /** Puts an open slot at the end of the queue of its level. */
  append(slot: number, level: number, isBid: boolean, shares: number): void {
    if (this.head.length === 0) this.#make();
    const { ahead, behind } = this.#slots;
    const last = this.tail[level]!;
    ahead[slot] = last;
    behind[slot] = 0;
    this.tail[level] = slot;
    this.count[level]!++;
    this.shares[level]! += shares;
    if (last !== 0) behind[last] = slot;
    else {
      this.head[level] = slot;
      this.#occupied.set(level);
      if (isBid) {
        if (level > this.bestBid) this.bestBid = level;
      } else if (level < this.bestAsk) this.bestAsk = level;
    }
  }

  /** Takes a slot out of its queue. */
  unlink(slot: number): void {
    const { ahead, behind, level: levels, remaining } = this.#slots;
    const level = levels[slot]!;
    const before = ahead[slot]!;
    const after = behind[slot]!;
    this.count[level]!--;
    this.shares[level]! -= remaining[slot]!;
    if (before === 0) this.head[level] = after;
    else behind[before] = after;
    if (after === 0) this.tail[level] = before;
    else ahead[after] = before;
    if (before === 0 && after === 0) this.#vacate(level);
  }

  /** Makes `slot` the front of a level, whose slots before it are gone; 0 when all are. */
  advance(level: number, slot: number): void {
    this.head[level] = slot;
    this.#slots.ahead[slot] = 0;
    if (slot === 0) {
      this.tail[level] = 0;
      this.#vacate(level);
    }
  }

  /** Forgets all orders, whose slots somebody else has freed. */
  clear(): void {
    this.head = NO_ROWS;
    this.tail = NO_ROWS;
    this.count = NO_ROWS;
    this.shares = NO_SHARES;
    this.#occupied = NOBODY;
    this.bestBid = 0;
    this.bestAsk = this.end;
  }

  #make(): void {
    const rows = this.end + 1;
    const bytes = new ArrayBuffer(20 * rows);
    this.shares = new Float64Array(bytes, 0, rows);
    this.head = new Int32Array(bytes, 8 * rows, rows);
    this.tail = new Int32Array(bytes, 12 * rows, rows);
    this.count = new Int32Array(bytes, 16 * rows, rows);
    this.#occupied = new Occupancy(this.end);
  }

  /** Marks a level that has just emptied; the next best takes the place of the best. */
  #vacate(level: number): void {
    this.#occupied.clear(level);
    if (level === this.bestBid) this.bestBid = this.#occupied.below(level);
    else if (level === this.bestAsk) this.bestAsk = this.#occupied.above(level);
  }
}
