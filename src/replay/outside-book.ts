/**
 * The *outside* of one market is all traders on the tape. The outside book is the recorded book, less the size that own
 * orders consumed (docs/spec/models.md#outside-flow). The exchange books outside trades on its tape account.
 *
 * R is the recorded size of a level, K the size that own orders consumed, and V = R - K the available size.
 *
 * Invariants: 0 <= K <= R. Only recorded level rows change R. In a gap of the recording, the book stays empty until the
 * next clear (docs/spec/models.md#gaps). The ladder contains V, which is read most often; a sparse map contains K.
 *
 * HOT: a level without flags goes straight to the ladder (bench/replay.ts).
 */
import { Ladder } from '../book/index.ts';
import { FULL_BPS, type PriceGrid } from '../domain/index.ts';
import { SIDE } from '../tape/index.ts';
import { LEVEL_FLAG, type LevelFlags } from './level-flags.ts';

export interface RecordedLevel {
  /** A value of `SIDE`, as in rows. */
  readonly side: number;
  readonly price: number;
  /** V. */
  readonly visible: number;
  /** K. */
  readonly taken: number;
}

/** Sizes are micro-shares. Sides are values of `SIDE`. */
export class OutsideBook {
  /** V. */
  readonly ladder: Ladder;
  /** Highest bid and lowest ask with K above 0; 0 and 10000 if there are none. */
  bestTakenBid = 0;
  bestTakenAsk = FULL_BPS;
  /** Recorded best prices at the end of the last message; 0 and 10000 for an empty side. */
  touchBid = 0;
  touchAsk = FULL_BPS;
  /** Price of the last print; 0 before the first print. */
  lastPrint = 0;
  /** Whether the recording has lost this book. */
  isInGap = false;
  /** Whether a gap ended in the current message, so that the size before own orders is unknown. */
  hasGapEnded = false;
  /** K by `2 * price + side`; never 0. */
  readonly #taken = new Map<number, number>();
  readonly #levelFlags: LevelFlags;

  constructor(grid: PriceGrid, levelFlags: LevelFlags) {
    this.ladder = Ladder.forGrid(grid);
    this.#levelFlags = levelFlags;
  }

  /** Returns V, the micro-shares available. */
  visible(side: number, price: number): number {
    return side === SIDE.bid ? this.ladder.bidAt(price) : this.ladder.askAt(price);
  }

  /** Returns R, the recorded micro-shares. */
  recorded(side: number, price: number): number {
    return this.visible(side, price) + (this.#taken.get(2 * price + side) ?? 0);
  }

  /** Sets the recorded size of a level to R': K = min(K, R'). Returns V. */
  set(side: number, price: number, recorded: number): number {
    const key = 2 * price + side;
    const taken = this.#taken.get(key) ?? 0;
    const left = Math.min(taken, recorded);
    if (left !== taken) this.#setTaken(side, price, key, left);
    this.ladder.set(side, price, recorded - left);
    return recorded - left;
  }

  /** Consumes `shares` of V: K += shares. */
  take(side: number, price: number, shares: number): void {
    const visible = this.visible(side, price);
    if (shares > visible) throw new Error(`Invariant: ${shares} micro-shares taken of ${visible} at ${price} bps`);
    const key = 2 * price + side;
    this.#setTaken(side, price, key, (this.#taken.get(key) ?? 0) + shares);
    this.ladder.set(side, price, visible - shares);
  }

  /** Begins a gap, in which the book is unknown until the next `clear`. */
  beginGap(): void {
    this.clear();
    this.isInGap = true;
    this.hasGapEnded = false;
    this.lastPrint = 0;
    this.#levelFlags.setAllFlagged(true);
  }

  /** Empties both sides: R = 0 and K = 0. Ends a gap. */
  clear(): void {
    if (this.isInGap) {
      this.isInGap = false;
      this.hasGapEnded = true;
      this.#levelFlags.setAllFlagged(false);
    }
    this.ladder.clear();
    for (const key of this.#taken.keys()) this.#levelFlags.unset(key >> 1, key & 1, LEVEL_FLAG.taken);
    this.#taken.clear();
    this.bestTakenBid = 0;
    this.bestTakenAsk = FULL_BPS;
  }

  /** Returns the levels with R above 0, bids first, from the lowest price up. */
  levels(): readonly RecordedLevel[] {
    const keys = new Set(this.#taken.keys());
    const { ladder } = this;
    for (let price = ladder.topBid; price > 0; price = ladder.nextBid(price) ?? 0) keys.add(2 * price + SIDE.bid);
    for (let price = ladder.topAsk; price < FULL_BPS; price = ladder.nextAsk(price) ?? FULL_BPS)
      keys.add(2 * price + SIDE.ask);
    const levels = [...keys].map((key) => {
      const [side, price] = [key & 1, key >> 1];
      return { side, price, visible: this.visible(side, price), taken: this.#taken.get(key) ?? 0 };
    });
    return levels.sort((a, b) => a.side - b.side || a.price - b.price);
  }

  /** Restores a level that `levels` returned. */
  restore({ side, price, visible, taken }: RecordedLevel): void {
    this.ladder.set(side, price, visible);
    if (taken > 0) this.#setTaken(side, price, 2 * price + side, taken);
  }

  /** Stores the recorded touch at the end of a message. */
  updateTouch(): void {
    const { topBid, topAsk } = this.ladder;
    this.touchBid = this.bestTakenBid > topBid ? this.bestTakenBid : topBid;
    this.touchAsk = this.bestTakenAsk < topAsk ? this.bestTakenAsk : topAsk;
  }

  #setTaken(side: number, price: number, key: number, taken: number): void {
    if (taken > 0) {
      this.#taken.set(key, taken);
      this.#levelFlags.set(price, side, LEVEL_FLAG.taken);
      if (side === SIDE.bid) this.bestTakenBid = Math.max(this.bestTakenBid, price);
      else this.bestTakenAsk = Math.min(this.bestTakenAsk, price);
      return;
    }
    this.#taken.delete(key);
    this.#levelFlags.unset(price, side, LEVEL_FLAG.taken);
    if (side === SIDE.bid && price === this.bestTakenBid) this.bestTakenBid = this.#best(side);
    if (side === SIDE.ask && price === this.bestTakenAsk) this.bestTakenAsk = this.#best(side);
  }

  #best(side: number): number {
    let best = side === SIDE.bid ? 0 : FULL_BPS;
    for (const key of this.#taken.keys()) {
      if ((key & 1) === side) best = side === SIDE.bid ? Math.max(best, key >> 1) : Math.min(best, key >> 1);
    }
    return best;
  }
}
