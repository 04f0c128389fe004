/**
 * One market's open orders in YES terms: a queue at each price level, and the best levels.
 *
 * HOT: the exchange's inner loop (bench/matching.ts). The book inherits from this class, because a reference to an
 * object would cost 2 ns an operation. Fields are declared for speed (docs/decisions/0017).
 *
 * Invariants: level `l` is the price `l * tick`. The book is never crossed at rest, so a level holds bids or asks but
 * not both. Levels 0 and `end` are the payouts: no order rests there, and every search ends there. The first order
 * allocates the columns and `clear` frees them: a market takes 0.15 KB without orders, else 1 KB and 20 bytes a level.
 */
import { FULL_BPS, InputFault, Occupancy } from '../../domain/index.ts';
import { isBidKind } from './codes.ts';
import type { OrderSlots } from './order-slots.ts';

const NO_SLOTS = new Int32Array(0);
const NO_SHARES = new Float64Array(0);
const NO_LEVELS = new Occupancy(1);

/** Prices are YES bps, sizes micro-shares. `Book` documents the public members. */
export class LevelQueues {
  declare readonly tickBps: number;
  declare protected readonly slots: OrderSlots;
  /** The level of price 10000. */
  declare protected readonly end: number;
  /** A price below 2^14 divided by the tick is `price * scale >>> shift`, ten times faster than a division. */
  declare private readonly scale: number;
  declare private readonly shift: number;
  /** Best levels; 0 if there are no bids, `end` if there are no asks. */
  protected bidLevel = 0;
  declare protected askLevel: number;
  /** First and last slot of each level's queue. */
  protected head: Int32Array = NO_SLOTS;
  protected tail: Int32Array = NO_SLOTS;
  /** Number of orders and micro-shares of each level. */
  protected count: Int32Array = NO_SLOTS;
  protected shares: Float64Array = NO_SHARES;
  #occupied = NO_LEVELS;

  /** @param tickBps a divisor of 10000, below 10000 */
  constructor(slots: OrderSlots, tickBps: number) {
    if (!Number.isInteger(tickBps) || tickBps < 1 || tickBps >= FULL_BPS || FULL_BPS % tickBps !== 0) {
      throw new InputFault('tickBps', tickBps, 'a divisor of 10000 from 1 to 5000');
    }
    this.tickBps = tickBps;
    this.slots = slots;
    this.end = FULL_BPS / tickBps;
    this.askLevel = this.end;
    this.shift = 14 + 32 - Math.clz32(tickBps - 1);
    this.scale = Math.ceil((1 << this.shift) / tickBps);
  }

  get bestBid(): number {
    return this.bidLevel * this.tickBps;
  }

  get bestAsk(): number {
    return this.askLevel * this.tickBps;
  }

  sharesAt(price: number): number {
    return this.shares[price / this.tickBps] ?? 0;
  }

  orderCountAt(price: number): number {
    return this.count[price / this.tickBps] ?? 0;
  }

  firstAt(price: number): number {
    return this.head[price / this.tickBps] ?? 0;
  }

  priceBelow(price: number): number {
    return price <= this.tickBps ? 0 : this.levelBelow(Math.ceil(price / this.tickBps)) * this.tickBps;
  }

  priceAbove(price: number): number {
    const last = FULL_BPS - this.tickBps;
    return price >= last ? FULL_BPS : this.levelAbove(Math.floor(price / this.tickBps)) * this.tickBps;
  }

  /** Returns the micro-shares before an open order. Walks in both directions to the nearer end of the queue. */
  queueAhead(slot: number): number {
    const { slots } = this;
    let [ahead, behind] = [slots.ahead(slot), slots.behind(slot)];
    let [before, after] = [0, 0];
    while (ahead !== 0 && behind !== 0) {
      before += slots.remaining(ahead);
      after += slots.remaining(behind);
      ahead = slots.ahead(ahead);
      behind = slots.behind(behind);
    }
    return ahead === 0 ? before : (this.shares[slots.level(slot)] ?? 0) - slots.remaining(slot) - after;
  }

  levelFor(kind: number, price: number, shares: number): number {
    const ownLevel = this.levelOf(price);
    // True for every number that is not a price of this book, including NaN.
    if (ownLevel * this.tickBps !== price || ownLevel < 1 || ownLevel >= this.end) return -1;
    const level = this.toYesLevel(kind, ownLevel);
    return this.hasRoom(level, shares) ? level : -1;
  }

