/** Measures of a market over time. All times are exchange time in ms. */

/** A time without messages. A gap row, which says that messages were lost, is something else. */
export interface QuietPeriod {
  readonly ms: number;
  /** Time of the last message before the period. */
  readonly from: number;
}

const MAX_PERIODS = 10;

/** Collects the longest quiet periods and counts those of at least `minMs`. */
export class QuietPeriodMeter {
  /** At most `MAX_PERIODS`, the longest first. */
  readonly longest: QuietPeriod[] = [];
  count = 0;
  readonly #minMs: number;

  constructor(minMs: number) {
    this.#minMs = minMs;
  }

  add(from: number, ms: number): void {
    if (ms >= this.#minMs) this.count += 1;
    const shortest = this.longest.at(-1);
    if (this.longest.length === MAX_PERIODS && (shortest === undefined || ms <= shortest.ms)) return;
    this.longest.push({ ms, from });
    this.longest.sort((a, b) => b.ms - a.ms || a.from - b.from);
    if (this.longest.length > MAX_PERIODS) this.longest.pop();
  }
}

export class SpreadMeter {
  readonly #msBySpread = new Map<number, number>();
  #total = 0;

  add(spreadBps: number, ms: number): void {
    if (ms <= 0) return;
    this.#msBySpread.set(spreadBps, (this.#msBySpread.get(spreadBps) ?? 0) + ms);
    this.#total += ms;
  }

  /** Returns the time-weighted quantile of the spread. @param fraction 0 to 1 */
  quantile(fraction: number): number | undefined {
    let sum = 0;
    for (const [spread, ms] of [...this.#msBySpread].sort(([a], [b]) => a - b)) {
      sum += ms;
      if (sum >= fraction * this.#total) return spread;
    }
    return undefined;
  }
}

/** Sums squared changes of the mark on a fixed time grid, without halts (docs/spec/models.md#volatility). */
export class VariationMeter {
  steps = 0;
  sumSquares = 0;
  first: number | undefined;
  last: number | undefined;
  readonly #stepMs: number;
  /** Infinity while stopped. */
  #nextTime = Number.POSITIVE_INFINITY;
  #previousMark: number | undefined;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  get isRunning(): boolean {
    return this.#nextTime !== Number.POSITIVE_INFINITY;
  }

  /** Starts the grid at `time`, when the market opens or its book is known again. */
  start(time: number): void {
    this.#nextTime = time;
    this.#previousMark = undefined;
  }

  /** Samples `mark` at all grid times before `time`, in constant time, because a damaged `time` may be far away. */
  advance(time: number, mark: number | undefined): void {
    if (this.#nextTime >= time) return;
    const samples = Math.ceil((time - this.#nextTime) / this.#stepMs);
    this.#nextTime += samples * this.#stepMs;
    if (mark === undefined) return;
    this.first ??= mark;
    this.last = mark;
    const change = mark - (this.#previousMark ?? mark);
    this.steps += this.#previousMark === undefined ? samples - 1 : samples;
    this.sumSquares += change * change;
    this.#previousMark = mark;
  }

  stop(): void {
    this.#nextTime = Number.POSITIVE_INFINITY;
  }
}
