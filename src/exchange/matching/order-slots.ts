/**
 * Open orders of all books of one exchange: a hash table by order number, with one row of numbers per order.
 *
 * HOT: every command passes here (bench/matching.ts). Nothing is allocated per order, and a row is one cache line.
 *
 * Invariants: slot 0 means "none" in every link. Slots up to the mask are homes. The low bits of an order's number are
 * its home. Other orders of a home get rows behind the homes. FIRST and CHAIN link a home's orders, BEHIND free rows.
 */
import { checkedColumnLength, growFloats, growInts } from '../accounts/columns.ts';
import { MAX_HOLDINGS } from '../accounts/holdings.ts';

/** A row is 64 bytes: floats at `slot << 3`, integers at `slot << 4` in the same memory. Offsets of floats. */
const ORDER = 0;
const REMAINING = 1;
const LAST_FILL = 7;
/** Offsets of integers. */
const BOOK = 4;
/** `level << 2 | kind`. */
const LEVEL_AND_KIND = 5;
const AHEAD = 6;
const BEHIND = 7;
const HOLDING = 8;
const NEXT_OF_HOLDING = 9;
const PREVIOUS_OF_HOLDING = 10;
const FIRST = 11;
const CHAIN = 12;
/** The credential. Stored as its bitwise complement (negative) if the order has a group or an expiration. */
const CREDENTIAL = 13;

/** Maximum number of homes. The rows then take 1 GiB. */
const MAX_ORDERS = 1 << 23;
/** Maximum number of open orders. The rows fit one more, temporary order, even if all orders have the same home. */
export const MAX_OPEN_ORDERS = MAX_ORDERS - 1;
/** Number of floats for one home and one row behind the homes. */
const HOME_FLOATS = 16;

/**
 * Returns the number of homes for `capacity` open orders: the next power of two, or half of it for a table of 0.5 to 2
 * MB. The used rows of these tables then fit into the second-level cache, which makes 10,000 orders 7 to 10 % faster.
 */
export function homesFor(capacity: number, end: number): number {
  const homes = checkedColumnLength('capacity of orders', capacity, end);
  return homes >= 1 << 13 && homes <= 1 << 15 ? homes / 2 : homes;
}

/** Finds, opens and closes slots. Only books write their content. */
export class OrderSlots {
  /** Group and expiration, which few orders have; valid if CREDENTIAL is negative. (`declare`: docs/decisions/0017.) */
  declare private extras: Float64Array;
  declare private floats: Float64Array;
  declare private cells: Int32Array;
  /** Selects the low bits of an order's number: its home. */
  declare private mask: number;
  #free = 0;
  /** First row behind the homes that was never used. `#free` is the start of the list of freed rows. */
  declare private unused: number;
  /** First and last open order of each holding, at `holding << 1` and the next index. */
  declare private ends: Int32Array;
  #size = 0;

  /**
   * @param capacity number of orders before the rows double: 0.1 s for a million. Unused rows take no memory
   * @param holdings number of holdings before the list of their first and last orders grows
   */
  constructor(capacity = 1023, holdings = 1023) {
    const homes = homesFor(capacity, MAX_ORDERS);
    this.mask = homes - 1;
    this.unused = homes;
    this.floats = new Float64Array(HOME_FLOATS * homes);
    this.cells = new Int32Array(this.floats.buffer);
    this.extras = new Float64Array(2 * 2 * homes);
    this.ends = new Int32Array(2 * checkedColumnLength('capacity of holdings', holdings, MAX_HOLDINGS + 1));
  }

  /** Number of rows, used or not. */
  get rows(): number {
    return 2 * (this.mask + 1);
  }

  /** Number of open orders in all books. */
  get size(): number {
    return this.#size;
  }

  /** Returns the order's number: a positive safe integer, unique among open orders. */
  order(slot: number): number {
    return this.floats[(slot << 3) | ORDER]!;
  }

  /** Returns the order's remaining micro-shares. */
  remaining(slot: number): number {
    return this.floats[(slot << 3) | REMAINING]!;
  }

  /** Returns the number of the order's book. */
  book(slot: number): number {
    return this.cells[(slot << 4) | BOOK]!;
  }

