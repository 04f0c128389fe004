/** Counts wrong passwords and tokens of the last minute, by address: guessing has to be slow. */

const WINDOW_MS = 60_000;

export interface AttemptLimits {
  /** Failures of one address. */
  readonly ofOne: number;
  /** Failures of all addresses together; also bounds what is kept. */
  readonly ofAll: number;
}

export class FailedAttempts {
  readonly #limits: AttemptLimits;
  /** Times of failures by address. */
  readonly #failures = new Map<string, readonly number[]>();

  constructor(limits: AttemptLimits) {
    this.#limits = limits;
  }

  /** @param now epoch ms */
  add(address: string, now: number): void {
    this.#failures.set(address, [...this.#recent(address, now), now]);
  }

  /** Seconds until the address may try again; 0 when it may now. */
  waitS(address: string, now: number): number {
    let all = 0;
    for (const each of [...this.#failures.keys()]) all += this.#recent(each, now).length;
    const own = this.#recent(address, now);
    if (own.length < this.#limits.ofOne && all < this.#limits.ofAll) return 0;
    const until = (own[0] ?? now) + WINDOW_MS;
    return Math.max(1, Math.ceil((until - now) / 1_000));
  }

  #recent(address: string, now: number): readonly number[] {
    const recent = (this.#failures.get(address) ?? []).filter((time) => now - time < WINDOW_MS);
    if (recent.length === 0) this.#failures.delete(address);
    else this.#failures.set(address, recent);
    return recent;
  }
}
