import { FULL_BPS } from '../domain/index.ts';

/**
 * Bits of a bid level; for an ask level, shift them left by `SIDE.ask`. `consumed`: own orders consumed size. `own`:
 * own orders rest.
 */
export const LEVEL_FLAG = { consumed: 1, own: 4 } as const;
export const ANY_LEVEL_FLAG = LEVEL_FLAG.consumed | LEVEL_FLAG.own;

/** Flags no level. Shared by all markets that never had own orders. */
const NONE = new Uint8Array(FULL_BPS + 1);
/** Flags every level. Shared by all markets whose book is lost. */
const ALL = new Uint8Array(FULL_BPS + 1).fill(255);

/**
 * Flags the prices whose level rows need more than a ladder update: own orders rest there or have consumed size.
 *
 * HOT: read once per level row, so a row far from own orders costs one load (bench/replay.ts). Each market takes 10 kB,
 * allocated at the first own order.
 */
export class LevelFlags {
  /** Bits by YES price in bps. Only this class writes them. */
  bits = NONE;
  /** The individual flags. They stay valid while `bits` flags every level. */
  #individual = NONE;

  set(price: number, side: number, flag: number): void {
    if (this.#individual === NONE) {
      this.#individual = new Uint8Array(FULL_BPS + 1);
      if (this.bits === NONE) this.bits = this.#individual;
    }
    this.#individual[price]! |= flag << side;
  }

  unset(price: number, side: number, flag: number): void {
    if (this.#individual !== NONE) this.#individual[price]! &= ~(flag << side);
  }

  /** Flags every level, or only the individually flagged levels. */
  setAllFlagged(isAllFlagged: boolean): void {
    this.bits = isAllFlagged ? ALL : this.#individual;
  }
}
