/**
 * The L2 book of one market in YES terms: one aggregate size per price and side.
 *
 * HOT: `setFrom` runs for every level row of a tape, 14 ns a row (bench/replay.ts). A Float64Array stores the sizes by
 * slot, a bitmap stores the occupied slots, and the best prices are cached. Only the constructor allocates.
 *
 * Slots 0 … end are the bids by price in ticks. The asks follow in descending order, from price 10000 down. The better
 * price has the higher slot on both sides, so the code needs no branch on the side, which processors predict badly.
 *
 * Invariants: a slot is in the bitmap exactly when its size is above 0, or when it is the side's sentinel: price 0 of
 * the bids, 10000 of the asks. No order has these prices, so searches stop at the sentinels. `#topSlot` is the slot of
 * each side's best price, or the sentinel of an empty side.
 */
import {
  type DoubleMid,
  FULL_BPS,
  type MicroShares,
  Occupancy,
  type PriceBps,
  type PriceGrid,
  unchecked,
} from '../domain/index.ts';
import type { BookLevel, BookSide, BookView } from './view.ts';

/** Side codes of rows: the same numbers as `SIDE` in `tape/`, which this layer cannot import. */
export const BOOK_SIDE = { bid: 0, ask: 1 } as const;

export class Ladder implements BookView {
  /** Distance of adjacent prices in bps. */
  readonly tickBps: number;
  /** Slot of the bids' price 10000. */
  readonly #end: number;
  /** Slot of the asks' price 10000. */
  readonly #firstAsk: number;
  readonly #ticks: Int16Array;
  readonly #size: Float64Array;
  readonly #occupied: Occupancy;
  /** Slots of the best prices, by side. */
  readonly #topSlot: Int32Array;
  #topBid = 0;
  #topAsk = FULL_BPS;
  /** Passes the size from `set` to `setFrom`. */
  readonly #sizeArgument = new Float64Array(1);

  /** Creates an empty book, 160 kB at tick 1. @throws RangeError unless `tickBps` divides 10000 and is below 10000 */
  constructor(tickBps: number) {
    if (!Number.isInteger(tickBps) || tickBps < 1 || FULL_BPS % tickBps !== 0 || tickBps === FULL_BPS) {
      throw new RangeError(`Invariant: the tick ${tickBps} bps does not divide ${FULL_BPS}`);
    }
    this.tickBps = tickBps;
    this.#end = FULL_BPS / tickBps;
    this.#firstAsk = this.#end + 1;
    this.#ticks = ticksByPrice(tickBps);
    this.#size = new Float64Array(2 * this.#firstAsk);
    this.#occupied = new Occupancy(2 * this.#firstAsk - 1);
    this.#topSlot = new Int32Array(2);
    this.clear();
  }

  /** Creates an empty book with a slot for every price of the grid. */
  static forGrid(grid: PriceGrid): Ladder {
    if (grid.type === 'tick') return new Ladder(grid.tickBps);
    const step = [...grid.bids, ...grid.asks].reduce((divisor, price) => commonDivisor(divisor, price), FULL_BPS);
    // Empty price lists imply no step. The finest tick works for all lists.
    return new Ladder(step === FULL_BPS ? 1 : step);
  }

