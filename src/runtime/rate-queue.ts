/**
 * Quote sets that wait for the venue's rate limit: the newest of each bot and market, the largest `quoteError` first. While
 * one waits, no other set that adds orders overtakes it. Sets that only cancel do not wait.
 */
import { type BotNo, counted, type EpochMs, type MarketNo } from '../domain/index.ts';
import type { RateBudget, RateCost } from '../execution/index.ts';

export class RateQueue {
  readonly budget: RateBudget;
  /** Keys of bot and market in the order of arrival. */
  readonly #waiting = new Set<number>();
  #wakeAt: EpochMs | undefined;

  constructor(budget: RateBudget) {
    this.budget = budget;
  }

  /** Time at which the first set fits the limit; undefined if none waits. */
  get wakeAt(): EpochMs | undefined {
    return this.#waiting.size === 0 ? undefined : this.#wakeAt;
  }

  /** Whether a set that adds orders has to wait. */
  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Appends a set. */
  addLast(key: number): void {
    this.#waiting.add(key);
  }

  /** Adds a set that did not fit now, and sets `wakeAt` to the time when it does. */
  addNext(key: number, cost: RateCost, now: EpochMs): void {
    this.#waiting.add(key);
    this.#wakeAt = this.budget.readyAt(cost, now);
  }

  remove(key: number): void {
    this.#waiting.delete(key);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Empties the queue. @returns all keys, the highest priority first, then in the order of arrival */
  drain(priorityOf: (key: number) => number): readonly number[] {
    const keys = [...this.#waiting];
    this.#waiting.clear();
    const priorities = new Map(keys.map((key) => [key, priorityOf(key)]));
    return keys.sort((a, b) => (priorities.get(b) ?? 0) - (priorities.get(a) ?? 0));
  }
}

/** One number for a bot in a market: rows count markets in 16 bits. */
export function key(bot: BotNo, market: MarketNo): number {
  return bot * 65_536 + market;
}

export function botOf(place: number): BotNo {
  return counted.bot(Math.floor(place / 65_536));
}

export function marketOf(place: number): MarketNo {
  return counted.market(place % 65_536);
}