  /** Returns the order's price level in the book. */
  level(slot: number): number {
    return this.cells[(slot << 4) | LEVEL_AND_KIND]! >> 2;
  }

  /** Returns a code of `ORDER_KIND`. */
  kind(slot: number): number {
    return this.cells[(slot << 4) | LEVEL_AND_KIND]! & 3;
  }

  /** Returns the next slot towards the front of the level's queue. */
  ahead(slot: number): number {
    return this.cells[(slot << 4) | AHEAD]!;
  }

  /** Returns the next slot towards the end of the level's queue. */
  behind(slot: number): number {
    return this.cells[(slot << 4) | BEHIND]!;
  }

  /** Returns the holding of the order's account in the market; 0 for none. */
  holding(slot: number): number {
    return this.cells[(slot << 4) | HOLDING]!;
  }

  /** Returns the next open order of the holding, in order of arrival. */
  nextOfHolding(slot: number): number {
    return this.cells[(slot << 4) | NEXT_OF_HOLDING]!;
  }

  /** Returns the credential that placed the order; 0 for none. */
  credential(slot: number): number {
    const stored = this.cells[(slot << 4) | CREDENTIAL]!;
    return stored < 0 ? ~stored : stored;
  }

  /** Returns the order's group; 0 for none. */
  group(slot: number): number {
    return this.cells[(slot << 4) | CREDENTIAL]! < 0 ? this.extras[slot << 1]! : 0;
  }

  /** Returns the expiration of a GTD in epoch ms; 0 for other orders. */
  expiration(slot: number): number {
    return this.cells[(slot << 4) | CREDENTIAL]! < 0 ? this.extras[(slot << 1) | 1]! : 0;
  }

  /** Returns the number of the order's last fill event; 0 for none. */
  lastFill(slot: number): number {
    return this.floats[(slot << 3) | LAST_FILL]!;
  }

  /** Sets the fields of an order that books do not use. @param credential 0 … 2^31 - 1 */
  setDetails(slot: number, credential: number, group: number, expiration: number, lastFill: number): void {
    const hasNoExtras = group === 0 && expiration === 0;
    this.cells[(slot << 4) | CREDENTIAL] = hasNoExtras ? credential : ~credential;
    this.floats[(slot << 3) | LAST_FILL] = lastFill;
    if (hasNoExtras) return;
    this.extras[slot << 1] = group;
    this.extras[(slot << 1) | 1] = expiration;
  }

  setLastFill(slot: number, seq: number): void {
    this.floats[(slot << 3) | LAST_FILL] = seq;
  }

  setRemaining(slot: number, shares: number): void {
    this.floats[(slot << 3) | REMAINING] = shares;
  }

  /** Returns the slot of an open order; 0 if there is none. */
  find(order: number): number {
    let slot = this.cells[((order & this.mask) << 4) | FIRST]!;
    while (slot !== 0 && this.floats[(slot << 3) | ORDER] !== order) slot = this.cells[(slot << 4) | CHAIN]!;
    return slot;
  }

  /** Returns the oldest open order of a holding, or 0. `nextOfHolding` returns the next order. */
  firstOfHolding(holding: number): number {
    return this.ends[holding << 1] ?? 0;
  }

  /**
   * Opens a slot for a new order, behind slot `last` of its level's queue (0 for none) and at the end of its holding's
   * list. The order's details are undefined until `setDetails`.
   * @param holding 0 … 2^26 - 1; 0 belongs to no account and has no list
   */
  open(
    order: number,
    holding: number,
    book: number,
    level: number,
    kind: number,
    shares: number,
    last: number,
  ): number {
    let slot = order & this.mask;
    if (slot === 0 || this.floats[(slot << 3) | ORDER] !== 0) slot = this.#allocateRow();
    const { cells, floats } = this;
    const home = ((order & this.mask) << 4) | FIRST;
    const row = slot << 4;
    floats[(slot << 3) | ORDER] = order;
    floats[(slot << 3) | REMAINING] = shares;
    cells[row | BOOK] = book;
    cells[row | LEVEL_AND_KIND] = (level << 2) | kind;
    cells[row | AHEAD] = last;
    cells[row | BEHIND] = 0;
    cells[row | HOLDING] = holding;
    cells[row | CHAIN] = cells[home]!;
    cells[home] = slot;
    if (last !== 0) cells[(last << 4) | BEHIND] = slot;
    if (holding !== 0) this.#appendToHolding(slot, holding);
    this.#size++;
    return slot;
  }

