/**
 * Quote sets that wait for the venue's rate limit, at most one for each strategy instance and market. `drain` sorts
 * them by priority. While a set waits, every other set with quotes waits too. A set without quotes cancels at once.
 */
import { type EpochMs, type InstanceNo, type MarketNo, unchecked } from '../domain/index.ts';
import type { RateBudget, RateCost } from '../execution/index.ts';

export class RateQueue {
  readonly budget: RateBudget;
  /** Keys of instance and market, in order of arrival. */
  readonly #waiting = new Set<number>();
  #wakeAt: EpochMs | undefined;

  constructor(budget: RateBudget) {
    this.budget = budget;
  }

  /** Time at which the blocked set fits the limit; undefined if the queue is empty. */
  get wakeAt(): EpochMs | undefined {
    return this.#waiting.size === 0 ? undefined : this.#wakeAt;
  }

  /** Whether a set waits, so that new sets must wait too. */
  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Adds a set behind a blocked set. */
  add(key: number): void {
    this.#waiting.add(key);
  }

  /** Adds a set that exceeds the limit now, and sets `wakeAt` to the time at which the set fits. */
  addBlocked(key: number, cost: RateCost, now: EpochMs): void {
    this.#waiting.add(key);
    this.#wakeAt = this.budget.readyAt(cost, now);
  }

  remove(key: number): void {
    this.#waiting.delete(key);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Empties the queue. @returns all keys by descending priority; keys of equal priority in order of arrival */
  drain(computePriority: (key: number) => number): readonly number[] {
    const keys = [...this.#waiting];
    this.#waiting.clear();
    const priorities = new Map(keys.map((key) => [key, computePriority(key)]));
    return keys.sort((a, b) => (priorities.get(b) ?? 0) - (priorities.get(a) ?? 0));
  }
}

/** Returns one number for an instance and a market. Market numbers have 16 bits. */
export function toQuoteKey(instance: InstanceNo, market: MarketNo): number {
  return instance * 65_536 + market;
}

export function instanceInKey(key: number): InstanceNo {
  return unchecked.instance(Math.floor(key / 65_536));
}

export function marketInKey(key: number): MarketNo {
  return unchecked.market(key % 65_536);
}
