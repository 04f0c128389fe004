/**
 * Level rows of one market's outside book: the venue's sizes, less own orders.
 *
 * HOT: `applyChanges` is called twice for each frame of the book (bench/market-data.ts).
 */
import type { BookLevel, Ladder } from '../../book/index.ts';
import { FULL_BPS } from '../../domain/index.ts';
import { KIND, SIDE } from '../../tape/index.ts';
import type { OwnLevels } from './own-levels.ts';
import type { RowWriter } from './row-writer.ts';

export interface OutsideRowsDeps {
  /** The venue's book, own orders included. */
  readonly ladder: Ladder;
  readonly own: OwnLevels;
  readonly rows: RowWriter;
}

export class OutsideRows {
  readonly #market: number;
  readonly #ladder: Ladder;
  readonly #own: OwnLevels;
  readonly #rows: RowWriter;

  constructor(market: number, { ladder, own, rows }: OutsideRowsDeps) {
    this.#market = market;
    this.#ladder = ladder;
    this.#own = own;
    this.#rows = rows;
  }

  /** Writes the levels of a delta, except those where an own order may rest: `OwnLevels` writes these. */
  applyChanges(side: number, levels: readonly BookLevel[]): void {
    const own = this.#own;
    for (let at = 0; at < levels.length; at += 1) {
      const { price, shares } = levels[at]!;
      const level = own.isEmpty ? undefined : own.at(side, price);
      if (level === undefined) this.#rows.level(this.#market, side, price, shares);
      else level.whole = shares;
    }
  }

  /** Writes the levels of a book that starts empty. */
  levels(side: number, levels: readonly BookLevel[]): void {
    for (const { price, shares } of levels) {
      const outside = this.#own.at(side, price)?.shown ?? shares;
      if (outside > 0) this.#rows.level(this.#market, side, price, outside);
    }
  }

  book(): void {
    this.#rows.row(this.#market, KIND.clear, 0, 0, 0);
    this.levels(SIDE.bid, this.#ladder.depth('bid', FULL_BPS));
    this.levels(SIDE.ask, this.#ladder.depth('ask', FULL_BPS));
  }

  /** Writes the best level again, to show that the book is current and unchanged. */
  touch(): void {
    const { topBid, topAsk } = this.#ladder;
    if (topBid !== 0) this.#writeLevel(SIDE.bid, topBid, this.#ladder.bidAt(topBid));
    else if (topAsk !== FULL_BPS) this.#writeLevel(SIDE.ask, topAsk, this.#ladder.askAt(topAsk));
    else this.#rows.row(this.#market, KIND.clear, 0, 0, 0);
  }

  #writeLevel(side: number, price: number, whole: number): void {
    this.#rows.level(this.#market, side, price, this.#own.at(side, price)?.shown ?? whole);
  }
}
