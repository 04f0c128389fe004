/**
 * A report as JSON that is made again now and then: the longer it takes, the more seldom. It is made in slices, one a turn of the
 * event loop: market data that comes meanwhile waits for one slice only.
 */
import { monotonic, nextTurn, type Stopwatch } from '../../clock/index.ts';

/** All reports together take one part in so many of the bot's time. */
const REST = 50;

/** Makes a report: yields between two slices, returns its JSON. */
export type ReportSlices = Iterator<undefined, string>;

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
  /** When it was made last, and until when it then rests for what it cost; epoch ms. */
  #madeAt = 0;
  #restsUntil = 0;
  #isUrgent = false;
  #making: Promise<void> | undefined;

  constructor(watch: Stopwatch = monotonic) {
    this.#watch = watch;
  }

  /** Has it made with the next look, also while it rests. The rest is made up for afterwards. */
  hurry(): void {
    this.#isUrgent = true;
  }

  /** The last report that is whole. The first one is made at once; when the next one is due, this begins it. */
  text(pace: Pace, begin: () => ReportSlices): string {
    if (this.#text === undefined) {
      const begun = this.#watch();
      this.#text = lastOf(begin());
      this.#note(pace, this.#watch() - begun);
    } else if (this.#making === undefined && this.#isDue(pace)) {
      this.#isUrgent = false;
      this.#making = this.#make(pace, begin()).finally(() => {
        this.#making = undefined;
      });
    }
    return this.#text;
  }

  /** Resolves when the report that is being made is whole. */
  async made(): Promise<void> {
    await this.#making;
  }

  #isDue({ now, everyMs }: Pace): boolean {
    return this.#isUrgent || now >= Math.max(this.#restsUntil, this.#madeAt + everyMs);
  }

  async #make(pace: Pace, slices: ReportSlices): Promise<void> {
    let tookMs = 0;
    for (;;) {
      const begun = this.#watch();
      const { value, done } = slices.next();
      tookMs += this.#watch() - begun;
      if (done === true) {
        this.#text = value;
        this.#note(pace, tookMs);
        return;
      }
      await nextTurn();
    }
  }

  #note({ now, sharers }: Pace, tookMs: number): void {
    // The shorter of the last two: the machine may have been busy with another process in one.
    const costMs = Math.min(tookMs, this.#tookMs);
    this.#tookMs = tookMs;
    this.#madeAt = now;
    this.#restsUntil = Math.max(now, this.#restsUntil) + costMs * REST * sharers;
  }
}

function lastOf(slices: ReportSlices): string {
  for (;;) {
    const { value, done } = slices.next();
    if (done === true) return value;
  }
}
