/**
 * Shares placed and shares filled of resting orders, by their level when the venue accepted them. A replacement counts
 * as a new order, and the time that an order rests does not matter.
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
  /** The sum that each open order counts in, by order. */
  readonly #open = new Map<number, Sum>();

  /** Counts an order that the venue accepted. @param orders open orders of its market, including this one */
  accepted(order: number, orders: readonly MeasuredOrder[]): void {
    const accepted = orders.find((candidate) => candidate.order === order);
    if (accepted === undefined || !accepted.rests || this.#open.has(order)) return;
    const side = accepted.sign === 1 ? this.#sums.bid : this.#sums.ask;
    const level = levelOf(order, accepted.sign, accepted.yesPrice, orders);
    while (side.length < level) side.push({ orders: 0, placed: 0, filled: 0 });
    const sum = side[level - 1];
    if (sum === undefined) return;
    sum.orders += 1;
    sum.placed += accepted.remaining;
    this.#open.set(order, sum);
  }

  /** @param shares negative for a reversed fill @param remaining open micro-shares of the order after the fill */
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
