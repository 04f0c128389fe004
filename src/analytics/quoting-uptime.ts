/**
 * Two-sided uptime (docs/spec/models.md#two-sided-uptime): time with own bids and own asks acknowledged, large enough
 * and near enough to the mid, over time in which the market accepts orders and the outside book has two sides. Both as
 * the bot knows them: an order counts from its acknowledgement to its confirmed end.
 */
import type { MeasuredOrder } from './figures.ts';
import { TimeIntegral } from './time-integral.ts';

export interface QuoteStandard {
  /** Least size of a side within the spread, micro-shares. */
  readonly minShares: number;
  /** Largest distance from the mid, bps. */
  readonly maxSpreadBps: number;
}

export class QuotingUptime {
  readonly #standard: QuoteStandard;
  readonly #open = new TimeIntegral();
  readonly #quoted = new TimeIntegral();
  #wasOpen = false;
  #mark = -1;

  constructor(standard: QuoteStandard) {
    this.#standard = standard;
  }

  /**
   * After a market message; cheap while neither mid nor state has moved.
   * @param mark double mid in force, -1 before the first
   * @param open whether orders are accepted and the outside book has two sides
   */
  message(time: number, open: boolean, mark: number, orders: readonly MeasuredOrder[]): void {
    if (open === this.#wasOpen && mark === this.#mark) return;
    this.#wasOpen = open;
    this.#mark = mark;
    this.#open.set(time, open ? 1 : 0);
    this.orders(time, orders);
  }

  orders(time: number, orders: readonly MeasuredOrder[]): void {
    this.#quoted.set(time, this.#wasOpen && this.#twoSided(orders) ? 1 : 0);
  }

  /** Share of the open time, 0..1; undefined when it was never open. */
  share(end: number): number | undefined {
    const open = this.#open.until(end);
    return open > 0 ? this.#quoted.until(end) / open : undefined;
  }

  #twoSided(orders: readonly MeasuredOrder[]): boolean {
    const { minShares, maxSpreadBps } = this.#standard;
    let bids = 0;
    let asks = 0;
    for (const { phase, rests, sign, yesPrice, remaining } of orders) {
      if (phase === 'new' || !rests || Math.abs(2 * yesPrice - this.#mark) > 2 * maxSpreadBps) continue;
      if (sign === 1) bids += remaining;
      else asks += remaining;
    }
    return bids > 0 && asks > 0 && bids >= minShares && asks >= minShares;
  }
}
