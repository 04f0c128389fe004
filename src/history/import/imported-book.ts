import { FLAG, KIND, SIDE } from '../../tape/index.ts';
import type { ImportCounts } from './counts.ts';
import { type LevelChange, oppositeSide, type SavedMarket, type SizeMeaning } from './market-rows.ts';
import { OrderQueues } from './order-queues.ts';
import { type BookSideCode, SideLevels } from './side-levels.ts';

/** The book of a market during its import. Prices are bps of YES, sizes micro-shares. */
export class ImportedBook {
  readonly #counts: ImportCounts;
  readonly #sides = [new SideLevels(SIDE.bid), new SideLevels(SIDE.ask)] as const;
  #orders: OrderQueues | undefined;
  /** Whether the book is known: it began empty or with a full book, and no gap followed. */
  isKnown: boolean;
  /** Whether a gap made the book unknown. The next full book ends the gap. */
  isInGap = false;

  /** @param startsEmpty whether the book is known before the first full book */
  constructor(startsEmpty: boolean, counts: ImportCounts) {
    this.isKnown = startsEmpty;
    this.#counts = counts;
  }

  /** Returns the best price after the rows so far, including sizes below one lot; undefined for an empty side. */
  best(side: BookSideCode): number | undefined {
    return this.#sides[side].sourceBest();
  }

  /** Begins a full book. Returns whether the full book ends a gap. */
  startFullBook(): boolean {
    const wasInGap = this.isInGap;
    this.isKnown = true;
    this.isInGap = false;
    return wasInGap;
  }

  startGap(): void {
    for (const side of this.#sides) side.clear();
    this.#orders?.clear();
    this.isKnown = false;
    this.isInGap = true;
  }

  empty(side: BookSideCode): void {
    this.#sides[side].empty();
  }

  /** @param price price on the grid @param means whether `microShares` is the new size or a change of the size */
  set(side: BookSideCode, price: number, sourcePrice: number, microShares: number, means: SizeMeaning): LevelChange {
    const before = this.#sides[side].sizeAt(price, sourcePrice);
    const size = means === 'change' ? before + microShares : microShares;
    if (size < 0) this.#counts.countChanged('level below 0 after a change: removed');
    this.#sides[side].set(price, sourcePrice, Math.max(0, size));
    if (size < 0) return 'below 0';
    return size === before ? 'unchanged' : 'set';
  }

  /** Adds an order. Returns false if its id is in use. */
  insert(id: string, side: BookSideCode, price: number, sourcePrice: number, microShares: number): boolean {
    this.#orders ??= new OrderQueues();
    if (this.#orders.get(id) !== undefined) return false;
    this.#orders.insert(id, side, price, sourcePrice, microShares);
    this.set(side, price, sourcePrice, microShares, 'change');
    return true;
  }

  /** Reduces an order by a size, or removes it. Returns its previous size; undefined for an unknown order. */
  cancel(id: string, microShares: number | undefined): number | undefined {
    const order = this.#orders?.get(id);
    if (order === undefined) return undefined;
    const { side, price, sourcePrice, shares } = order;
    const decrease = Math.min(shares, microShares ?? shares);
    this.#orders?.reduce(id, decrease);
    this.set(side, price, sourcePrice, -decrease, 'change');
    return shares;
  }

  addTrade(side: BookSideCode, price: number, microShares: number): void {
    this.#orders?.addTrade(side, price, microShares);
  }

  /** Infers a print between two full books if exactly one best level decreased and no side has a better price. */
  inferPrint(prints: number[]): void {
    const { inferred } = this.#counts;
    const sides = ([SIDE.bid, SIDE.ask] as const).map((side) => {
      const levels = this.#sides[side];
      const [before, after] = [levels.shownBest(), levels.newBest()];
      const isBetter =
        after !== undefined && (before === undefined || (side === SIDE.bid ? after > before : after < before));
      return { side, price: before ?? 0, isBetter, decrease: before === undefined ? 0 : levels.decreaseAt(before) };
    });
    const decreased = sides.filter(({ decrease }) => decrease > 0);
    const [only] = decreased;
    if (only === undefined) return;
    if (decreased.length > 1 || sides.some(({ isBetter }) => isBetter)) {
      inferred.unexplained += decreased.length;
      return;
    }
    inferred.prints += 1;
    inferred.shares.add(only.decrease);
    prints.push(KIND.trade, oppositeSide(only.side), only.price, only.decrease, FLAG.inferred);
  }

  /** Ends the message. Appends its rows and level decreases in the format of `MarketRows`. */
  flush(rows: number[], decreases: number[]): void {
    for (const side of [SIDE.bid, SIDE.ask] as const) {
      this.#sides[side].flush((price, before, after, exactSize) => {
        if (after < before) decreases.push(side, price, before - after);
        if (this.#orders !== undefined) this.#flushOrders(this.#orders, side, price, before, exactSize, rows);
        else if (after !== before) rows.push(KIND.level, side, price, after, 0);
      });
    }
  }

  save(): Pick<SavedMarket, 'bids' | 'asks' | 'orders' | 'hasBook' | 'isGap'> {
    const [bids, asks] = this.#sides;
    const orders = this.#orders?.save() ?? [];
    return { bids: bids.save(), asks: asks.save(), orders, hasBook: this.isKnown, isGap: this.isInGap };
  }

  restore({ bids, asks, orders, hasBook, isGap }: SavedMarket): void {
    this.#sides[SIDE.bid].restore(bids);
    this.#sides[SIDE.ask].restore(asks);
    if (orders.length > 0) {
      this.#orders = new OrderQueues();
      this.#orders.restore(orders);
    }
    this.isKnown = hasBook;
    this.isInGap = isGap;
  }

  #flushOrders(
    orders: OrderQueues,
    side: BookSideCode,
    price: number,
    before: number,
    exactSize: number,
    rows: number[],
  ): void {
    const isConsistent = orders.flush(side, price, before, exactSize, (size, ahead) => {
      if (ahead !== undefined) rows.push(KIND.ahead, side, price, ahead, 0);
      rows.push(KIND.level, side, price, size, 0);
    });
    if (!isConsistent) this.#counts.countChanged('level below the sum of its orders: the orders become unknown');
  }
}
