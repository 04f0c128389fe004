/** Smoothing of a measured fill rate (docs/spec/models.md#fill-rate). */
import type { FillRate } from './fill-rate.ts';

export interface RefitRules {
  /** Time between fits, ms. */
  readonly intervalMs: number;
  /** Longest use of a fit without a newer one, ms. */
  readonly lifeMs: number;
  /** Weight of a new fit, 0..1. The first fit has weight 1. */
  readonly weight: number;
  /** Fits with another kappa are not used, 1/USD. */
  readonly kappaMin: number;
  readonly kappaMax: number;
}

/** The fill rate for quotes. Each fit moves it by `weight` in logarithms. */
export class FillRateInUse {
  readonly #rules: RefitRules;
  #rate: FillRate | undefined;
  #fittedAt = 0;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(rules: RefitRules) {
    this.#rules = rules;
  }

  /**
   * The rate at `time` (epoch ms, never falling); undefined before the first fit, and when the last one is too old.
   * @param refit called when it is time for a new fit; `previous` is the rate so far
   */
  at(time: number, refit: (previous: FillRate | undefined) => FillRate | undefined): FillRate | undefined {
    const { intervalMs, lifeMs, kappaMin, kappaMax } = this.#rules;
    if (time - this.#fittedAt > lifeMs) this.#rate = undefined;
    if (time - this.#triedAt < intervalMs) return this.#rate;
    this.#triedAt = time;
    const fitted = refit(this.#rate);
    if (fitted === undefined || fitted.kappa < kappaMin || fitted.kappa > kappaMax) return this.#rate;
    this.#rate = this.#rate === undefined ? fitted : damped(this.#rate, fitted, this.#rules.weight);
    this.#fittedAt = time;
    return this.#rate;
  }
}

/** `ln x += weight * (ln x_new - ln x)` for kappa and intensity. */
export function damped(previous: FillRate, next: FillRate, weight: number): FillRate {
  const between = (from: number, to: number): number => from * Math.exp(weight * Math.log(to / from));
  return { kappa: between(previous.kappa, next.kappa), intensity: between(previous.intensity, next.intensity) };
}
