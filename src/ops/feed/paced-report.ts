/**
 * A report as JSON that is renewed at intervals. The longer it takes, the longer the interval. It is created in slices, one per
 * turn of the event loop, so that market data waits for at most one slice.
 */
import { monotonic, nextTurn, type Stopwatch } from '../../clock/index.ts';

/** All reports together take 1 / REST of the bot's time. */
const PAUSE_RATIO = 50;

/** Creates a report: yields between slices, and returns the JSON. */
export type ReportSlices = Iterator<undefined, string>;

export interface Pace {
  /** Epoch ms. */
  readonly now: number;
  /** Shortest interval, ms. */
  readonly everyMs: number;
  /** Number of reports that share the time equally, this one included. */
  readonly sharers: number;
}

export class PacedReport {
  readonly #stopwatch: Stopwatch;
  #text: string | undefined;
  #tookMs = Number.POSITIVE_INFINITY;
  /** When the report was last renewed, and until when it then pauses; epoch ms. */
  #madeAt = 0;
  #restsUntil = 0;
  #isUrgent = false;
  #making: Promise<void> | undefined;

  constructor(watch: Stopwatch = monotonic) {
    this.#stopwatch = watch;
  }

  /** Renews the report at the next call of `text`, even during its pause. The pause continues afterwards. */
  renewSoon(): void {
    this.#isUrgent = true;
  }

  /** Returns the last complete report. Creates the first one at once, and starts the next one when it is due. */
  text(pace: Pace, begin: () => ReportSlices): string {
    if (this.#text === undefined) {
      const begun = this.#stopwatch();
      this.#text = lastOf(begin());
      this.#note(pace, this.#stopwatch() - begun);
    } else if (this.#making === undefined && this.#isDue(pace)) {
      this.#isUrgent = false;
      this.#making = this.#make(pace, begin()).finally(() => {
        this.#making = undefined;
      });
    }
    return this.#text;
  }

  /** Resolves when the report in progress is complete. */
  async settled(): Promise<void> {
    await this.#making;
  }

  #isDue({ now, everyMs }: Pace): boolean {
    return this.#isUrgent || now >= Math.max(this.#restsUntil, this.#madeAt + everyMs);
  }

  async #make(pace: Pace, slices: ReportSlices): Promise<void> {
    let tookMs = 0;
    for (;;) {
      const begun = this.#stopwatch();
      const { value, done } = slices.next();
      tookMs += this.#stopwatch() - begun;
      if (done === true) {
        this.#text = value;
        this.#note(pace, tookMs);
        return;
      }
      await nextTurn();
    }
  }

  #note({ now, sharers }: Pace, tookMs: number): void {
    // The shorter of the last two durations: another process may have slowed one down.
    const costMs = Math.min(tookMs, this.#tookMs);
    this.#tookMs = tookMs;
    this.#madeAt = now;
    this.#restsUntil = Math.max(now, this.#restsUntil) + costMs * PAUSE_RATIO * sharers;
  }
}

function lastOf(slices: ReportSlices): string {
  for (;;) {
    const { value, done } = slices.next();
    if (done === true) return value;
  }
}
