/**
 * Wishes that wait for the venue's rate limit: of each bot and market only the newest, the most wrong one first. While any
 * waits, none that adds overtakes it; what only takes away need not wait here.
 */
import type { EpochMs } from '../domain/index.ts';
import type { RateBudget, RateCost } from '../execution/index.ts';

export class Pacing {
  readonly budget: RateBudget;
  /** Keys of bot and market, in the order in which they began to wait. */
  readonly #waiting = new Set<number>();
  #wakeAt: EpochMs | undefined;

  constructor(budget: RateBudget) {
    this.budget = budget;
  }

  /** When the first of them can go; undefined while none waits. */
  get wakeAt(): EpochMs | undefined {
    return this.#waiting.size === 0 ? undefined : this.#wakeAt;
  }

  /** Whether a wish that adds has to wait behind others. */
  get queued(): boolean {
    return this.#waiting.size > 0;
  }

  /** One that waits behind the others. */
  join(key: number): void {
    this.#waiting.add(key);
  }

  /** The one that did not fit now: it is the next to go. */
  wait(key: number, cost: RateCost, now: EpochMs): void {
    this.#waiting.add(key);
    this.#wakeAt = this.budget.readyAt(cost, now);
  }

  leave(key: number): void {
    this.#waiting.delete(key);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** All that wait, those with the highest figure first, of equals those that came first; none waits any more. */
  drain(figure: (key: number) => number): readonly number[] {
    const keys = [...this.#waiting];
    this.#waiting.clear();
    const figures = new Map(keys.map((key) => [key, figure(key)]));
    return keys.sort((a, b) => (figures.get(b) ?? 0) - (figures.get(a) ?? 0));
  }
}
