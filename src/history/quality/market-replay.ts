import { Ladder } from '../../book/index.ts';
import type { PriceGrid } from '../../domain/index.ts';
import { type Block, KIND, STATUS_CODES } from '../../tape/index.ts';

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
  placeDelayMs = 0;
  /** Level rows at prices that the market's tick does not know; they are left out of the book. */
  offGrid = 0;

  constructor(grid: PriceGrid) {
    this.book = Ladder.forGrid(grid);
  }

  /** Takes one row; the mark changes only by `endMessage`. */
  apply(block: Block, row: number): void {
    const price = block.price[row] ?? 0;
    const shares = block.shares[row] ?? 0;
    switch (block.kind[row]) {
      case KIND.level:
        if (price % this.book.tickBps === 0) this.book.set(block.side[row] ?? 0, price, shares);
        else this.offGrid += 1;
        break;
      case KIND.clear:
        this.book.clear();
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

  /** After the last row of a message: the double mid now, undefined when halted or one-sided. */
  endMessage(): number | undefined {
    const mid = this.open ? this.book.doubleMid() : undefined;
    this.mark = mid ?? this.mark;
    return mid;
  }
}
