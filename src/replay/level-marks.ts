import { FULL_BPS } from '../domain/index.ts';

/** What is special about a price of a market; the ask's bit is the bid's shifted by one, so `<< side` picks. */
export const MARK = { taken: 1, own: 4 } as const;
/** Any mark of the bid side; shift by `side`. */
export const ANY_MARK = MARK.taken | MARK.own;

/** Shared by all markets in which nothing of ours has ever happened: always zero. */
const NONE = new Uint8Array(FULL_BPS + 1);
/** Shared by all markets whose book is lost: every level row needs a second look. */
const ALL = new Uint8Array(FULL_BPS + 1).fill(255);

/**
 * One byte a price that says whether a level row needs more than a ladder update: own orders stand there, or own orders
 * consumed something of it.
 *
 * HOT: read once a level row, so that a row far from our orders costs one load. 10 kB a market, from the first own order
 * on. Measured in bench/replay.ts.
 */
export class LevelMarks {
  /** By YES price in bps. Read-only for others. */
  bits = NONE;
  /** What was set, also while every level is marked. */
  #own = NONE;

  set(price: number, side: number, mark: number): void {
    if (this.#own === NONE) {
      this.#own = new Uint8Array(FULL_BPS + 1);
      if (this.bits === NONE) this.bits = this.#own;
    }
    this.#own[price]! |= mark << side;
  }

  unset(price: number, side: number, mark: number): void {
    if (this.#own !== NONE) this.#own[price]! &= ~(mark << side);
  }

  /** Marks every level, or only those that were set. */
  markAll(isAll: boolean): void {
    this.bits = isAll ? ALL : this.#own;
  }
}
