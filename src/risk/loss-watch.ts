import { DAY_MS, type Refused } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import type { RiskLimits } from './limits.ts';

/** A loss beyond its limit; micro-USD. */
export interface Breach {
  readonly code: 'DAILY_LOSS' | 'DRAWDOWN';
  readonly limit: number;
  readonly actual: number;
}

/** State of a `LossWatch`: equities in micro-USD; null before the first check. */
export interface LossSnapshot {
  /** UTC days since 1970. */
  readonly day: number | null;
  readonly dayStart: number;
  readonly peak: number | null;
  readonly last: number | null;
}

/**
 * Watches the equity marked at the exit side (docs/spec/models.md#risk-marks): its loss in the UTC day, and its fall
 * from the peak. A day's loss is measured from the last equity before that day. Deposits and withdrawals of cash or
 * shares are neither gain nor loss.
 */
export class LossWatch {
  readonly #limits: RiskLimits;
  #day = Number.NEGATIVE_INFINITY;
  #dayStart = 0;
  #peak = Number.NEGATIVE_INFINITY;
  /** Last checked equity. Initially NaN, because a field that starts as undefined allocates at each change. */
  #last = Number.NaN;

  constructor(limits: RiskLimits) {
    this.#limits = limits;
  }

  /** Checks the current equity. A loss equal to its limit passes. */
  check(view: AccountView): Breach | undefined {
    const equity = view.exitEquity - view.contributed;
    const day = Math.floor(view.now / DAY_MS);
    if (day > this.#day) {
      this.#day = day;
      this.#dayStart = Number.isNaN(this.#last) ? equity : this.#last;
    }
    this.#last = equity;
    if (equity > this.#peak) this.#peak = equity;
    const { dailyLoss, maxDrawdown } = this.#limits;
    const loss = this.#dayStart - equity;
    const drawdown = this.#peak - equity;
    if (loss > dailyLoss) return { code: 'DAILY_LOSS', limit: dailyLoss, actual: loss };
    return drawdown > maxDrawdown ? { code: 'DRAWDOWN', limit: maxDrawdown, actual: drawdown } : undefined;
  }

  snapshot(): LossSnapshot {
    const last = Number.isNaN(this.#last) ? null : this.#last;
    return { day: finiteOrNull(this.#day), dayStart: this.#dayStart, peak: finiteOrNull(this.#peak), last };
  }

  /** Restores the state of an earlier process, so that a new process does not forget its losses. */
  restore({ day, dayStart, peak, last }: LossSnapshot): void {
    this.#day = day ?? Number.NEGATIVE_INFINITY;
    this.#dayStart = dayStart;
    this.#peak = peak ?? Number.NEGATIVE_INFINITY;
    this.#last = last ?? Number.NaN;
  }

  /** Forgets the past losses: the next check measures both losses from its equity. */
  restart(): void {
    this.#day = Number.NEGATIVE_INFINITY;
    this.#peak = Number.NEGATIVE_INFINITY;
    this.#last = Number.NaN;
  }
}

export function breachText({ code, limit, actual }: Pick<Refused, 'code' | 'limit' | 'actual'>): string {
  const what = code === 'DAILY_LOSS' ? 'the loss since 00:00 UTC' : 'the fall from the highest equity';
  return `${what} is ${dollars(actual)} (${dollars(limit)} allowed)`;
}

function dollars(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(2)}`;
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
