import { Ladder } from '../../book/index.ts';
import type { PriceGrid } from '../../domain/index.ts';
import { type Block, KIND, SIDE, STATUS_CODES } from '../../tape/index.ts';

const OPEN = STATUS_CODES.indexOf('OPEN');

/** Computes the book, status and mark (docs/spec/models.md#mark) of one market from all its rows. */
export class MarketReplay {
  readonly book: Ladder;
  /** Whether the market accepts orders. True until the first status row, as in a replay (`TradedMarket`). */
  isOpen = true;
  /** Mark times 2, bps: best bid + best ask after the last message with a two-sided book of an open market. */
  doubleMark: number | undefined;
  /** YES payout in bps, or `CANCELLED_PAYOUT`, once resolved. */
  payout: number | undefined;
  /** True from a gap row to the next clear. */
  isBookUnknown = false;
  placeDelayMs = 0;
  /** Level and trade rows at prices off the grid. The book leaves out levels off its tick. */
  offGrid = 0;
  /** Bid and ask prices of a list grid; undefined for a tick grid. */
  readonly #lists: readonly [ReadonlySet<number>, ReadonlySet<number>] | undefined;

  constructor(grid: PriceGrid) {
    this.book = Ladder.forGrid(grid);
    this.#lists = grid.type === 'tick' ? undefined : [new Set(grid.bids), new Set(grid.asks)];
  }

  /** Applies one row. Only `endMessage` changes the mark. */
  apply(block: Block, row: number): void {
    const price = block.price[row] ?? 0;
    const shares = block.shares[row] ?? 0;
    switch (block.kind[row]) {
      case KIND.level:
        if (!this.#hasPrice(block.side[row] ?? 0, price)) this.offGrid += 1;
        if (price % this.book.tickBps === 0 && !this.isBookUnknown) this.book.set(block.side[row] ?? 0, price, shares);
        break;
      case KIND.trade:
        if (!this.#hasPrice(SIDE.unknown, price)) this.offGrid += 1;
        break;
      case KIND.clear:
      case KIND.gap:
        this.book.clear();
        this.isBookUnknown = block.kind[row] === KIND.gap;
        break;
      case KIND.status:
        this.isOpen = price === OPEN;
        break;
      case KIND.resolution:
        this.isOpen = false;
        this.payout = price;
        break;
      case KIND.placeDelay:
        this.placeDelayMs = shares;
        break;
    }
  }

  #hasPrice(side: number, price: number): boolean {
    if (this.#lists === undefined) return price % this.book.tickBps === 0;
    const [bids, asks] = this.#lists;
    return (side !== SIDE.ask && bids.has(price)) || (side !== SIDE.bid && asks.has(price));
  }

  /** Updates the mark after the last row of a message. Returns the double mid; undefined when halted or one-sided. */
  endMessage(): number | undefined {
    const mid = this.isOpen ? this.book.doubleMid() : undefined;
    this.doubleMark = mid ?? this.doubleMark;
    return mid;
  }
}
