/**
 * Open orders of all books of one exchange: a column per property, a slot per order, found by the order's number.
 *
 * HOT: every command passes here. Columns instead of objects: nothing is allocated per order and neighbours share
 * cache lines. Finding, closing, finding and opening cost 15 to 23 ns at 10,000 orders, 85 with a Map of slots; 230 to
 * 300 ns at 1M, with a Map 580 to 680. Timed as part of bench/matching.ts.
 *
 * Invariants: slot 0 is nobody's and means "none" in every link; a slot is either open (its number is in its bucket's
 * chain, its slot in its holding's list) or free (on the free list, linked by `behind`); columns are replaced when they
 * grow, so they are read anew after `open`.
 */
import { InputFault } from '../../domain/index.ts';

/** More would not fit into the links. */
const MAX_CAPACITY = 1 << 26;
const BUCKETS_PER_SLOT = 4;

/**
 * Places of an order's notes: the credential it came by and its order group, 0 for none; when a GTD is over in epoch
 * milliseconds, 0 for the others; number of the event that last filled it, 0 for none. In one row, as they are written
 * and read together: a cold cache line an order instead of four.
 */
export const NOTE = { credential: 0, group: 1, expiration: 2, lastFill: 3 } as const;

/** Where an order's notes begin. */
export function noteOf(slot: number): number {
  return slot << 2;
}

/** The open orders: `find`, `open` and `close` a slot; what is in it is read and written by the books and their sink. */
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
  /** The owner's holding: account and market; 0 for none. */
  holding: Int32Array;
  /** The next open order of the holding, in order of arrival. */
  nextOfHolding: Int32Array;
  /** The one before. */
  beforeOfHolding: Int32Array;
  /** What the books do not know, four numbers an order side by side: `noteOf(slot)`, then a place of `NOTE`. */
  notes: Float64Array;
  /** The next slot in the chain of the same bucket. */
  #chain: Int32Array;
  /**
   * First slot of each chain. The bucket is the number's low bits: as orders are numbered upwards, chains are as short
   * as can be and orders placed together lie together. Four buckets a slot, so that most chains hold one order.
   */
  #bucket: Int32Array;
  #bucketMask: number;
  /** First and last open order of each holding. */
  #firstOf: Int32Array;
  #lastOf: Int32Array;
  #free = 0;
  #highest = 0;
  #size = 0;

  /**
   * @param capacity open orders that fit before the columns must grow (which doubles and copies them); default 1023
   * @param holdings numbers of holdings that fit before their lists must grow; default 1023
   */
  constructor(capacity = 1023, holdings = 1023) {
    const length = lengthFor('capacity of orders', capacity);
    this.order = new Float64Array(length);
    this.remaining = new Float64Array(length);
    this.book = new Int32Array(length);
    this.level = new Uint16Array(length);
    this.kind = new Uint8Array(length);
    this.ahead = new Int32Array(length);
    this.behind = new Int32Array(length);
    this.holding = new Int32Array(length);
    this.nextOfHolding = new Int32Array(length);
    this.beforeOfHolding = new Int32Array(length);
    this.notes = new Float64Array(4 * length);
    this.#chain = new Int32Array(length);
    this.#bucket = new Int32Array(BUCKETS_PER_SLOT * length);
    this.#bucketMask = this.#bucket.length - 1;
    this.#firstOf = new Int32Array(lengthFor('capacity of holdings', holdings));
    this.#lastOf = new Int32Array(this.#firstOf.length);
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

  /** The open order of a holding that came first; `nextOfHolding` leads on. 0 when there is none. */
  firstOf(holding: number): number {
    return holding < this.#firstOf.length ? this.#firstOf[holding]! : 0;
  }

  /**
   * A slot for a number that `find` does not know, the last of its holding; its other columns hold what was there before.
   * @param holding 0 … 2^26 - 1; 0 is nobody's and has no list
   */
  open(order: number, holding: number): number {
    let slot = this.#free;
    if (slot !== 0) this.#free = this.behind[slot]!;
    else {
      if (this.#highest === this.order.length - 1) this.#grow();
      slot = ++this.#highest;
    }
    this.order[slot] = order;
    this.#chain[slot] = this.#bucket[order & this.#bucketMask]!;
    this.#bucket[order & this.#bucketMask] = slot;
    this.holding[slot] = holding;
    if (holding !== 0) this.#own(slot, holding);
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
    const holding = this.holding[slot]!;
    if (holding !== 0) this.#disown(slot, holding);
    this.behind[slot] = this.#free;
    this.#free = slot;
    this.#size--;
  }

  /** Puts a slot at the end of its holding's list. */
  #own(slot: number, holding: number): void {
    if (holding >= this.#firstOf.length) this.#growHoldings(holding);
    const last = this.#lastOf[holding]!;
    this.#lastOf[holding] = slot;
    this.beforeOfHolding[slot] = last;
    this.nextOfHolding[slot] = 0;
    if (last === 0) this.#firstOf[holding] = slot;
    else this.nextOfHolding[last] = slot;
  }

  /** Takes a slot out of its holding's list. */
  #disown(slot: number, holding: number): void {
    const before = this.beforeOfHolding[slot]!;
    const next = this.nextOfHolding[slot]!;
    if (before === 0) this.#firstOf[holding] = next;
    else this.nextOfHolding[before] = next;
    if (next === 0) this.#lastOf[holding] = before;
    else this.beforeOfHolding[next] = before;
  }

  #growHoldings(holding: number): void {
    const length = lengthFor('number of a holding', holding);
    this.#firstOf = copied(this.#firstOf, new Int32Array(length));
    this.#lastOf = copied(this.#lastOf, new Int32Array(length));
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
    this.holding = copied(this.holding, new Int32Array(length));
    this.nextOfHolding = copied(this.nextOfHolding, new Int32Array(length));
    this.beforeOfHolding = copied(this.beforeOfHolding, new Int32Array(length));
    this.notes = copied(this.notes, new Float64Array(4 * length));
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

/** The power of two over a highest number. */
function lengthFor(what: string, highest: number): number {
  if (!Number.isInteger(highest) || highest < 1 || highest >= MAX_CAPACITY) {
    throw new InputFault(what, highest, `an integer from 1 to ${MAX_CAPACITY - 1}`);
  }
  return 2 << (31 - Math.clz32(highest));
}

function copied<Column extends { set(from: Column): void }>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
