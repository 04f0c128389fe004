/**
 * One market's ladder in YES terms: a queue of open orders at each price level, which levels are best, and what anyone may
 * read of it.
 *
 * HOT: the exchange's inner loop; part of bench/matching.ts. The book inherits from it instead of holding it, as one way
 * less through memory is 2 ns an operation.
 *
 * Invariants: level `l` is the price `l * tick`, so 10,000 markets cost what their ticks need; the book is never crossed
 * at rest, so a level holds bids or asks but not both, and one queue and one bit a level serve both; levels 0 and `end`
 * are the payouts, where no order rests and every search ends. Columns are made with the first order and given back by
 * `clear`: a market without orders takes 0.15 KB, one with orders 20 bytes a level and 1 KB besides.
 */
import { FULL_BPS, InputFault, Occupancy } from '../../domain/index.ts';
import { isBidKind } from './codes.ts';
import type { OrderSlots } from './order-slots.ts';

const NO_ROWS = new Int32Array(0);
const NO_SHARES = new Float64Array(0);
const NOBODY = new Occupancy(1);

/** Queues by level, and the book as it is: prices are YES bps, sizes micro-shares. */
export class Ladder {
  /** Distance of neighbouring prices in bps. */
  declare readonly tickBps: number;
  declare protected readonly slots: OrderSlots;
  /** The payout over the highest level. */
  declare protected readonly end: number;
  /** A price below 2^14 divided by the tick is `price * scale >>> shift`: a division takes ten times as long. */
  declare private readonly scale: number;
  declare private readonly shift: number;
  /** Best levels; 0 and `end` where there is none. */
  protected bidLevel = 0;
  declare protected askLevel: number;
  /** First and last slot of each level's queue. */
  protected head: Int32Array = NO_ROWS;
  protected tail: Int32Array = NO_ROWS;
  /** Orders and micro-shares of each level. */
  protected count: Int32Array = NO_ROWS;
  protected shares: Float64Array = NO_SHARES;
  #occupied = NOBODY;

  /** @param tickBps a divisor of 10000 under 10000 */
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

  /** Highest bid; 0 when there is none. */
  get bestBid(): number {
    return this.bidLevel * this.tickBps;
  }

  /** Lowest ask; 10000 when there is none. */
  get bestAsk(): number {
    return this.askLevel * this.tickBps;
  }

  /** Micro-shares at a price. */
  sharesAt(price: number): number {
    return this.shares[price / this.tickBps] ?? 0;
  }

  /** Open orders at a price; 0 for none. */
  orderCountAt(price: number): number {
    return this.count[price / this.tickBps] ?? 0;
  }

  /** The slot that is first in time at a price, `behind` leads on; 0 when the level is empty. */
  firstAt(price: number): number {
    return this.head[price / this.tickBps] ?? 0;
  }

  /** The next price under `price` that holds orders; 0 when there is none. */
  priceBelow(price: number): number {
    return price <= this.tickBps ? 0 : this.levelBelow(Math.ceil(price / this.tickBps)) * this.tickBps;
  }

  /** The next price over `price` that holds orders; 10000 when there is none. */
  priceAbove(price: number): number {
    const last = FULL_BPS - this.tickBps;
    return price >= last ? FULL_BPS : this.levelAbove(Math.floor(price / this.tickBps)) * this.tickBps;
  }

  /**
   * Micro-shares that wait before an open order of this book at its price. It is walked from the order both ways, until one
   * end is reached: for the first and the last of a long queue that is at once.
   */
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

  /** See `Book.levelFor`. */
  levelFor(kind: number, price: number, shares: number): number {
    const own = this.levelOf(price);
    // False for every number that is not a price of this ladder, including NaN.
    if (own * this.tickBps !== price || own < 1 || own >= this.end) return -1;
    const level = this.turned(kind, own);
    return this.hasRoom(level, shares) ? level : -1;
  }

  /** Only the exchange's own orders are in this book. */
  recordedFront(_slot: number): number {
    return 0;
  }

  /** The next level with orders over `level`, which is less than `end`; `end` when there is none. */
  protected levelAbove(level: number): number {
    return this.head.length === 0 ? this.end : this.#occupied.above(level);
  }

  /** The next level with orders under `level`, which is more than 0; 0 when there is none. */
  protected levelBelow(level: number): number {
    return this.head.length === 0 ? 0 : this.#occupied.below(level);
  }

  /** A level in the terms of the kind's outcome, as one in YES terms: `end - level` for NO. All bits are turned or none. */
  protected turned(kind: number, level: number): number {
    const bits = (kind << 30) >> 31;
    return ((level ^ bits) + (bits & (this.end + 1))) | 0;
  }

  /** The level of a price within the ladder that is on the tick. */
  protected levelOf(price: number): number {
    return Math.imul(price, this.scale) >>> this.shift;
  }

  /** Whether an order with such a limit meets the other side: as `isBid ? ask <= level : bid >= level`, without a branch. */
  protected meets(kind: number, level: number): boolean {
    const isAsk = (kind ^ (kind >> 1)) & 1;
    const { bidLevel, askLevel } = this;
    const other = askLevel ^ ((askLevel ^ bidLevel) & -isAsk);
    return ((other - level) ^ -isAsk) + isAsk <= 0;
  }

  /** Whether the total of a level stays exact with so much more. */
  protected hasRoom(level: number, shares: number): boolean {
    return this.shares.length === 0 || this.shares[level]! + shares <= Number.MAX_SAFE_INTEGER;
  }

  /** The slot that waits last at a level; 0 when none does. */
  protected lastOf(level: number): number {
    if (this.tail.length === 0) this.#make();
    return this.tail[level]!;
  }

  /** Counts an open slot that was put behind `lastOf` its level. */
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

  /** Counts a slot out of its queue that is about to be closed. */
  protected unlink(slot: number, shares: number): void {
    const { slots } = this;
    const level = slots.level(slot);
    const before = slots.ahead(slot);
    const after = slots.behind(slot);
    this.count[level]!--;
    this.shares[level]! -= shares;
    if (before === 0) this.head[level] = after;
    if (after === 0) this.tail[level] = before;
    if (before === 0 && after === 0) this.#vacate(level);
  }

  /** Makes `slot` the front of a level after the slots before it were closed; 0 if all were. */
  protected advance(level: number, slot: number): void {
    this.head[level] = slot;
    if (slot === 0) {
      this.tail[level] = 0;
      this.#vacate(level);
    }
  }

  /** Forgets all orders. The caller has freed their slots. */
  protected clear(): void {
    this.head = NO_ROWS;
    this.tail = NO_ROWS;
    this.count = NO_ROWS;
    this.shares = NO_SHARES;
    this.#occupied = NOBODY;
    this.bidLevel = 0;
    this.askLevel = this.end;
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
    if (level === this.bidLevel) this.bidLevel = this.#occupied.below(level);
    else if (level === this.askLevel) this.askLevel = this.#occupied.above(level);
  }
}
