/** Counts wrong passwords and tokens within a minute by address, to slow down guessing. */
const WINDOW_MS = 60_000;

export interface AttemptLimits {
  readonly perAddress: number;
  /** Limit of all addresses together, which bounds the memory. */
  readonly total: number;
}

export class FailedAttempts {
  readonly #limits: AttemptLimits;
  readonly #failures = new Map<string, readonly number[]>();

  constructor(limits: AttemptLimits) {
    this.#limits = limits;
  }

  /** @param now epoch ms */
  add(address: string, now: number): void {
    this.#failures.set(address, [...this.#recent(address, now), now]);
  }

  /** Returns the seconds until the address may try again; 0 if it may try now. */
  waitSeconds(address: string, now: number): number {
    let total = 0;
    for (const key of [...this.#failures.keys()]) total += this.#recent(key, now).length;
    const own = this.#recent(address, now);
    if (own.length < this.#limits.perAddress && total < this.#limits.total) return 0;
    const allowedAt = (own[0] ?? now) + WINDOW_MS;
    return Math.max(1, Math.ceil((allowedAt - now) / 1_000));
  }

  #recent(address: string, now: number): readonly number[] {
    const recent = (this.#failures.get(address) ?? []).filter((time) => now - time < WINDOW_MS);
    if (recent.length === 0) this.#failures.delete(address);
    else this.#failures.set(address, recent);
    return recent;
  }
}
