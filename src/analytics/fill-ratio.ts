/**
 * What became of resting orders by the level on which the venue took them in: shares placed and shares filled. An order
 * that is replaced counts again, so the ratio is of what was offered, however long it stood.
 */
import type { MeasuredOrder } from './figures.ts';
import { levelOf } from './order-levels.ts';

export interface PlacedLevel {
  readonly side: 'bid' | 'ask';
  /** 1 is the best own price of that side when the order was accepted. */
  readonly level: number;
  readonly orders: number;
  /** Micro-shares. */
  readonly placedShares: number;
  readonly filledShares: number;
}

interface Sum {
  orders: number;
  placed: number;
  filled: number;
}

export class FillRatio {
  readonly #sums: { readonly bid: Sum[]; readonly ask: Sum[] } = { bid: [], ask: [] };
  /** Of open orders. */
  readonly #open = new Map<number, Sum>();

  /** The venue took an order in. @param orders the open orders of its market, itself among them */
  accepted(order: number, orders: readonly MeasuredOrder[]): void {
    const own = orders.find((one) => one.order === order);
    if (own === undefined || !own.rests || this.#open.has(order)) return;
    const side = own.sign === 1 ? this.#sums.bid : this.#sums.ask;
    const level = levelOf(order, own.sign, own.yesPrice, orders);
    while (side.length < level) side.push({ orders: 0, placed: 0, filled: 0 });
    const sum = side[level - 1];
    if (sum === undefined) return;
    sum.orders += 1;
    sum.placed += own.remaining;
    this.#open.set(order, sum);
  }

  /** @param shares negative for a fill that the venue took back @param remaining of the order */
  filled(order: number, shares: number, remaining: number): void {
    const sum = this.#open.get(order);
    if (sum !== undefined) sum.filled += shares;
    if (remaining === 0) this.#open.delete(order);
  }

  closed(order: number): void {
    this.#open.delete(order);
  }

  /** Bids, then asks, best level first. */
  rows(): readonly PlacedLevel[] {
    return (['bid', 'ask'] as const).flatMap((side) =>
      this.#sums[side]
        .map(({ orders, placed, filled }, index) => ({
          side,
          level: index + 1,
          orders,
          placedShares: placed,
          filledShares: filled,
        }))
        .filter(({ orders }) => orders > 0),
    );
  }
}
