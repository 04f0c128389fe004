/**
 * Open orders of all books of one exchange: a column per property, a slot per order, found by the order's number.
 *
 * HOT: every command passes here. Columns instead of objects: nothing is allocated per order and neighbours share
 * cache lines. Finding, closing, finding and opening cost 15 to 23 ns at 10,000 orders, 85 with a Map of slots; 230 to
 * 300 ns at 1M, with a Map 580 to 680. Timed as part of bench/matching.ts.
 *
 * Invariants: slot 0 is nobody's and means "none" in every link; a slot is either open (its number is in its bucket's
 * chain) or free (on the free list, linked by `behind`); columns are replaced when they grow, so they are read anew
 * after `open`.
 */
import { InputFault } from '../domain/index.ts';

/** More would not fit into the links. */
const MAX_CAPACITY = 1 << 26;
const BUCKETS_PER_SLOT = 4;

/** The open orders: `find`, `open` and `close` a slot; what is in it is read and written by the books. */
export class OrderSlots {
  /** The order's number: a positive safe integer, unique among the open ones. */
  order: Float64Array;
  /** Micro-shares, as float64 integers. */
  remaining: Float64Array;
  /** Number of the book it rests in. */
  book: Int32Array;
  /** Price level in that book. */
  level: Uint16Array;
  /** A code of `ORDER_KIND`. */
  kind: Uint8Array;
  /** The slot next in front, in the queue of the level. */
  ahead: Int32Array;
  /** The slot next behind. */
  behind: Int32Array;
  /** The next slot in the chain of the same bucket. */
  #chain: Int32Array;
  /**
   * First slot of each chain. The bucket is the number's low bits: as orders are numbered upwards, chains are as short
   * as can be and orders placed together lie together. Four buckets a slot, so that most chains hold one order.
   */
  #bucket: Int32Array;
  #bucketMask: number;
  #free = 0;
  #highest = 0;
  #size = 0;

  /** @param capacity open orders that fit before the columns must grow (which doubles and copies them); default 1023 */
  constructor(capacity = 1023) {
    if (!Number.isInteger(capacity) || capacity < 1 || capacity >= MAX_CAPACITY) {
      throw new InputFault('capacity of orders', capacity, `an integer from 1 to ${MAX_CAPACITY - 1}`);
    }
    const length = 2 << (31 - Math.clz32(capacity));
    this.order = new Float64Array(length);
    this.remaining = new Float64Array(length);
    this.book = new Int32Array(length);
    this.level = new Uint16Array(length);
    this.kind = new Uint8Array(length);
    this.ahead = new Int32Array(length);
    this.behind = new Int32Array(length);
    this.#chain = new Int32Array(length);
    this.#bucket = new Int32Array(BUCKETS_PER_SLOT * length);
    this.#bucketMask = this.#bucket.length - 1;
  }

  /** How many orders are open, in all books. */
  get size(): number {
    return this.#size;
  }

  /** The slot of an open order; 0 when there is none. */
  find(order: number): number {
    let slot = this.#bucket[order & this.#bucketMask]!;
    while (slot !== 0 && this.order[slot] !== order) slot = this.#chain[slot]!;
    return slot;
  }

  /** A slot for a number that `find` does not know; its other columns hold what was there before. */
  open(order: number): number {
    let slot = this.#free;
    if (slot !== 0) this.#free = this.behind[slot]!;
    else {
      if (this.#highest === this.order.length - 1) this.#grow();
      slot = ++this.#highest;
    }
    this.order[slot] = order;
    this.#chain[slot] = this.#bucket[order & this.#bucketMask]!;
    this.#bucket[order & this.#bucketMask] = slot;
    this.#size++;
    return slot;
  }

  /** Forgets the order and frees its slot. */
  close(slot: number): void {
    const bucket = this.order[slot]! & this.#bucketMask;
    const first = this.#bucket[bucket]!;
    if (first === slot) this.#bucket[bucket] = this.#chain[slot]!;
    else {
      let before = first;
      while (this.#chain[before] !== slot) before = this.#chain[before]!;
      this.#chain[before] = this.#chain[slot]!;
    }
    this.behind[slot] = this.#free;
    this.#free = slot;
    this.#size--;
  }

  /** Doubles every column. Called only when each slot is open. */
  #grow(): void {
    const length = 2 * this.order.length;
    if (length > MAX_CAPACITY) throw new RangeError(`Invariant: more than ${this.#highest} open orders`);
    this.order = copied(this.order, new Float64Array(length));
    this.remaining = copied(this.remaining, new Float64Array(length));
    this.book = copied(this.book, new Int32Array(length));
    this.level = copied(this.level, new Uint16Array(length));
    this.kind = copied(this.kind, new Uint8Array(length));
    this.ahead = copied(this.ahead, new Int32Array(length));
    this.behind = copied(this.behind, new Int32Array(length));
    this.#chain = new Int32Array(length);
    this.#bucket = new Int32Array(BUCKETS_PER_SLOT * length);
    this.#bucketMask = this.#bucket.length - 1;
    for (let slot = 1; slot <= this.#highest; slot++) {
      const bucket = this.order[slot]! & this.#bucketMask;
      this.#chain[slot] = this.#bucket[bucket]!;
      this.#bucket[bucket] = slot;
    }
  }
}

function copied<Column extends { set(from: Column): void }>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
