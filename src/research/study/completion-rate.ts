const MIN_MS = 60_000;
const MIN_COUNT = 20;
const SAMPLE_MS = 1_000;

/** Completions per second over the longer of the last minute and the last 20 completions. Times are monotonic ms. */
export class CompletionRate {
  /** At most one sample per second, oldest first. */
  readonly #samples: { readonly time: number; readonly count: number }[];
  #count = 0;

  constructor(now: number) {
    this.#samples = [{ time: now, count: 0 }];
  }

  add(now: number): void {
    this.#count += 1;
    if (now - (this.#samples.at(-1)?.time ?? now) >= SAMPLE_MS) this.#samples.push({ time: now, count: this.#count });
  }

  perSecond(now: number): number {
    for (let next = this.#samples[1]; next !== undefined; next = this.#samples[1]) {
      if (now - next.time < MIN_MS || this.#count - next.count < MIN_COUNT) break;
      this.#samples.shift();
    }
    const { time = now, count = 0 } = this.#samples[0] ?? {};
    return now > time ? ((this.#count - count) * 1_000) / (now - time) : 0;
  }
}
