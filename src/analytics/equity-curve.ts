import { ExtremesLine } from './extremes-line.ts';
import type { Line } from './measure-types.ts';

const DAY_MS = 86_400_000;
const LINE_BUCKETS = 16_384;

/** Equity and drawdown in micro-USD (docs/spec/models.md#report-numbers). HOT: runs at every mark (bench/replay.ts). */
export class EquityCurve {
  readonly #equityLine = new ExtremesLine(LINE_BUCKETS);
  readonly #drawdownLine = new ExtremesLine(LINE_BUCKETS);
  readonly #drawdown: Drawdown;
  readonly #dailyPnl: number[] = [];
  #time: number;
  #current: number;
  #day: number;
  #dayStart: number;

  /** @param capital cash at the start, micro-USD */
  constructor(start: number, capital: number) {
    this.#time = start;
    this.#current = capital;
    this.#drawdown = new Drawdown(capital);
    this.#dayStart = capital;
    this.#day = Math.floor(start / DAY_MS);
    this.#addPoint();
  }

  /** Sets the equity from `time` on, or from the previous time if it is later. */
  set(time: number, equity: number): void {
    if (equity === this.#current) return;
    if (time > this.#time) this.#time = time;
    if (this.#time >= (this.#day + 1) * DAY_MS) this.#closeDaysBefore(Math.floor(this.#time / DAY_MS));
    this.#current = equity;
    this.#drawdown.sample(equity);
    this.#addPoint();
  }

  /** Extends the lines to `time` and completes the last day. @returns the P&L of each UTC day, micro-USD */
  finish(time: number): readonly number[] {
    if (time > this.#time) this.#time = time;
    // A run that ends at midnight does not begin another day.
    const lastDay = Math.ceil(this.#time / DAY_MS) - 1;
    if (lastDay > this.#day) this.#closeDaysBefore(lastDay);
    this.#addPoint();
    return [...this.#dailyPnl, this.#current - this.#dayStart];
  }

  lines(): { readonly equity: Line; readonly drawdown: Line } {
    return { equity: this.#equityLine.line(), drawdown: this.#drawdownLine.line() };
  }

  #addPoint(): void {
    this.#equityLine.add(this.#time, this.#current);
    this.#drawdownLine.add(this.#time, this.#drawdown.peak - this.#current);
  }

  #closeDaysBefore(day: number): void {
    this.#dailyPnl.push(this.#current - this.#dayStart);
    for (let idle = this.#day + 1; idle < day; idle += 1) this.#dailyPnl.push(0);
    this.#day = day;
    this.#dayStart = this.#current;
  }
}

const MIN_RETURNS = 30;

/**
 * Returns mean / sample standard deviation, not annualised; undefined below 30 returns or without variance
 * (docs/spec/models.md#report-numbers).
 */
export function sharpeRatio(returns: readonly number[]): number | undefined {
  const count = returns.length;
  if (count < MIN_RETURNS) return undefined;
  const mean = returns.reduce((sum, value) => sum + value, 0) / count;
  const squares = returns.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const deviation = Math.sqrt(squares / (count - 1));
  return deviation > 0 ? mean / deviation : undefined;
}

/** The fall of equity from its peak, micro-USD. */
export class Drawdown {
  #peak: number;
  #worst = 0;

  constructor(equity: number) {
    this.#peak = equity;
  }

  get peak(): number {
    return this.#peak;
  }

  get worst(): number {
    return this.#worst;
  }

  sample(equity: number): void {
    if (equity > this.#peak) this.#peak = equity;
    else if (this.#peak - equity > this.#worst) this.#worst = this.#peak - equity;
  }
}
