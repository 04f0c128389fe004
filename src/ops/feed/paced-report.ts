/**
 * A JSON report that is renewed at intervals. A slower report has longer intervals. Each turn of the event loop creates
 * one slice of the report, so that market data waits for at most one slice.
 */
import { monotonic, nextEventLoopTurn, type Stopwatch } from '../../clock/index.ts';

/** All reports together take about 1 / PAUSE_RATIO of the bot's time. */
const PAUSE_RATIO = 50;

/** Yields between the slices of a report, and returns its JSON. */
export type ReportSlices = Iterator<undefined, string>;

export interface Pace {
  /** Epoch ms. */
  readonly now: number;
  /** Shortest interval, ms. */
  readonly everyMs: number;
  /** Number of reports that share the time equally, this report included. */
  readonly reportCount: number;
}

export class PacedReport {
  readonly #stopwatch: Stopwatch;
  #text: string | undefined;
  #lastDurationMs = Number.POSITIVE_INFINITY;
  /** Epoch ms. */
  #renewedAt = 0;
  #pausesUntil = 0;
  #isUrgent = false;
  #renewing: Promise<void> | undefined;

  constructor(stopwatch: Stopwatch = monotonic) {
    this.#stopwatch = stopwatch;
  }

  /** Renews the report at the next call of `text`, even during its pause. The pause continues afterwards. */
  renewSoon(): void {
    this.#isUrgent = true;
  }

  /** Returns the last complete report. Creates the first report at once, and starts to renew a report that is due. */
  text(pace: Pace, createSlices: () => ReportSlices): string {
    if (this.#text === undefined) {
      const startedAt = this.#stopwatch();
      this.#text = runToEnd(createSlices());
      this.#schedulePause(pace, this.#stopwatch() - startedAt);
    } else if (this.#renewing === undefined && this.#isDue(pace)) {
      this.#isUrgent = false;
      this.#renewing = this.#renew(pace, createSlices()).finally(() => {
        this.#renewing = undefined;
      });
    }
    return this.#text;
  }

  /** Resolves when the report in progress is complete. */
  async settled(): Promise<void> {
    await this.#renewing;
  }

  #isDue({ now, everyMs }: Pace): boolean {
    return this.#isUrgent || now >= Math.max(this.#pausesUntil, this.#renewedAt + everyMs);
  }

  async #renew(pace: Pace, slices: ReportSlices): Promise<void> {
    let durationMs = 0;
    for (;;) {
      const startedAt = this.#stopwatch();
      const { value, done } = slices.next();
      durationMs += this.#stopwatch() - startedAt;
      if (done === true) {
        this.#text = value;
        this.#schedulePause(pace, durationMs);
        return;
      }
      await nextEventLoopTurn();
    }
  }

  #schedulePause({ now, reportCount }: Pace, durationMs: number): void {
    // Another process may have slowed down one of the last two reports.
    const costMs = Math.min(durationMs, this.#lastDurationMs);
    this.#lastDurationMs = durationMs;
    this.#renewedAt = now;
    this.#pausesUntil = Math.max(now, this.#pausesUntil) + costMs * PAUSE_RATIO * reportCount;
  }
}

function runToEnd(slices: ReportSlices): string {
  for (;;) {
    const { value, done } = slices.next();
    if (done === true) return value;
  }
}
