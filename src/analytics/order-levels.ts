/** Measures of own resting orders: fills and placed shares by side and level, and the queue ahead. */
import type { OrderFilled } from '../domain/index.ts';
import type { LevelRow, MeasuredOrder } from './measure-types.ts';

/** Ranks an order's price among the acknowledged own prices on its side; 1 is the best. */
export function rankLevel(order: number, sign: number, yesPrice: number, orders: readonly MeasuredOrder[]): number {
  const better = new Set<number>();
  for (const other of orders) {
    if (other.order === order || other.sign !== sign || !other.rests || other.phase === 'new') continue;
    if (sign * (other.yesPrice - yesPrice) > 0) better.add(other.yesPrice);
  }
  return better.size + 1;
}

/** Rows by side and level, created on demand. */
class LevelTable<Row> {
  readonly #bids: Row[] = [];
  readonly #asks: Row[] = [];
  readonly #createRow: (side: 'bid' | 'ask', level: number) => Row;

  constructor(createRow: (side: 'bid' | 'ask', level: number) => Row) {
    this.#createRow = createRow;
  }

  at(sign: number, level: number): Row {
    const rows = sign === 1 ? this.#bids : this.#asks;
    const row = rows[level - 1];
    if (row !== undefined) return row;
    rows.push(this.#createRow(sign === 1 ? 'bid' : 'ask', rows.length + 1));
    return this.at(sign, level);
  }

  /** Bids, then asks, best level first. */
  get rows(): readonly Row[] {
    return [...this.#bids, ...this.#asks];
  }
}

/** Maker fills, by the level of the order when it filled. */
export class LevelTotals {
  readonly #levels = new LevelTable((side, level) => ({ side, level, count: 0, shares: 0 }));

  /** @param factor -1 to remove a reversed fill */
  add(sign: number, level: number, shares: number, factor: 1 | -1 = 1): void {
    const row = this.#levels.at(sign, level);
    row.count += factor;
    row.shares += factor * shares;
  }

  rows(): readonly LevelRow[] {
    return this.#levels.rows.filter(({ count }) => count > 0);
  }
}

export interface PlacedLevel {
  readonly side: 'bid' | 'ask';
  /** 1 is the best own price of that side when the order was accepted. */
  readonly level: number;
  readonly orders: number;
  /** Micro-shares. */
  readonly placedShares: number;
  readonly filledShares: number;
}

type CountedFill = Pick<OrderFilled, 'order' | 'shares' | 'remaining' | 'trade' | 'provisional'>;

/** Placed and filled shares of resting orders, by level at acceptance. A replacement is a new order. */
export class FillRatio {
  readonly #levels = new LevelTable((side, level) => ({ side, level, orders: 0, placedShares: 0, filledShares: 0 }));
  /** The row of each open order, by order. */
  readonly #open = new Map<number, { filledShares: number }>();
  /** The row of each provisional fill, by trade. The fill's order may be closed. */
  readonly #provisional = new Map<string, { readonly row: { filledShares: number }; readonly shares: number }>();

  /** Adds an order that the venue accepted. @param orders open orders of the market, including the accepted order */
  addOrder(order: number, orders: readonly MeasuredOrder[]): void {
    const accepted = orders.find((candidate) => candidate.order === order);
    if (accepted === undefined || !accepted.rests || this.#open.has(order)) return;
    const row = this.#levels.at(accepted.sign, rankLevel(order, accepted.sign, accepted.yesPrice, orders));
    row.orders += 1;
    row.placedShares += accepted.remaining;
    this.#open.set(order, row);
  }

  addFill({ order, shares, remaining, trade, provisional }: CountedFill): void {
    const row = this.#open.get(order);
    if (row === undefined) return;
    row.filledShares += shares;
    if (provisional === true && trade !== undefined) this.#provisional.set(trade, { row, shares });
    if (remaining === 0) this.#open.delete(order);
  }

  settleFill(trade: string): void {
    this.#provisional.delete(trade);
  }

  reverseFill(trade: string): void {
    const fill = this.#provisional.get(trade);
    if (fill !== undefined) fill.row.filledShares -= fill.shares;
    this.#provisional.delete(trade);
  }

  removeOrder(order: number): void {
    this.#open.delete(order);
  }

  rows(): readonly PlacedLevel[] {
    return this.#levels.rows.filter(({ orders }) => orders > 0);
  }
}

export interface QueueAheadResult {
  readonly count: number;
  /** Mean micro-shares of others ahead of the order when the venue accepted it. */
  readonly atPlacing: number;
  /** Mean micro-shares ahead just before the fill; undefined if unknown, as at a real venue. */
  readonly atFill: number | undefined;
}

/** Share-weighted mean queue ahead of own maker orders, at their acceptance and just before their fills. */
export class QueueAhead {
  #count = 0;
  #shares = 0;
  #atPlacing = 0;
  #knownShares = 0;
  #atFill = 0;

  /** @param atPlacing micro-shares ahead at acceptance; undefined ignores the fill @param factor -1 removes a fill */
  add(shares: number, atPlacing: number | undefined, atFill: number | undefined, factor: 1 | -1 = 1): void {
    if (atPlacing === undefined) return;
    this.#count += factor;
    this.#shares += factor * shares;
    this.#atPlacing += factor * shares * atPlacing;
    if (atFill === undefined) return;
    this.#knownShares += factor * shares;
    this.#atFill += factor * shares * atFill;
  }

  result(): QueueAheadResult | undefined {
    if (this.#shares <= 0) return undefined;
    return {
      count: this.#count,
      atPlacing: this.#atPlacing / this.#shares,
      atFill: this.#knownShares <= 0 ? undefined : this.#atFill / this.#knownShares,
    };
  }
}
