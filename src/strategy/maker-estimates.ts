/** Measures the volatility and the fill rate of one market, in prices or in log-odds. */
import { type EpochMs, FULL_BPS, sharesFloor } from '../domain/index.ts';
import type { MarketView } from '../state/index.ts';
import type { MarketTrade } from './contract.ts';
import { type FillRate, FillRateEstimator, SmoothedFillRate } from './indicators/fill-rate.ts';
import { RealizedVolatility } from './indicators/realized-volatility.ts';
import { logit } from './maker-formulas.ts';

/** Minimum of samples for an estimate of volatility (docs/spec/models.md#volatility). */
const MIN_SAMPLES = 30;
/** The fit leaves out distances of more than this many half-spreads from the mid. */
const FARTHEST_HALF_SPREADS = 3;
/** Slope of log-odds over prices at a mid of 0.5. */
const LOG_ODDS_PER_USD = 4;

/** Parameters of `volatilityShape` and `fillRateShape`. */
export interface MakerEstimateParams {
  readonly volatility_step: number;
  readonly volatility_window: number;
  readonly fill_rate_step: number;
  readonly fill_rate_window: number;
  readonly refit_interval: number;
  readonly fit_weight: number;
  /** Fits with a smaller or larger kappa are not used; in the unit of `kappa`. */
  readonly kappa_min: number;
  readonly kappa_max: number;
  /** Decay of the fill rate, 1/USD or 1/log-odds, or measured. */
  readonly kappa: number | 'measured';
  /** Fill rate at the mid, 1/s on each side, or measured; absent for models without this parameter. */
  readonly intensity?: number | 'measured' | undefined;
  /** Shares. */
  readonly order_amount: number;
}

export class MakerEstimates {
  /** Half of the distance between bid and ask, USD or log-odds; undefined before the first. Set with each quote. */
  halfSpread: number | undefined;
  /** Whether the estimates need trades of others. */
  readonly measuresFillRate: boolean;
  readonly #params: MakerEstimateParams;
  readonly #scale: 'price' | 'log-odds';
  readonly #volatility: RealizedVolatility;
  readonly #fillRate: FillRateEstimator;
  readonly #smoothedFillRate: SmoothedFillRate;

  constructor(params: MakerEstimateParams, scale: 'price' | 'log-odds' = 'price') {
    this.#params = params;
    this.#scale = scale;
    this.measuresFillRate = params.kappa === 'measured' || params.intensity === 'measured';
    this.#volatility = new RealizedVolatility(toWindow(params.volatility_step, params.volatility_window));
    const trades = toWindow(params.fill_rate_step, params.fill_rate_window);
    this.#fillRate = new FillRateEstimator(trades, sharesFloor(params.order_amount));
    this.#smoothedFillRate = new SmoothedFillRate({
      intervalMs: params.refit_interval * 1_000,
      maxAgeMs: params.fill_rate_window * 1_000,
      weight: params.fit_weight,
      kappaMin: params.kappa_min * this.#perUsd,
      kappaMax: params.kappa_max * this.#perUsd,
    });
  }

  /** Updates the estimates at `time` (epoch ms). Keeps the mid while a side is empty; no mid in a halt. */
  observe(time: number, { state, mark }: Pick<MarketView, 'state' | 'mark'>): void {
    const mid = state.acceptingOrders && mark !== undefined ? mark / 2 : undefined;
    this.#volatility.observe(time, mid === undefined ? undefined : this.#toScale(mid));
    if (this.measuresFillRate) this.#fillRate.observe(time, mid === undefined ? undefined : this.#toScale(mid));
  }

  /** Counts a trade of others at `time` (epoch ms). */
  trade(time: number, { price, shares, taker }: MarketTrade): void {
    this.#fillRate.trade(time, { price: this.#toScale(price), shares, taker });
  }

  /** Volatility in USD, or log-odds, per square root of a second; undefined with fewer than 30 samples. */
  sigma(): number | undefined {
    const sigma = this.#volatility.sigma(MIN_SAMPLES);
    return sigma === undefined ? undefined : (sigma / FULL_BPS) * this.#perUsd;
  }

  /** Returns the fill rate from the parameters or from measurements; undefined until enough trades were measured. */
  fillRate(now: EpochMs): { readonly kappa: number | undefined; readonly intensity: number | undefined } {
    const { kappa, intensity } = this.#params;
    const measured = this.measuresFillRate
      ? this.#smoothedFillRate.at(now, (previous) => this.#fillRate.fit(this.#farthest(previous)))
      : undefined;
    const measuredKappa = measured === undefined ? undefined : measured.kappa / this.#perUsd;
    return {
      kappa: kappa === 'measured' ? measuredKappa : kappa,
      intensity: intensity === 'measured' ? measured?.intensity : intensity,
    };
  }

  /** Returns the largest distance for the fit, USD; undefined for no limit before the first fit. */
  #farthest(previous: FillRate | undefined): number | undefined {
    if (previous === undefined || this.halfSpread === undefined) return undefined;
    return (FARTHEST_HALF_SPREADS * this.halfSpread) / this.#perUsd;
  }

  /** Factor from USD, the unit of the measurements, to the scale of the estimates. */
  get #perUsd(): number {
    return this.#scale === 'price' ? 1 : LOG_ODDS_PER_USD;
  }

  #toScale(price: number): number {
    return this.#scale === 'price' ? price : (logit(price / FULL_BPS) * FULL_BPS) / LOG_ODDS_PER_USD;
  }
}

function toWindow(stepSeconds: number, windowSeconds: number) {
  const stepMs = stepSeconds * 1_000;
  return { stepMs, samples: Math.floor((windowSeconds * 1_000) / stepMs) };
}
