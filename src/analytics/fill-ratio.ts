/**
 * Shares placed and shares filled of resting orders, by their level when the venue accepted them. A replacement counts
 * as a new order, and the time that an order rests does not matter.
 */
import type { OrderFilled } from '../domain/index.ts';
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

type CountedFill = Pick<OrderFilled, 'order' | 'shares' | 'remaining' | 'trade' | 'provisional'>;

interface Sum {
  orders: number;
  placed: number;
  filled: number;
}

export class FillRatio {
  readonly #sums: { readonly bid: Sum[]; readonly ask: Sum[] } = { bid: [], ask: [] };
  /** The sum that each open order counts in, by order. */
  readonly #open = new Map<number, Sum>();
  /** The sum that each reversible fill counts in, by trade. The order of a fill may have closed. */
  readonly #provisional = new Map<string, { readonly sum: Sum; readonly shares: number }>();

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

  filled({ order, shares, remaining, trade, provisional }: CountedFill): void {
    const sum = this.#open.get(order);
    if (sum === undefined) return;
    sum.filled += shares;
    if (provisional === true && trade !== undefined) this.#provisional.set(trade, { sum, shares });
    if (remaining === 0) this.#open.delete(order);
  }

  settled(trade: string): void {
    this.#provisional.delete(trade);
  }

  /** Removes a fill that the venue reversed. */
  reversed(trade: string): void {
    const fill = this.#provisional.get(trade);
    if (fill !== undefined) fill.sum.filled -= fill.shares;
    this.#provisional.delete(trade);
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
