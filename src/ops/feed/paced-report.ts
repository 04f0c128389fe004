/** A report as JSON that is made again now and then: the longer it takes, the more seldom. */
import { monotonic, type Stopwatch } from '../../clock/index.ts';

/** All reports together take one part in so many of the bot's time. */
const REST = 100;

export interface Pace {
  /** Epoch ms. */
  readonly now: number;
  /** Least time between two makings, ms. */
  readonly everyMs: number;
  /** Reports that share the time, this one included: each has the same part of it, so that none waits for the others. */
  readonly sharers: number;
}

export class PacedReport {
  readonly #watch: Stopwatch;
  #text: string | undefined;
  #tookMs = Number.POSITIVE_INFINITY;
  /** When it is made again, epoch ms. */
  #until = 0;

  constructor(watch: Stopwatch = monotonic) {
    this.#watch = watch;
  }

  /** The report of now, or the last one while it rests. */
  text({ now, everyMs, sharers }: Pace, make: () => unknown): string {
    if (this.#text !== undefined && now < this.#until) return this.#text;
    const begun = this.#watch();
    this.#text = JSON.stringify(make());
    const tookMs = this.#watch() - begun;
    // The shorter of the last two: the machine may have been busy with another process in one.
    const costMs = Math.min(tookMs, this.#tookMs);
    this.#tookMs = tookMs;
    // A little earlier than the next push, which a timer may call early.
    this.#until = now + Math.max(everyMs - 10, costMs * REST * sharers);
    return this.#text;
  }
}
