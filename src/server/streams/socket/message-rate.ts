import type { EpochMs } from '../../../domain/index.ts';

/** A token bucket of messages. It holds up to two seconds' worth. */
export class MessageRate {
  readonly #perSecond: number;
  #tokens: number;
  #at: EpochMs | undefined;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = 2 * perSecond;
  }

  /** @returns whether one more message is within the rate */
  take(now: EpochMs): boolean {
    const since = Math.max(0, now - (this.#at ?? now));
    this.#at = now;
    this.#tokens = Math.min(2 * this.#perSecond, this.#tokens + (since * this.#perSecond) / 1000);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
