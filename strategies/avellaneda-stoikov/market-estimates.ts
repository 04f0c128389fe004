/** What is measured of one market while it runs. */
import { type EpochMs, type MarketTrade, type MarketView, sharesFloor } from 'halfspread';
import { type FillRate, FillRateEstimator } from './fill-rate.ts';
import { FillRateInUse } from './fill-rate-in-use.ts';
import { type AvellanedaStoikovParams, measuresFillRate } from './params.ts';
import { VolatilityEstimator } from './volatility.ts';

/** Fewer samples say too little about volatility to quote on (docs/spec/models.md#volatility). */
const LEAST_SAMPLES = 30;
/** The fit is of what own quotes can meet: distances up to so many half-spreads. */
const FARTHEST_HALF_SPREADS = 3;

/** Volatility and fill rate of one market, fed with what has happened; it never looks ahead. */
export class MarketEstimates {
  /** Half of the distance between the last quotes, USD; undefined before the first. */
  halfSpread: number | undefined;
  readonly #params: AvellanedaStoikovParams;
  readonly #volatility: VolatilityEstimator;
  readonly #fillRate: FillRateEstimator;
  readonly #inUse: FillRateInUse;

  constructor(params: AvellanedaStoikovParams) {
    this.#params = params;
    this.#volatility = new VolatilityEstimator(windowOf(params.volatility_step, params.volatility_window));
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

  /** The market as it stands at `time` (epoch ms). The last mid counts while one side is missing, none in a halt. */
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
    const { bpsSquaredPerSecond, samples } = this.#volatility.variance();
    return samples < LEAST_SAMPLES ? undefined : Math.sqrt(bpsSquaredPerSecond) / 10_000;
  }

  /** As given in the parameters or measured; undefined while too little was traded, or where nobody uses it. */
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

  /** USD. Without a fit there are no quotes, and nothing to be near to. */
  #farthest(previous: FillRate | undefined): number | undefined {
    if (previous === undefined || this.halfSpread === undefined) return undefined;
    return FARTHEST_HALF_SPREADS * this.halfSpread;
  }
}

function windowOf(stepSeconds: number, windowSeconds: number) {
  const stepMs = stepSeconds * 1_000;
  return { stepMs, samples: Math.floor((windowSeconds * 1_000) / stepMs) };
}
