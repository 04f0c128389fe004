import type { AccountView } from '../state/index.ts';
import type { RiskLimits } from './limits.ts';

const DAY_MS = 86_400_000;

/** A loss beyond its limit; micro-USD. */
export interface Breach {
  readonly code: 'DAILY_LOSS' | 'DRAWDOWN';
  readonly limit: number;
  readonly was: number;
}

/**
 * Loss of the UTC day and fall from the peak, both of equity marked at the exit side (models 1). A day begins with the
 * last equity seen before it. Cash moved in or out counts like a gain or a loss.
 */
export class LossWatch {
  readonly #limits: RiskLimits;
  #day = Number.NEGATIVE_INFINITY;
  #dayStart = 0;
  #peak = Number.NEGATIVE_INFINITY;
  /** NaN before the first look: `undefined` would cost an allocation at each. */
  #last = Number.NaN;

  constructor(limits: RiskLimits) {
    this.#limits = limits;
  }

  /** Looks at the present equity. A loss equal to its limit passes. */
  look(view: AccountView): Breach | undefined {
    const equity = view.exitEquity;
    const day = Math.floor(view.now / DAY_MS);
    if (day > this.#day) {
      this.#day = day;
      this.#dayStart = Number.isNaN(this.#last) ? equity : this.#last;
    }
    this.#last = equity;
    if (equity > this.#peak) this.#peak = equity;
    const { dailyLoss, maxDrawdown } = this.#limits;
    if (this.#dayStart - equity > dailyLoss) return breach('DAILY_LOSS', dailyLoss, this.#dayStart - equity);
    if (this.#peak - equity > maxDrawdown) return breach('DRAWDOWN', maxDrawdown, this.#peak - equity);
    return undefined;
  }

  /** The losses so far are accepted: both limits count from the next look on. */
  restart(): void {
    this.#day = Number.NEGATIVE_INFINITY;
    this.#peak = Number.NEGATIVE_INFINITY;
    this.#last = Number.NaN;
  }
}

function breach(code: Breach['code'], limit: number, was: number): Breach {
  return { code, limit, was };
}
