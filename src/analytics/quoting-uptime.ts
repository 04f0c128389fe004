/**
 * Two-sided uptime and time at the best price (docs/spec/models.md#two-sided-uptime). Uptime is the share of the open
 * time with large enough own bids and asks near the mid. The market is open while it accepts orders and the outside
 * book has two sides. An order counts from its acknowledgement to its confirmed end.
 */
import type { MeasuredOrder } from './measure-types.ts';
import { TimeIntegral } from './time-integral.ts';

export interface QuoteStandard {
  /** Minimum size of each side within the spread, micro-shares. */
  readonly minShares: number;
  /** Maximum distance from the mid, bps. */
  readonly maxSpreadBps: number;
}

/** Shares of the open time, 0..1, in which the own quote equals or improves the best outside price. */
export interface TimeAtBest {
  readonly bid: number;
  readonly ask: number;
  readonly both: number;
}

export class QuotingUptime {
  readonly #standard: QuoteStandard;
  readonly #open = new TimeIntegral();
  readonly #quoted = new TimeIntegral();
  readonly #atBest = { bid: new TimeIntegral(), ask: new TimeIntegral(), both: new TimeIntegral() };
  #wasOpen = false;
  #bid = 0;
  #ask = 0;

  constructor(standard: QuoteStandard) {
    this.#standard = standard;
  }

  /**
   * Call it after each market message. It returns at once while neither the touch nor `open` changed.
   * @param open whether orders are accepted and the outside book has two sides
   * @param bid best outside bid, bps
   * @param ask best outside ask, bps
   */
  message(time: number, open: boolean, bid: number, ask: number, orders: readonly MeasuredOrder[]): void {
    if (open === this.#wasOpen && bid === this.#bid && ask === this.#ask) return;
    this.#wasOpen = open;
    this.#bid = bid;
    this.#ask = ask;
    this.#open.set(time, open ? 1 : 0);
    this.orders(time, orders);
  }

  orders(time: number, orders: readonly MeasuredOrder[]): void {
    const isOpen = this.#wasOpen;
    this.#quoted.set(time, isOpen && this.#twoSided(orders) ? 1 : 0);
    let [bid, ask] = [false, false];
    if (isOpen) {
      for (const { phase, rests, sign, yesPrice } of orders) {
        if (phase === 'new' || !rests) continue;
        if (sign === 1) bid ||= yesPrice >= this.#bid;
        else ask ||= yesPrice <= this.#ask;
      }
    }
    this.#atBest.bid.set(time, bid ? 1 : 0);
    this.#atBest.ask.set(time, ask ? 1 : 0);
    this.#atBest.both.set(time, bid && ask ? 1 : 0);
  }

  /** Two-sided share of the open time, 0..1; undefined when the market was never open. */
  share(end: number): number | undefined {
    const open = this.#open.until(end);
    return open > 0 ? this.#quoted.until(end) / open : undefined;
  }

  /** Undefined when the market was never open. */
  atBest(end: number): TimeAtBest | undefined {
    const open = this.#open.until(end);
    if (open <= 0) return undefined;
    const { bid, ask, both } = this.#atBest;
    return { bid: bid.until(end) / open, ask: ask.until(end) / open, both: both.until(end) / open };
  }

  #twoSided(orders: readonly MeasuredOrder[]): boolean {
    const { minShares, maxSpreadBps } = this.#standard;
    const mark = this.#bid + this.#ask;
    let bids = 0;
    let asks = 0;
    for (const { phase, rests, sign, yesPrice, remaining } of orders) {
      if (phase === 'new' || !rests || Math.abs(2 * yesPrice - mark) > 2 * maxSpreadBps) continue;
      if (sign === 1) bids += remaining;
      else asks += remaining;
    }
    return bids > 0 && asks > 0 && bids >= minShares && asks >= minShares;
  }
}
