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
  readonly available: number;
  /** K. */
  readonly consumed: number;
}

/** Sizes are micro-shares. Sides are values of `SIDE`. */
export class OutsideBook {
  /** V. */
  readonly ladder: Ladder;
  /** Highest bid and lowest ask with K above 0; 0 and 10000 if there are none. */
  bestConsumedBid = 0;
  bestConsumedAsk = FULL_BPS;
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
  readonly #consumed = new Map<number, number>();
  readonly #levelFlags: LevelFlags;

  constructor(grid: PriceGrid, levelFlags: LevelFlags) {
    this.ladder = Ladder.forGrid(grid);
    this.#levelFlags = levelFlags;
  }

  /** Returns V, the micro-shares available. */
  available(side: number, price: number): number {
    return side === SIDE.bid ? this.ladder.bidAt(price) : this.ladder.askAt(price);
  }

  /** Returns R, the recorded micro-shares. */
  recorded(side: number, price: number): number {
    return this.available(side, price) + (this.#consumed.get(2 * price + side) ?? 0);
  }

  /** Sets the recorded size of a level to R': K = min(K, R'). Returns V. */
  set(side: number, price: number, recorded: number): number {
    const key = 2 * price + side;
    const consumed = this.#consumed.get(key) ?? 0;
    const left = Math.min(consumed, recorded);
    if (left !== consumed) this.#setConsumed(side, price, key, left);
    this.ladder.set(side, price, recorded - left);
    return recorded - left;
  }

  /** Consumes `shares` of V: K += shares. */
  consume(side: number, price: number, shares: number): void {
    const available = this.available(side, price);
    if (shares > available)
      throw new Error(`Invariant: ${shares} micro-shares consumed of ${available} at ${price} bps`);
    const key = 2 * price + side;
    this.#setConsumed(side, price, key, (this.#consumed.get(key) ?? 0) + shares);
    this.ladder.set(side, price, available - shares);
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
    for (const key of this.#consumed.keys()) this.#levelFlags.unset(key >> 1, key & 1, LEVEL_FLAG.consumed);
    this.#consumed.clear();
    this.bestConsumedBid = 0;
    this.bestConsumedAsk = FULL_BPS;
  }

  /** Returns the levels with R above 0, bids first, from the lowest price up. */
  levels(): readonly RecordedLevel[] {
    const keys = new Set(this.#consumed.keys());
    const { ladder } = this;
    for (let price = ladder.topBid; price > 0; price = ladder.nextBid(price) ?? 0) keys.add(2 * price + SIDE.bid);
    for (let price = ladder.topAsk; price < FULL_BPS; price = ladder.nextAsk(price) ?? FULL_BPS)
      keys.add(2 * price + SIDE.ask);
    const levels = [...keys].map((key) => {
      const [side, price] = [key & 1, key >> 1];
      return { side, price, available: this.available(side, price), consumed: this.#consumed.get(key) ?? 0 };
    });
    return levels.sort((a, b) => a.side - b.side || a.price - b.price);
  }

  /** Restores a level that `levels` returned. */
  restore({ side, price, available, consumed }: RecordedLevel): void {
    this.ladder.set(side, price, available);
    if (consumed > 0) this.#setConsumed(side, price, 2 * price + side, consumed);
  }

  /** Stores the recorded touch at the end of a message. */
  updateTouch(): void {
    const { topBid, topAsk } = this.ladder;
    this.touchBid = this.bestConsumedBid > topBid ? this.bestConsumedBid : topBid;
    this.touchAsk = this.bestConsumedAsk < topAsk ? this.bestConsumedAsk : topAsk;
  }

  #setConsumed(side: number, price: number, key: number, consumed: number): void {
    if (consumed > 0) {
      this.#consumed.set(key, consumed);
      this.#levelFlags.set(price, side, LEVEL_FLAG.consumed);
      if (side === SIDE.bid) this.bestConsumedBid = Math.max(this.bestConsumedBid, price);
      else this.bestConsumedAsk = Math.min(this.bestConsumedAsk, price);
      return;
    }
    this.#consumed.delete(key);
    this.#levelFlags.unset(price, side, LEVEL_FLAG.consumed);
    if (side === SIDE.bid && price === this.bestConsumedBid) this.bestConsumedBid = this.#best(side);
    if (side === SIDE.ask && price === this.bestConsumedAsk) this.bestConsumedAsk = this.#best(side);
  }

  #best(side: number): number {
    let best = side === SIDE.bid ? 0 : FULL_BPS;
    for (const key of this.#consumed.keys()) {
      if ((key & 1) === side) best = side === SIDE.bid ? Math.max(best, key >> 1) : Math.min(best, key >> 1);
    }
    return best;
  }
}
