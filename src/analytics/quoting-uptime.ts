/**
 * Two-sided uptime and time at the best price (docs/spec/models.md#two-sided-uptime). Uptime is the share of the open
 * time with large enough own bids and asks near the mid. A market is open while it accepts orders and the book of
 * others has two sides. An order counts from its acknowledgement to its confirmed end.
 */
import type { MeasuredOrder } from './measure-types.ts';
import { TimeIntegral } from './time-statistics.ts';

/** What an own quote must be to count as two-sided. */
export interface UptimeConditions {
  /** Minimum size of each side within the spread, micro-shares. */
  readonly minShares: number;
  /** Maximum distance from the mid, bps. */
  readonly maxSpreadBps: number;
}

/** Shares of the open time, 0 … 1, in which the own quote equals or improves the best price of others. */
export interface TimeAtBest {
  readonly bid: number;
  readonly ask: number;
  readonly both: number;
}

export class QuotingUptime {
  readonly #conditions: UptimeConditions;
  readonly #open = new TimeIntegral();
  readonly #quoted = new TimeIntegral();
  readonly #atBest = { bid: new TimeIntegral(), ask: new TimeIntegral(), both: new TimeIntegral() };
  #wasOpen = false;
  #bid = 0;
  #ask = 0;

  constructor(conditions: UptimeConditions) {
    this.#conditions = conditions;
  }

  /** Call this after each market message. @param bid best bid of others, bps @param ask best ask of others, bps */
  updateMarket(time: number, isOpen: boolean, bid: number, ask: number, orders: readonly MeasuredOrder[]): void {
    if (isOpen === this.#wasOpen && bid === this.#bid && ask === this.#ask) return;
    this.#wasOpen = isOpen;
    this.#bid = bid;
    this.#ask = ask;
    this.#open.set(time, isOpen ? 1 : 0);
    this.updateOrders(time, orders);
  }

  updateOrders(time: number, orders: readonly MeasuredOrder[]): void {
    const isOpen = this.#wasOpen;
    this.#quoted.set(time, isOpen && this.#isTwoSided(orders) ? 1 : 0);
    let [isBidBest, isAskBest] = [false, false];
    if (isOpen) {
      for (const { phase, rests, sign, yesPrice } of orders) {
        if (phase === 'new' || !rests) continue;
        if (sign === 1) isBidBest ||= yesPrice >= this.#bid;
        else isAskBest ||= yesPrice <= this.#ask;
      }
    }
    this.#atBest.bid.set(time, isBidBest ? 1 : 0);
    this.#atBest.ask.set(time, isAskBest ? 1 : 0);
    this.#atBest.both.set(time, isBidBest && isAskBest ? 1 : 0);
  }

  /** Returns the two-sided share of the open time, 0 … 1; undefined if the market was never open. */
  share(end: number): number | undefined {
    const open = this.#open.integral(end);
    return open > 0 ? this.#quoted.integral(end) / open : undefined;
  }

  atBest(end: number): TimeAtBest | undefined {
    const open = this.#open.integral(end);
    if (open <= 0) return undefined;
    const { bid, ask, both } = this.#atBest;
    return { bid: bid.integral(end) / open, ask: ask.integral(end) / open, both: both.integral(end) / open };
  }

  #isTwoSided(orders: readonly MeasuredOrder[]): boolean {
    const { minShares, maxSpreadBps } = this.#conditions;
    const doubleMid = this.#bid + this.#ask;
    let bids = 0;
    let asks = 0;
    for (const { phase, rests, sign, yesPrice, remaining } of orders) {
      if (phase === 'new' || !rests || Math.abs(2 * yesPrice - doubleMid) > 2 * maxSpreadBps) continue;
      if (sign === 1) bids += remaining;
      else asks += remaining;
    }
    return bids > 0 && asks > 0 && bids >= minShares && asks >= minShares;
  }
}
