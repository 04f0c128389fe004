/** Small measures of a market over time. All times are exchange time in ms. */

/** A stretch without messages. */
export interface Gap {
  readonly ms: number;
  /** Time of the message before it. */
  readonly from: number;
}

const GAPS_KEPT = 10;

/** The longest gaps, and how many were at least `leastMs` long. */
export class GapMeter {
  /** Longest first, at most ten; among equals the earlier first. */
  readonly longest: Gap[] = [];
  count = 0;
  readonly #leastMs: number;

  constructor(leastMs: number) {
    this.#leastMs = leastMs;
  }

  add(from: number, ms: number): void {
    if (ms >= this.#leastMs) this.count += 1;
    const shortest = this.longest.at(-1);
    if (this.longest.length === GAPS_KEPT && (shortest === undefined || ms <= shortest.ms)) return;
    this.longest.push({ ms, from });
    this.longest.sort((a, b) => b.ms - a.ms || a.from - b.from);
    if (this.longest.length > GAPS_KEPT) this.longest.pop();
  }
}

export class SpreadMeter {
  readonly #msAt = new Map<number, number>();
  #total = 0;

  add(spreadBps: number, ms: number): void {
    if (ms <= 0) return;
    this.#msAt.set(spreadBps, (this.#msAt.get(spreadBps) ?? 0) + ms);
    this.#total += ms;
  }

  /** The smallest spread that, with all below it, stood for at least this share (0..1) of the time. */
  percentile(share: number): number | undefined {
    let sum = 0;
    for (const [spread, ms] of [...this.#msAt].sort(([a], [b]) => a - b)) {
      sum += ms;
      if (sum >= share * this.#total) return spread;
    }
    return undefined;
  }
}

/** Squared changes of the double mid on a fixed grid, as-of, without halts (docs/spec/models.md#volatility). */
export class VariationMeter {
  steps = 0;
  sumSquares = 0;
  first: number | undefined;
  last: number | undefined;
  readonly #everyMs: number;
  /** The next moment of the grid; Infinity while it stands still. */
  #next = Number.POSITIVE_INFINITY;
  #before: number | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  get running(): boolean {
    return this.#next !== Number.POSITIVE_INFINITY;
  }

  /** The market opened: the grid begins at `time`. */
  start(time: number): void {
    this.#next = time;
    this.#before = undefined;
  }

  /** `mark` was in force until `time`, which is not yet over. */
  until(time: number, mark: number | undefined): void {
    for (; this.#next < time; this.#next += this.#everyMs) {
      if (mark === undefined) continue;
      this.first ??= mark;
      this.last = mark;
      if (this.#before !== undefined) {
        this.steps += 1;
        this.sumSquares += (mark - this.#before) * (mark - this.#before);
      }
      this.#before = mark;
    }
  }

  stop(): void {
    this.#next = Number.POSITIVE_INFINITY;
  }
}
