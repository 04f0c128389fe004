/** The best levels of a book up to a depth, and their changes. */
import { checksumOf, type Level, type Levels } from '../../presenters/book-presenter.ts';
import type { BookSides } from './book-track.ts';

export class DepthView implements Levels {
  readonly depth: number;
  bids: readonly Level[] = [];
  asks: readonly Level[] = [];

  constructor(depth: number, book: BookSides) {
    this.depth = depth;
    this.advance(book);
  }

  /** Updates the view from the book. @returns changed and new levels, and removed ones with zero shares; undefined for none */
  advance({ bids, asks }: BookSides): Levels | undefined {
    const [oldBids, oldAsks] = [this.bids, this.asks];
    this.bids = bids.levels.slice(0, this.depth);
    this.asks = asks.levels.slice(0, this.depth);
    const changed = { bids: difference(oldBids, this.bids, -1), asks: difference(oldAsks, this.asks, 1) };
    return changed.bids.length + changed.asks.length === 0 ? undefined : changed;
  }

  /** `0x` and eight hex digits. */
  checksum(): string {
    return checksumOf(this);
  }
}

/** @param order 1 for ascending prices, -1 for descending ones */
function difference(old: readonly Level[], now: readonly Level[], order: 1 | -1): readonly Level[] {
  const changed: Level[] = [];
  let at = 0;
  let next = 0;
  for (;;) {
    const was = old[at];
    const is = now[next];
    if (was === undefined && is === undefined) return changed;
    // A changed level is a new object, so the same object is an unchanged level.
    if (was === is) {
      at += 1;
      next += 1;
    } else if (is === undefined || (was !== undefined && order * (was.price - is.price) < 0)) {
      if (was !== undefined) changed.push({ price: was.price, shares: 0, orders: 0 });
      at += 1;
    } else {
      const isSame = was?.price === is.price;
      if (!isSame || was.shares !== is.shares || was.orders !== is.orders) changed.push(is);
      next += 1;
      if (isSame) at += 1;
    }
  }
}
