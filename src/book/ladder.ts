/**
 * The L2 book of one market in YES terms: one aggregate size per price and side.
 *
 * HOT: every level row of a tape goes through `set`. Sizes are Float64Array columns indexed by price / tick, occupancy
 * is a bitmap, the touch is cached; nothing is allocated after construction. 20 to 25 ns for a random set and the double mid
 * after it (2 cores, Node 24); with the whole replay around it in bench/replay.ts.
 *
 * Invariants: between its ends a slot is in the bitmap exactly when its size is above 0; `#bid` and `#ask` are the
 * touches' slots, 0 and `#end` (price 0 and 10000, where no order stands) when a side is empty.
 */
import {
  column,
  type DoubleMid,
  FULL_BPS,
  type MicroShares,
  Occupancy,
  type PriceBps,
  type PriceGrid,
} from '../domain/index.ts';
import type { BookLevel, BookSide, BookView } from './view.ts';

/** Sides as rows carry them: the same numbers as `SIDE` in `tape/`, which stands on this floor and is not imported. */
export const BOOK_SIDE = { bid: 0, ask: 1 } as const;

export class Ladder implements BookView {
  /** Distance of neighbouring prices in bps. */
  readonly tickBps: number;
  readonly #end: number;
  readonly #bidSize: Float64Array;
  readonly #askSize: Float64Array;
  readonly #bidSlots: Occupancy;
  readonly #askSlots: Occupancy;
  #bid = 0;
  #ask: number;

  /**
   * An empty book. Memory is about 16 bytes a price: 160 kB at tick 1, 16 kB at tick 10.
   * @param tickBps a divisor of 10000; 1 serves every grid
   * @throws RangeError otherwise
   */
  constructor(tickBps: number) {
    if (!Number.isInteger(tickBps) || tickBps < 1 || FULL_BPS % tickBps !== 0 || tickBps === FULL_BPS) {
      throw new RangeError(`Invariant: the tick ${tickBps} bps does not divide ${FULL_BPS}`);
    }
    this.tickBps = tickBps;
    this.#end = FULL_BPS / tickBps;
    this.#ask = this.#end;
    this.#bidSize = new Float64Array(this.#end + 1);
    this.#askSize = new Float64Array(this.#end + 1);
    this.#bidSlots = new Occupancy(this.#end);
    this.#askSlots = new Occupancy(this.#end);
  }

  /** An empty book in which every price of the grid has its place. */
  static forGrid(grid: PriceGrid): Ladder {
    if (grid.type === 'tick') return new Ladder(grid.tickBps);
    const step = [...grid.bids, ...grid.asks].reduce((divisor, price) => commonDivisor(divisor, price), FULL_BPS);
    // Lists without prices leave nothing to derive a step from; the finest serves all.
    return new Ladder(step === FULL_BPS ? 1 : step);
  }

  /**
   * From now on `shares` micro-shares stand at `price` on `side` (`BOOK_SIDE`); 0 removes the level.
   * Sizes are taken as they come (whole lots are the decoder's duty).
   * @throws RangeError for a price off the tick or outside [tick, 10000 - tick], an unknown side, a negative size
   */
  set(side: number, price: number, shares: number): void {
    const slot = this.#slotOf(price);
    if (!(shares >= 0)) throw new RangeError(`Invariant: ${shares} micro-shares at ${price} bps is not a size`);
    if (side === BOOK_SIDE.bid) this.#setBid(slot, shares);
    else if (side === BOOK_SIDE.ask) this.#setAsk(slot, shares);
    else throw new RangeError(`Invariant: ${side} is no side of a book; 0 is bid, 1 is ask`);
  }

  /** Empties both sides. */
  clear(): void {
    this.#bidSize.fill(0);
    this.#askSize.fill(0);
    this.#bidSlots.reset();
    this.#askSlots.reset();
    this.#bid = 0;
    this.#ask = this.#end;
  }

  /** Highest bid in bps, **0 when there is none**: below every price, so comparisons need no special case. */
  get topBid(): number {
    return this.#bid * this.tickBps;
  }

  /** Lowest ask in bps, **10000 when there is none**: above every price, so comparisons need no special case. */
  get topAsk(): number {
    return this.#ask * this.tickBps;
  }

  bestBid(): PriceBps | undefined {
    return this.#bid === 0 ? undefined : column.price(this.#bid * this.tickBps);
  }

  bestAsk(): PriceBps | undefined {
    return this.#ask === this.#end ? undefined : column.price(this.#ask * this.tickBps);
  }

  bidAt(price: number): MicroShares {
    return column.shares(this.#bidSize[price / this.tickBps] ?? 0);
  }

  askAt(price: number): MicroShares {
    return column.shares(this.#askSize[price / this.tickBps] ?? 0);
  }

  nextBid(price: number): PriceBps | undefined {
    const under = Math.ceil(price / this.tickBps);
    const slot = under > 0 ? this.#bidSlots.below(Math.min(under, this.#end)) : 0;
    return slot === 0 ? undefined : column.price(slot * this.tickBps);
  }

  nextAsk(price: number): PriceBps | undefined {
    const over = Math.floor(price / this.tickBps);
    const slot = over < this.#end ? this.#askSlots.above(Math.max(over, 0)) : this.#end;
    return slot === this.#end ? undefined : column.price(slot * this.tickBps);
  }

  doubleMid(): DoubleMid | undefined {
    if (this.#bid === 0 || this.#ask === this.#end) return undefined;
    return column.mid((this.#bid + this.#ask) * this.tickBps);
  }

  microprice(): number | undefined {
    if (this.#bid === 0 || this.#ask === this.#end) return undefined;
    const bidSize = this.#bidSize[this.#bid]!;
    const askSize = this.#askSize[this.#ask]!;
    return ((this.#bid * askSize + this.#ask * bidSize) / (bidSize + askSize)) * this.tickBps;
  }

  crossed(): boolean {
    return this.#bid >= this.#ask;
  }

  depth(side: BookSide, count: number): readonly BookLevel[] {
    const levels: BookLevel[] = [];
    const bids = side === 'bid';
    let price = bids ? this.bestBid() : this.bestAsk();
    while (price !== undefined && levels.length < count) {
      levels.push({ price, shares: bids ? this.bidAt(price) : this.askAt(price) });
      price = bids ? this.nextBid(price) : this.nextAsk(price);
    }
    return levels;
  }

  #setBid(slot: number, shares: number): void {
    const before = this.#bidSize[slot]!;
    this.#bidSize[slot] = shares;
    if (shares !== 0) {
      if (before === 0) this.#bidSlots.set(slot);
      if (slot > this.#bid) this.#bid = slot;
    } else if (before !== 0) {
      this.#bidSlots.clear(slot);
      if (slot === this.#bid) this.#bid = this.#bidSlots.below(slot);
    }
  }

  #setAsk(slot: number, shares: number): void {
    const before = this.#askSize[slot]!;
    this.#askSize[slot] = shares;
    if (shares !== 0) {
      if (before === 0) this.#askSlots.set(slot);
      if (slot < this.#ask) this.#ask = slot;
    } else if (before !== 0) {
      this.#askSlots.clear(slot);
      if (slot === this.#ask) this.#ask = this.#askSlots.above(slot);
    }
  }

  #slotOf(price: number): number {
    const slot = price / this.tickBps;
    if ((slot | 0) !== slot || slot <= 0 || slot >= this.#end) {
      throw new RangeError(`Invariant: ${price} bps is not a price of a book with tick ${this.tickBps} bps`);
    }
    return slot;
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
