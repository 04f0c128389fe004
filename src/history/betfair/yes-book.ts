import { Ladder } from '../../book/index.ts';
import { LOT } from '../../domain/index.ts';
import { type BlockWriter, KIND, SIDE } from '../../tape/index.ts';

/** Exact sizes are stake x odds in pence x hundredths, which is 10^-4 share. */
const EXACT_PER_LOT = 100;

/** The tape's book: exact sizes at each price, rounded **down** to lots for the rows. */
export class YesBook {
  /** The book in lots, as on the tape. */
  readonly shown: Ladder = new Ladder(1);
  readonly #exact = [new Float64Array(10_000), new Float64Array(10_000)] as const;
  readonly #changed = [new Set<number>(), new Set<number>()] as const;

  /** Changes the size at a price. @param exact increase, in 10^-4 share */
  add(side: typeof SIDE.bid | typeof SIDE.ask, price: number, exact: number): void {
    const sums = this.#exact[side];
    sums[price] = (sums[price] ?? 0) + exact;
    this.#changed[side].add(price);
  }

  /** Empties the book; the caller writes the `clear` row. */
  clear(): void {
    this.shown.clear();
    for (const sums of this.#exact) sums.fill(0);
    for (const prices of this.#changed) prices.clear();
  }

  /** Writes a level row for each price whose lots changed since the last call. */
  flush(market: number, out: BlockWriter): void {
    for (const side of [SIDE.bid, SIDE.ask]) {
      const sums = this.#exact[side];
      for (const price of this.#changed[side]) {
        const shares = Math.floor((sums[price] ?? 0) / EXACT_PER_LOT) * LOT;
        const before = side === SIDE.bid ? this.shown.bidAt(price) : this.shown.askAt(price);
        if (shares === before) continue;
        this.shown.set(side, price, shares);
        out.row(market, KIND.level, side, price, shares);
      }
      this.#changed[side].clear();
    }
  }
}
