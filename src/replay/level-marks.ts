import { FULL_BPS } from '../domain/index.ts';

/** Bits for the bid side; shift by `side`. `taken`: own orders consumed size here. `own`: own orders rest here. */
export const MARK = { taken: 1, own: 4 } as const;
/** Both bits for the bid side; shift by `side`. */
export const ANY_MARK = MARK.taken | MARK.own;

/** Marks no level. Shared by all markets that never had own orders. */
const NONE = new Uint8Array(FULL_BPS + 1);
/** Marks every level. Shared by all markets whose book is lost. */
const ALL = new Uint8Array(FULL_BPS + 1).fill(255);

/**
 * Marks the prices whose level rows need more than a ladder update: own orders rest there or consumed size there.
 *
 * HOT: read once per level row, so a row far from own orders costs one load (bench/replay.ts). Each market takes 10 kB,
 * allocated at the first own order.
 */
export class LevelMarks {
  /** By YES price in bps. Read-only for others. */
  bits = NONE;
  /** The individual marks. They stay valid while `bits` marks every level. */
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

  /** Marks every level, or only those set individually. */
  markAll(isAll: boolean): void {
    this.bits = isAll ? ALL : this.#own;
  }
}
