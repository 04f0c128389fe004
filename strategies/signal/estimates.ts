/** What is known of one market: its volatility, and the last signal. */
import {
  FULL_BPS,
  logit,
  type MarketView,
  RealizedVolatility,
  type SignalReceived,
  type StrategyLog,
} from 'halfspread';
import { agedSd, blended, disagreement } from './blend.ts';
import type { SignalParams } from './params.ts';

/** Fewer samples say too little about volatility to quote on (docs/spec/models.md#volatility). */
const LEAST_SAMPLES = 30;

/** Measures one market from past events only. */
export class SignalEstimates {
  readonly #params: SignalParams;
  readonly #log: StrategyLog;
  readonly #volatility: RealizedVolatility;
  readonly #logOddsVolatility: RealizedVolatility;
  #signal: { readonly probability: number; readonly time: number } | undefined;
  #sd: number | undefined;
  #warned = '';

  constructor(params: SignalParams, log: StrategyLog) {
    this.#params = params;
    this.#log = log;
    this.#sd = params.signal_sd;
    const stepMs = params.volatility_step * 1_000;
    const window = { stepMs, samples: Math.floor((params.volatility_window * 1_000) / stepMs) };
    this.#volatility = new RealizedVolatility(window);
    this.#logOddsVolatility = new RealizedVolatility(window);
  }

  /** Takes the market at `time` (epoch ms). While one side is missing the last mid counts; in a halt none. */
  observe(time: number, { state, mark }: MarketView): void {
    const mid = state.acceptingOrders && mark !== undefined ? mark / 2 : undefined;
    this.#volatility.observe(time, mid);
    this.#logOddsVolatility.observe(time, mid === undefined ? undefined : logit(mid / FULL_BPS));
  }

  /** Takes a signal. A value that is no probability, or no standard deviation, is logged and dropped. */
  onSignal({ name, value, time }: SignalReceived): void {
    if (name === `${this.#params.signal}.p` && value > 0 && value < 1) this.#signal = { probability: value, time };
    else if (name === `${this.#params.signal}.sd` && value > 0) this.#sd = value;
    else this.#log.warn('the signal is dropped: .p needs a value between 0 and 1, .sd one above 0', { name, value });
  }

  /** USD per square root of a second; undefined with fewer than 30 samples. */
  sigma(): number | undefined {
    const sigma = this.#volatility.sigma(LEAST_SAMPLES);
    return sigma === undefined ? undefined : sigma / FULL_BPS;
  }

  /**
   * The probability of YES at `now` (epoch ms): mid and signal blended. The mid alone without a signal, and, with a warning,
   * when the signal is too old or too far away.
   * @param mid USD of the $1 payout
   */
  fair(now: number, mid: number): number {
    const { signal_max_age: oldest, book_sd: midSd, signal_correlation: correlation, max_disagreement } = this.#params;
    if (this.#signal === undefined || this.#sd === undefined) return mid;
    const age = (now - this.#signal.time) / 1_000;
    if (age > oldest) return this.#bookOnly('the signal is older than signal_max_age', mid);
    const signalSd = agedSd(this.#sd, this.#logOddsVolatility.sigma(LEAST_SAMPLES) ?? 0, age);
    const estimates = { mid, midSd, signal: this.#signal.probability, signalSd, correlation };
    if (disagreement(estimates) > max_disagreement) {
      return this.#bookOnly('the signal is farther from the mid than max_disagreement', mid);
    }
    this.#warned = '';
    return blended(estimates);
  }

  /** Warns once until the signal counts again, or the reason is another. */
  #bookOnly(reason: string, mid: number): number {
    if (this.#warned !== reason) this.#log.warn(`${reason}: quoting by the book alone`);
    this.#warned = reason;
    return mid;
  }
}
