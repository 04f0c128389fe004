/** Volatility and fill rate of one market. */
import { type EpochMs, type MarketTrade, type MarketView, RealizedVolatility, sharesFloor } from 'halfspread';
import { type FillRate, FillRateEstimator } from './fill-rate.ts';
import { FillRateInUse } from './fill-rate-in-use.ts';
import { type AvellanedaStoikovParams, measuresFillRate } from './params.ts';

/** Fewer samples say too little about volatility to quote on (docs/spec/models.md#volatility). */
const LEAST_SAMPLES = 30;
/** The fit uses distances up to this many half-spreads, where own quotes can be. */
const FARTHEST_HALF_SPREADS = 3;

/** Measures one market from past events only. */
export class MarketEstimates {
  /** Half of the distance between the last quotes, USD; undefined before the first. */
  halfSpread: number | undefined;
  readonly #params: AvellanedaStoikovParams;
  readonly #volatility: RealizedVolatility;
  readonly #fillRate: FillRateEstimator;
  readonly #inUse: FillRateInUse;

  constructor(params: AvellanedaStoikovParams) {
    this.#params = params;
    this.#volatility = new RealizedVolatility(windowOf(params.volatility_step, params.volatility_window));
    this.#fillRate = new FillRateEstimator(
      windowOf(params.fill_rate_step, params.fill_rate_window),
      sharesFloor(params.order_amount),
    );
    this.#inUse = new FillRateInUse({
      intervalMs: params.refit_interval * 1_000,
      lifeMs: params.fill_rate_window * 1_000,
      weight: params.fit_weight,
      kappaMin: params.kappa_min,
      kappaMax: params.kappa_max,
    });
  }

  /** Takes the market at `time` (epoch ms). While one side is missing the last mid counts; in a halt none. */
  observe(time: number, { state, mark }: MarketView): void {
    const mid = state.acceptingOrders && mark !== undefined ? mark / 2 : undefined;
    this.#volatility.observe(time, mid);
    if (measuresFillRate(this.#params)) this.#fillRate.observe(time, mid);
  }

  /** A trade of others. */
  trade(time: number, trade: MarketTrade): void {
    this.#fillRate.trade(time, trade);
  }

  /** USD per square root of a second; undefined with fewer than 30 samples. */
  sigma(): number | undefined {
    const sigma = this.#volatility.sigma(LEAST_SAMPLES);
    return sigma === undefined ? undefined : sigma / 10_000;
  }

  /** From the parameters or measured. Undefined while too little was traded, or when the model does not use it. */
  fillRate(now: EpochMs): { readonly kappa: number | undefined; readonly intensity: number | undefined } {
    const { kappa, intensity } = this.#params;
    const measured = measuresFillRate(this.#params)
      ? this.#inUse.at(now, (previous) => this.#fillRate.fit(this.#farthest(previous)))
      : undefined;
    return {
      kappa: kappa === 'measured' ? measured?.kappa : kappa,
      intensity: intensity === 'measured' ? measured?.intensity : intensity,
    };
  }

  /** USD; undefined without a fit, as there are no quotes then. */
  #farthest(previous: FillRate | undefined): number | undefined {
    if (previous === undefined || this.halfSpread === undefined) return undefined;
    return FARTHEST_HALF_SPREADS * this.halfSpread;
  }
}

function windowOf(stepSeconds: number, windowSeconds: number) {
  const stepMs = stepSeconds * 1_000;
  return { stepMs, samples: Math.floor((windowSeconds * 1_000) / stepMs) };
}
