import { Ladder } from '../../book/index.ts';
import type { PriceGrid } from '../../domain/index.ts';
import { type Block, KIND, SIDE, STATUS_CODES } from '../../tape/index.ts';

const OPEN = STATUS_CODES.indexOf('OPEN');

/** Book, status and mark (docs/spec/models.md#mark) of one market; takes every row of it. */
export class MarketReplay {
  readonly book: Ladder;
  /** Whether the market takes orders; until the first status row it does, as in a replay (`MarketWorld`). */
  open = true;
  /** Best bid + best ask of the last message that left both sides standing in an open market. */
  mark: number | undefined;
  /** YES payout in bps, or `CANCELLED_PAYOUT`, once resolved. */
  payout: number | undefined;
  /** In a gap of the recording: there is no book until the next clear. */
  isLost = false;
  placeDelayMs = 0;
  /** Level and trade rows at prices off the grid; levels that the tick does not know are left out of the book. */
  offGrid = 0;
  /** Prices of the grid's lists, by side; undefined where it is a tick. */
  readonly #lists: readonly [ReadonlySet<number>, ReadonlySet<number>] | undefined;

  constructor(grid: PriceGrid) {
    this.book = Ladder.forGrid(grid);
    this.#lists = grid.type === 'tick' ? undefined : [new Set(grid.bids), new Set(grid.asks)];
  }

  /** Takes one row; the mark changes only by `endMessage`. */
  apply(block: Block, row: number): void {
    const price = block.price[row] ?? 0;
    const shares = block.shares[row] ?? 0;
    switch (block.kind[row]) {
      case KIND.level:
        if (!this.#hasPrice(block.side[row] ?? 0, price)) this.offGrid += 1;
        if (price % this.book.tickBps === 0 && !this.isLost) this.book.set(block.side[row] ?? 0, price, shares);
        break;
      case KIND.trade:
        if (!this.#hasPrice(SIDE.unknown, price)) this.offGrid += 1;
        break;
      case KIND.clear:
      case KIND.gap:
        this.book.clear();
        this.isLost = block.kind[row] === KIND.gap;
        break;
      case KIND.status:
        this.open = price === OPEN;
        break;
      case KIND.resolution:
        this.open = false;
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

  /** After the last row of a message: the double mid now, undefined when halted or one-sided. */
  endMessage(): number | undefined {
    const mid = this.open ? this.book.doubleMid() : undefined;
    this.mark = mid ?? this.mark;
    return mid;
  }
}