  /** Returns 0, because this book has no recorded market. */
  recordedAhead(_slot: number): number {
    return 0;
  }

  /** Returns the next level with orders above `level` (below `end`); `end` if there is none. */
  protected levelAbove(level: number): number {
    return this.head.length === 0 ? this.end : this.#occupied.above(level);
  }

  /** Returns the next level with orders below `level` (above 0); 0 if there is none. */
  protected levelBelow(level: number): number {
    return this.head.length === 0 ? 0 : this.#occupied.below(level);
  }

  /** Converts a level from the terms of the kind's outcome to YES terms: `end - level` for NO, without a branch. */
  protected toYesLevel(kind: number, level: number): number {
    const bits = (kind << 30) >> 31;
    return ((level ^ bits) + (bits & (this.end + 1))) | 0;
  }

  /** Returns the level of a valid price. */
  protected levelOf(price: number): number {
    return Math.imul(price, this.scale) >>> this.shift;
  }

  /** Returns whether an order with this limit crosses: `isBid ? ask <= level : bid >= level`, without a branch. */
  protected crosses(kind: number, level: number): boolean {
    const isAsk = (kind ^ (kind >> 1)) & 1;
    const { bidLevel, askLevel } = this;
    const other = askLevel ^ ((askLevel ^ bidLevel) & -isAsk);
    return ((other - level) ^ -isAsk) + isAsk <= 0;
  }

  /** Returns whether the total of a level stays exact with `shares` more. */
  protected hasRoom(level: number, shares: number): boolean {
    return this.shares.length === 0 || this.shares[level]! + shares <= Number.MAX_SAFE_INTEGER;
  }

  /** Returns the last slot at a level; 0 if the level is empty. Allocates the columns before the first order. */
  protected lastOf(level: number): number {
    if (this.tail.length === 0) this.#allocate();
    return this.tail[level]!;
  }

  /** Adds an open slot to its level, behind `lastOf`. */
  protected append(slot: number, level: number, kind: number, shares: number): void {
    this.tail[level] = slot;
    this.count[level]!++;
    this.shares[level]! += shares;
    if (this.count[level] === 1) {
      this.head[level] = slot;
      this.#occupied.set(level);
      if (isBidKind(kind)) {
        if (level > this.bidLevel) this.bidLevel = level;
      } else if (level < this.askLevel) this.askLevel = level;
    }
  }

  /** Removes a slot from its level before it is closed. */
  protected unlink(slot: number, shares: number): void {
    const { slots } = this;
    const level = slots.level(slot);
    const before = slots.ahead(slot);
    const after = slots.behind(slot);
    this.count[level]!--;
    this.shares[level]! -= shares;
    if (before === 0) this.head[level] = after;
    if (after === 0) this.tail[level] = before;
    if (before === 0 && after === 0) this.#markEmpty(level);
  }

  /** Makes `slot` the first of a level after all earlier orders were closed; 0 if no order is left. */
  protected setFirst(level: number, slot: number): void {
    this.head[level] = slot;
    if (slot === 0) {
      this.tail[level] = 0;
      this.#markEmpty(level);
    }
  }

  /** Removes all orders. The caller has freed their slots. */
  protected clear(): void {
    this.head = NO_SLOTS;
    this.tail = NO_SLOTS;
    this.count = NO_SLOTS;
    this.shares = NO_SHARES;
    this.#occupied = NO_LEVELS;
    this.bidLevel = 0;
    this.askLevel = this.end;
  }

  #allocate(): void {
    const rows = this.end + 1;
    const bytes = new ArrayBuffer(20 * rows);
    this.shares = new Float64Array(bytes, 0, rows);
    this.head = new Int32Array(bytes, 8 * rows, rows);
    this.tail = new Int32Array(bytes, 12 * rows, rows);
    this.count = new Int32Array(bytes, 16 * rows, rows);
    this.#occupied = new Occupancy(this.end);
  }

  #markEmpty(level: number): void {
    this.#occupied.clear(level);
    if (level === this.bidLevel) this.bidLevel = this.#occupied.below(level);
    else if (level === this.askLevel) this.askLevel = this.#occupied.above(level);
  }
}
