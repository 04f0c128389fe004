import { FLAG, KIND, SIDE } from '../../tape/index.ts';
import type { ImportCounts } from './counts.ts';
import { type LevelChange, other, type SavedMarket } from './market-rows.ts';
import { OrderQueues } from './order-queues.ts';
import { type BookSideCode, SideLevels } from './side-levels.ts';

/** The book of a market that is being imported. Prices are bps in terms of YES, sizes micro-shares. */
export class ImportedBook {
  readonly #counts: ImportCounts;
  readonly #sides = [new SideLevels(true), new SideLevels(false)] as const;
  /** From the first order with an id on. */
  #orders: OrderQueues | undefined;
  /** It began empty, or a full one came and no gap after it. */
  isKnown: boolean;
  /** Lost, until `start`. */
  isGap = false;

  /** @param startsEmpty whether it is known before the first full book */
  constructor(startsEmpty: boolean, counts: ImportCounts) {
    this.isKnown = startsEmpty;
    this.#counts = counts;
  }

  /** The best price of a side after the rows so far, sizes below one lot included; undefined for an empty side. */
  best(side: BookSideCode): number | undefined {
    return this.#sides[side].sourceBest();
  }

  /** A full book follows. @returns whether it ends a gap */
  start(): boolean {
    const wasGap = this.isGap;
    this.isKnown = true;
    this.isGap = false;
    return wasGap;
  }

  /** Messages were lost: the book is unknown until `start`. */
  lose(): void {
    for (const side of this.#sides) side.clear();
    this.#orders?.clear();
    this.isKnown = false;
    this.isGap = true;
  }

  /** Every level of a side is 0 until it is set. */
  empty(side: BookSideCode): void {
    this.#sides[side].empty();
  }

  /** @param price of the grid @param source price of the source @param isDelta whether the size is a change */
  set(side: BookSideCode, price: number, source: number, microShares: number, isDelta: boolean): LevelChange {
    const before = this.#sides[side].sizeAt(price, source);
    const size = isDelta ? before + microShares : microShares;
    if (size < 0) this.#counts.change('level below 0 after a change: removed');
    this.#sides[side].set(price, source, Math.max(0, size));
    if (size < 0) return 'below 0';
    return size === before ? 'unchanged' : 'set';
  }

  /** An order comes. @returns false when an order with its id is there */
  insert(id: string, side: BookSideCode, price: number, source: number, microShares: number): boolean {
    this.#orders ??= new OrderQueues();
    if (this.#orders.get(id) !== undefined) return false;
    this.#orders.insert(id, side, price, source, microShares);
    this.set(side, price, source, microShares, true);
    return true;
  }

  /** An order is reduced by so much, or goes. @returns what was left of it; undefined when it is not there */
  cancel(id: string, microShares: number | undefined): number | undefined {
    const order = this.#orders?.get(id);
    if (order === undefined) return undefined;
    const { side, price, source, shares } = order;
    const less = Math.min(shares, microShares ?? shares);
    this.#orders?.reduce(id, less);
    this.set(side, price, source, -less, true);
    return shares;
  }

  /** A trade took from a side. */
  print(side: BookSideCode, price: number, microShares: number): void {
    this.#orders?.print(side, price, microShares);
  }

  /**
   * Adds the print that the open changes of a repeated full book show, if they do. Only what stood at the best price and
   * is gone can have been traded, and only when nothing else explains it.
   */
  infer(prints: number[]): void {
    const { inferred } = this.#counts;
    const falls = ([SIDE.bid, SIDE.ask] as const).map((side) => {
      const levels = this.#sides[side];
      const [before, after] = [levels.shownBest(), levels.newBest()];
      const isBetter =
        after !== undefined && (before === undefined || (side === SIDE.bid ? after > before : after < before));
      return { side, price: before ?? 0, isBetter, fall: before === undefined ? 0 : levels.fallAt(before) };
    });
    const fallen = falls.filter(({ fall }) => fall > 0);
    const [only] = fallen;
    if (only === undefined) return;
    if (fallen.length > 1 || falls.some(({ isBetter }) => isBetter)) {
      inferred.unexplained += fallen.length;
      return;
    }
    inferred.prints += 1;
    inferred.shares.add(only.fall);
    prints.push(KIND.trade, other(only.side), only.price, only.fall, FLAG.inferred);
  }

  /** Closes the open changes: adds their rows, and the falls as `MarketRows` has them. */
  flush(rows: number[], falls: number[]): void {
    for (const side of [SIDE.bid, SIDE.ask] as const) {
      this.#sides[side].flush((price, before, after, total) => {
        if (after < before) falls.push(side, price, before - after);
        if (this.#orders !== undefined) this.#flushOrders(this.#orders, side, price, before, total, rows);
        else if (after !== before) rows.push(KIND.level, side, price, after, 0);
      });
    }
  }

  save(): Pick<SavedMarket, 'bids' | 'asks' | 'orders' | 'hasBook' | 'isGap'> {
    const [bids, asks] = this.#sides;
    return {
      bids: bids.save(),
      asks: asks.save(),
      orders: this.#orders?.save() ?? [],
      hasBook: this.isKnown,
      isGap: this.isGap,
    };
  }

  restore({ bids, asks, orders, hasBook, isGap }: SavedMarket): void {
    this.#sides[SIDE.bid].restore(bids);
    this.#sides[SIDE.ask].restore(asks);
    if (orders.length > 0) {
      this.#orders = new OrderQueues();
      this.#orders.restore(orders);
    }
    this.isKnown = hasBook;
    this.isGap = isGap;
  }

  #flushOrders(
    orders: OrderQueues,
    side: BookSideCode,
    price: number,
    before: number,
    total: number,
    rows: number[],
  ): void {
    const isSound = orders.flush(side, price, before, total, (size, ahead) => {
      if (ahead !== undefined) rows.push(KIND.ahead, side, price, ahead, 0);
      rows.push(KIND.level, side, price, size, 0);
    });
    if (!isSound) this.#counts.change('level below the sum of its orders: they count as unknown ones');
  }
}
