import { ExtremesLine } from './extremes-line.ts';
import type { Line } from './figures.ts';

const DAY_MS = 86_400_000;
const BUCKETS = 16_384;

/** HOT: equity and drawdown at every fill and every mark, micro-USD (docs/spec/models.md#report-numbers, bench/replay.ts). */
export class EquityCurve {
  readonly #equity = new ExtremesLine(BUCKETS);
  readonly #fallen = new ExtremesLine(BUCKETS);
  readonly #drawdown: Drawdown;
  readonly #days: number[] = [];
  #time: number;
  #now: number;
  #day: number;
  #dayStart: number;

  /** @param capital cash at the start, micro-USD */
  constructor(start: number, capital: number) {
    this.#time = start;
    this.#now = capital;
    this.#drawdown = new Drawdown(capital);
    this.#dayStart = capital;
    this.#day = Math.floor(start / DAY_MS);
    this.#note();
  }

  /** Equity is this much from `time` on. A time before the last one counts as the last one. */
  set(time: number, equity: number): void {
    if (equity === this.#now) return;
    if (time > this.#time) this.#time = time;
    if (this.#time >= (this.#day + 1) * DAY_MS) this.#turnDay();
    this.#now = equity;
    this.#drawdown.see(equity);
    this.#note();
  }

  /** The end: the lines reach it, and the last day is complete. Answers P&L of each UTC day, micro-USD. */
  finish(time: number): readonly number[] {
    if (time > this.#time) this.#time = time;
    if (this.#time >= (this.#day + 1) * DAY_MS) this.#turnDay();
    this.#note();
    return [...this.#days, this.#now - this.#dayStart];
  }

  lines(): { readonly equity: Line; readonly drawdown: Line } {
    return { equity: this.#equity.line(), drawdown: this.#fallen.line() };
  }

  #note(): void {
    this.#equity.add(this.#time, this.#now);
    this.#fallen.add(this.#time, this.#drawdown.peak - this.#now);
  }

  #turnDay(): void {
    const day = Math.floor(this.#time / DAY_MS);
    this.#days.push(this.#now - this.#dayStart);
    for (let idle = this.#day + 1; idle < day; idle += 1) this.#days.push(0);
    this.#day = day;
    this.#dayStart = this.#now;
  }
}

/** Fewer returns than this make no Sharpe ratio (docs/spec/models.md#report-numbers). */
const MIN_RETURNS = 30;

/** Mean over standard deviation (n - 1) of single returns, not annualised; undefined below 30 or without variance. */
export function sharpeRatio(returns: readonly number[]): number | undefined {
  const n = returns.length;
  if (n < MIN_RETURNS) return undefined;
  const mean = returns.reduce((sum, value) => sum + value, 0) / n;
  const squares = returns.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const deviation = Math.sqrt(squares / (n - 1));
  return deviation > 0 ? mean / deviation : undefined;
}

/** The fall of equity from its highest so far, micro-USD. */
export class Drawdown {
  #peak: number;
  #worst = 0;

  constructor(equity: number) {
    this.#peak = equity;
  }

  get peak(): number {
    return this.#peak;
  }

  /** Peak less equity at its worst. */
  get worst(): number {
    return this.#worst;
  }

  see(equity: number): void {
    if (equity > this.#peak) this.#peak = equity;
    else if (this.#peak - equity > this.#worst) this.#worst = this.#peak - equity;
  }
}
