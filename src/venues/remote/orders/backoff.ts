/** Waits between repeats of one command: they double, and after `MOST_TRIES` in a row there is one only now and then. */
import { boundedWait } from '../../../network/index.ts';

const FIRST_MS = 100;
const LONGEST_MS = 2_000;
/** Repeats in a row after which a command counts as one that does not get through. */
export const MOST_TRIES = 10;
const SLOW_MS = 10_000;

export class Backoff {
  #tries = 0;

  /** Repeats in a row. */
  get tries(): number {
    return this.#tries;
  }

  /** It got through. */
  reset(): void {
    this.#tries = 0;
  }

  /** How long to wait before the next repeat, ms. @param leastMs as the venue said */
  next(leastMs = 0): number {
    const wait = this.#tries >= MOST_TRIES ? SLOW_MS : Math.min(FIRST_MS << this.#tries, LONGEST_MS);
    this.#tries += 1;
    return Math.max(boundedWait(leastMs), wait);
  }
}
