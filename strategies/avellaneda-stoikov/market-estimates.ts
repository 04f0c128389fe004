/** What is measured of one market while it runs. */
import type { MarketView } from 'halfspread';
import { FillRateEstimator } from './fill-rate.ts';
import type { AvellanedaStoikovParams } from './params.ts';
import { VolatilityEstimator } from './volatility.ts';

/** Fewer samples say too little about volatility to quote on (docs/spec/models.md#volatility). */
const LEAST_SAMPLES = 30;
/** Half an hour of seconds. */
const FILL_RATE_WINDOW = { stepMs: 1_000, samples: 1_800 };

/** Volatility and fill rate of one market, fed with what has happened; it never looks ahead. */
export class MarketEstimates {
  readonly #params: AvellanedaStoikovParams;
  readonly #volatility: VolatilityEstimator;
  readonly #fillRate: FillRateEstimator;

  constructor(params: AvellanedaStoikovParams) {
    const stepMs = params.volatility_step * 1_000;
    const window = { stepMs, samples: Math.floor((params.volatility_window * 1_000) / stepMs) };
    this.#params = params;
    this.#volatility = new VolatilityEstimator(window);
    this.#fillRate = new FillRateEstimator(FILL_RATE_WINDOW);
  }

  /** The market as it stands at `time` (epoch ms). The last mid counts while one side is missing, none in a halt. */
  observe(time: number, { state, mark }: MarketView): void {
    const mid = state.acceptingOrders && mark !== undefined ? mark / 2 : undefined;
    this.#volatility.observe(time, mid);
    this.#fillRate.observe(time, mid);
  }

  /** Somebody traded at `price` (bps). */
  trade(time: number, price: number): void {
    this.#fillRate.trade(time, price);
  }

  /** USD per square root of a second; undefined with fewer than 30 samples. */
  sigma(): number | undefined {
    const { bpsSquaredPerSecond, samples } = this.#volatility.variance();
    return samples < LEAST_SAMPLES ? undefined : Math.sqrt(bpsSquaredPerSecond) / 10_000;
  }

  /** 1/USD of distance, as given in the parameters or measured; undefined while too little was traded. */
  kappa(): number | undefined {
    return this.#params.kappa === 'measured' ? this.#fillRate.fit()?.kappa : this.#params.kappa;
  }

  /** Fill rate at the mid, 1/s, likewise. */
  intensity(): number | undefined {
    return this.#params.intensity === 'measured' ? this.#fillRate.fit()?.intensity : this.#params.intensity;
  }
}