  /** Removes the order from all lists and frees its slot. */
  close(slot: number): void {
    const { cells, floats } = this;
    const row = slot << 4;
    const ahead = cells[row | AHEAD]!;
    const behind = cells[row | BEHIND]!;
    if (ahead !== 0) cells[(ahead << 4) | BEHIND] = behind;
    if (behind !== 0) cells[(behind << 4) | AHEAD] = ahead;
    const home = ((floats[(slot << 3) | ORDER]! & this.mask) << 4) | FIRST;
    const first = cells[home]!;
    if (first === slot) cells[home] = cells[row | CHAIN]!;
    else this.#unlinkFromHash(slot, first);
    if (cells[row | HOLDING] !== 0) this.#unlinkFromHolding(slot);
    floats[(slot << 3) | ORDER] = 0;
    if (slot > this.mask) {
      cells[row | BEHIND] = this.#free;
      this.#free = slot;
    }
    this.#size--;
  }

  /** Returns a free row behind the homes. Prefers the row that was freed last, because it is likely cached. */
  #allocateRow(): number {
    const slot = this.#free;
    if (slot === 0) {
      if (this.unused > 2 * this.mask + 1) this.#grow();
      return this.unused++;
    }
    this.#free = this.cells[(slot << 4) | BEHIND]!;
    return slot;
  }

  /** Removes a slot that is not the first from its home's chain. */
  #unlinkFromHash(slot: number, first: number): void {
    const { cells } = this;
    let before = first;
    while (cells[(before << 4) | CHAIN] !== slot) before = cells[(before << 4) | CHAIN]!;
    cells[(before << 4) | CHAIN] = cells[(slot << 4) | CHAIN]!;
  }

  #appendToHolding(slot: number, holding: number): void {
    const first = holding << 1;
    if (first >= this.ends.length) this.#growEnds(holding);
    const { cells, ends } = this;
    const last = ends[first | 1]!;
    ends[first | 1] = slot;
    cells[(slot << 4) | PREVIOUS_OF_HOLDING] = last;
    cells[(slot << 4) | NEXT_OF_HOLDING] = 0;
    if (last === 0) ends[first] = slot;
    else cells[(last << 4) | NEXT_OF_HOLDING] = slot;
  }

  #growEnds(holding: number): void {
    this.ends = growInts(this.ends, 2 * checkedColumnLength('number of a holding', holding, MAX_HOLDINGS + 1));
  }

  #unlinkFromHolding(slot: number): void {
    const { cells, ends } = this;
    const holding = cells[(slot << 4) | HOLDING]!;
    const before = cells[(slot << 4) | PREVIOUS_OF_HOLDING]!;
    const next = cells[(slot << 4) | NEXT_OF_HOLDING]!;
    if (before === 0) ends[holding << 1] = next;
    else cells[(before << 4) | NEXT_OF_HOLDING] = next;
    if (next === 0) ends[(holding << 1) | 1] = before;
    else cells[(next << 4) | PREVIOUS_OF_HOLDING] = before;
  }

  /** Doubles the rows, and makes all old rows homes. Called only if no row behind the homes is free. */
  #grow(): void {
    const homes = 2 * (this.mask + 1);
    if (homes > MAX_ORDERS) throw new RangeError(`Invariant: no room for more than ${this.#size} open orders`);
    this.mask = homes - 1;
    this.unused = homes;
    this.floats = growFloats(this.floats, HOME_FLOATS * homes);
    this.cells = new Int32Array(this.floats.buffer);
    this.extras = growFloats(this.extras, 2 * 2 * homes);
    for (let slot = 0; slot < homes; slot++) this.cells[(slot << 4) | FIRST] = 0;
    for (let slot = 1; slot < homes; slot++) {
      const order = this.order(slot);
      if (order === 0) continue;
      const home = ((order & this.mask) << 4) | FIRST;
      this.cells[(slot << 4) | CHAIN] = this.cells[home]!;
      this.cells[home] = slot;
    }
  }
}