  /**
   * Sets the size at `price` on `side` (`BOOK_SIDE`) to `shares` micro-shares; 0 removes the level. The decoder has
   * checked that sizes are whole lots.
   * @throws RangeError for a price off the tick or outside [tick, 10000 - tick], an unknown side, a negative size
   */
  set(side: number, price: number, shares: number): void {
    this.#sizeArgument[0] = shares;
    this.setFrom(side, price, this.#sizeArgument, 0);
  }

  /** Like `set`, with the size in a column, because V8 would allocate a double that is an argument. */
  setFrom(side: number, price: number, shares: Float64Array, row: number): void {
    const ticks = this.#toTicks(price);
    const after = shares[row]!;
    if (!(after >= 0)) throw new RangeError(`Invariant: ${after} micro-shares at ${price} bps is not a size`);
    if (side >>> 1 !== 0) throw new RangeError(`Invariant: ${side} is not a side of a book; 0 is bid, 1 is ask`);
    const slot = this.#toSlot(side, ticks);
    const before = this.#size[slot]!;
    this.#size[slot] = after;
    if (after !== 0) {
      // Setting the bit again is cheaper than an unpredictable branch.
      this.#occupied.set(slot);
      if (slot > this.#topSlot[side]!) this.#moveTop(side, slot);
    } else if (before !== 0) {
      this.#occupied.clear(slot);
      if (slot === this.#topSlot[side]!) this.#moveTop(side, this.#occupied.below(slot));
    }
  }

  clear(): void {
    this.#size.fill(0);
    this.#occupied.reset();
    for (const side of [BOOK_SIDE.bid, BOOK_SIDE.ask]) {
      this.#occupied.set(side * this.#firstAsk);
      this.#moveTop(side, side * this.#firstAsk);
    }
  }

  /** Highest bid in bps, or **0 if there is none**, so that comparisons need no special case. */
  get topBid(): number {
    return this.#topBid;
  }

  /** Lowest ask in bps, or **10000 if there is none**, so that comparisons need no special case. */
  get topAsk(): number {
    return this.#topAsk;
  }

  bestBid(): PriceBps | undefined {
    return this.#topBid === 0 ? undefined : unchecked.price(this.#topBid);
  }

  bestAsk(): PriceBps | undefined {
    return this.#topAsk === FULL_BPS ? undefined : unchecked.price(this.#topAsk);
  }

  bidAt(price: number): MicroShares {
    return this.#sizeAt(BOOK_SIDE.bid, price);
  }

  askAt(price: number): MicroShares {
    return this.#sizeAt(BOOK_SIDE.ask, price);
  }

  nextBid(price: number): PriceBps | undefined {
    const ticks = Math.ceil(price / this.tickBps);
    const slot = ticks > 0 ? this.#occupied.below(Math.min(ticks, this.#end)) : 0;
    return slot === 0 ? undefined : unchecked.price(slot * this.tickBps);
  }

  nextAsk(price: number): PriceBps | undefined {
    const ticks = Math.floor(price / this.tickBps);
    const first = this.#firstAsk;
    const slot = ticks < this.#end ? this.#occupied.below(this.#toSlot(BOOK_SIDE.ask, Math.max(ticks, 0))) : first;
    return slot === first ? undefined : unchecked.price((first + this.#end - slot) * this.tickBps);
  }

  mid(): number | undefined {
    return this.#topBid === 0 || this.#topAsk === FULL_BPS ? undefined : (this.#topBid + this.#topAsk) / 2;
  }

  spread(): number | undefined {
    return this.#topBid === 0 || this.#topAsk === FULL_BPS ? undefined : this.#topAsk - this.#topBid;
  }

  doubleMid(): DoubleMid | undefined {
    if (this.#topBid === 0 || this.#topAsk === FULL_BPS) return undefined;
    return unchecked.mid(this.#topBid + this.#topAsk);
  }

  microprice(): number | undefined {
    if (this.#topBid === 0 || this.#topAsk === FULL_BPS) return undefined;
    const bid = this.#topBid / this.tickBps;
    const ask = this.#topAsk / this.tickBps;
    const bidSize = this.bidAt(this.#topBid);
    const askSize = this.askAt(this.#topAsk);
    return ((bid * askSize + ask * bidSize) / (bidSize + askSize)) * this.tickBps;
  }

  crossed(): boolean {
    return this.#topBid >= this.#topAsk;
  }

  depth(side: BookSide, count: number): readonly BookLevel[] {
    const levels: BookLevel[] = [];
    const isBid = side === 'bid';
    let price = isBid ? this.bestBid() : this.bestAsk();
    while (price !== undefined && levels.length < count) {
      levels.push({ price, shares: isBid ? this.bidAt(price) : this.askAt(price) });
      price = isBid ? this.nextBid(price) : this.nextAsk(price);
    }
    return levels;
  }

  #moveTop(side: number, slot: number): void {
    this.#topSlot[side] = slot;
    if (side === BOOK_SIDE.bid) this.#topBid = slot * this.tickBps;
    else this.#topAsk = (this.#firstAsk + this.#end - slot) * this.tickBps;
  }

  #sizeAt(side: number, price: number): MicroShares {
    const ticks = price / this.tickBps;
    return unchecked.shares(ticks >= 0 && ticks <= this.#end ? (this.#size[this.#toSlot(side, ticks)] ?? 0) : 0);
  }

  /** Returns `ticks` for a bid, `firstAsk + end - ticks` for an ask. */
  #toSlot(side: number, ticks: number): number {
    return ticks + side * (this.#firstAsk + this.#end - 2 * ticks);
  }

  #toTicks(price: number): number {
    const ticks = this.#ticks[price]!;
    if (!(ticks > 0)) {
      throw new RangeError(`Invariant: ${price} bps is not a price of a book with tick ${this.tickBps} bps`);
    }
    return ticks;
  }
}

/** Tables by tick, 20 kB each, which all books share. */
const TICKS_BY_PRICE = new Map<number, Int16Array>();

/** Returns the ticks by price in bps, 0 for a price off the tick. A look-up takes a third of the arithmetic's time. */
function ticksByPrice(tickBps: number): Int16Array {
  const known = TICKS_BY_PRICE.get(tickBps);
  if (known !== undefined) return known;
  const ticks = new Int16Array(FULL_BPS);
  for (let price = tickBps; price < FULL_BPS; price += tickBps) ticks[price] = price / tickBps;
  TICKS_BY_PRICE.set(tickBps, ticks);
  return ticks;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
