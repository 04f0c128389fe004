/** The best levels of a book up to a depth, and their changes. */
import { computeChecksum, type Level, type Levels } from '../../presenters/book-presenter.ts';
import type { BookSides } from './book-history.ts';

export class DepthView implements Levels {
  readonly depth: number;
  bids: readonly Level[] = [];
  asks: readonly Level[] = [];

  constructor(depth: number, book: BookSides) {
    this.depth = depth;
    this.update(book);
  }

  /** Updates the view. Returns the changed levels, with zero shares for removed levels; undefined for no change. */
  update({ bids, asks }: BookSides): Levels | undefined {
    const [oldBids, oldAsks] = [this.bids, this.asks];
    this.bids = bids.levels.slice(0, this.depth);
    this.asks = asks.levels.slice(0, this.depth);
    const changed = { bids: findChanges(oldBids, this.bids, -1), asks: findChanges(oldAsks, this.asks, 1) };
    return changed.bids.length + changed.asks.length === 0 ? undefined : changed;
  }

  /** `0x` and eight hex digits. */
  checksum(): string {
    return computeChecksum(this);
  }
}

/** @param direction 1 for ascending prices, -1 for descending prices */
function findChanges(oldLevels: readonly Level[], newLevels: readonly Level[], direction: 1 | -1): readonly Level[] {
  const changed: Level[] = [];
  let oldIndex = 0;
  let newIndex = 0;
  for (;;) {
    const before = oldLevels[oldIndex];
    const after = newLevels[newIndex];
    if (before === undefined && after === undefined) return changed;
    // A changed level is a new object, so the same object is an unchanged level.
    if (before === after) {
      oldIndex += 1;
      newIndex += 1;
    } else if (after === undefined || (before !== undefined && direction * (before.price - after.price) < 0)) {
      if (before !== undefined) changed.push({ price: before.price, shares: 0, orders: 0 });
      oldIndex += 1;
    } else {
      const isSamePrice = before?.price === after.price;
      if (!isSamePrice || before.shares !== after.shares || before.orders !== after.orders) changed.push(after);
      newIndex += 1;
      if (isSamePrice) oldIndex += 1;
    }
  }
}
