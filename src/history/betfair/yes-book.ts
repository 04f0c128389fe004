import { Ladder } from '../../book/index.ts';
import { LOT } from '../../domain/index.ts';
import { type BlockWriter, KIND, SIDE } from '../../tape/index.ts';

/** Unit of sizes before rounding: pence x hundredths of odds, 10^-4 share. 100 of them are a lot. */
const EXACT_PER_LOT = 100;

/** The tape's book: exact sums at each price, rounded **down** to lots when shown. */
export class YesBook {
  /** What the tape's reader sees. */
  readonly shown: Ladder = new Ladder(1);
  readonly #exact = [new Float64Array(10_000), new Float64Array(10_000)] as const;
  readonly #touched = [new Set<number>(), new Set<number>()] as const;

  /** Something at this price became more, or less. */
  add(side: typeof SIDE.bid | typeof SIDE.ask, price: number, exact: number): void {
    const sums = this.#exact[side];
    sums[price] = (sums[price] ?? 0) + exact;
    this.#touched[side].add(price);
  }

  /** Empties the book; the caller writes the `clear` row. */
  clear(): void {
    this.shown.clear();
    for (const sums of this.#exact) sums.fill(0);
    for (const touched of this.#touched) touched.clear();
  }

  /** Writes a level row for each price whose lots changed since the last time. */
  flush(market: number, out: BlockWriter): void {
    for (const side of [SIDE.bid, SIDE.ask]) {
      const sums = this.#exact[side];
      for (const price of this.#touched[side]) {
        const shares = Math.floor((sums[price] ?? 0) / EXACT_PER_LOT) * LOT;
        const before = side === SIDE.bid ? this.shown.bidAt(price) : this.shown.askAt(price);
        if (shares === before) continue;
        this.shown.set(side, price, shares);
        out.row(market, KIND.level, side, price, shares);
      }
      this.#touched[side].clear();
    }
  }
}
