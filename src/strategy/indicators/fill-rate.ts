/**
 * Measures how often takers reach a distance from the mid, as `rate(distance) = intensity * exp(-kappa * distance)`
 * (docs/spec/models.md#fill-rate).
 */
import { type SampleWindow, StepGrid } from './window.ts';

/** `kappa` is per USD of distance. `intensity` (A in the literature) is fills per s and side, in whole own orders. */
export interface FillRate {
  readonly kappa: number;
  readonly intensity: number;
}

/** A trade of others. */
export interface Trade {
  /** bps */
  readonly price: number;
  /** Micro-shares. */
  readonly shares: number;
  readonly taker: 'BUY' | 'SELL' | 'unknown';
}

/** A measured rate: trades per second of one side that reach this distance (USD) from the mid. */
export interface RatePoint {
  readonly distance: number;
  readonly perSecond: number;
}

/**
 * Fits ln(rate) to the distance by least squares (docs/spec/models.md#fill-rate). Returns undefined if fewer than two
 * distances have a rate, or if the rate does not fall with the distance, because kappa must be positive.
 */
export function fitFillRate(points: readonly RatePoint[]): FillRate | undefined {
  const usable = points.filter(({ perSecond }) => perSecond > 0);
  const meanX = mean(usable.map(({ distance }) => distance));
  const meanY = mean(usable.map(({ perSecond }) => Math.log(perSecond)));
  let covariance = 0;
  let variance = 0;
  for (const { distance, perSecond } of usable) {
    covariance += (distance - meanX) * (Math.log(perSecond) - meanY);
    variance += (distance - meanX) * (distance - meanX);
  }
  if (variance === 0 || covariance >= 0) return undefined;
  const slope = covariance / variance;
  return { kappa: -slope, intensity: Math.exp(meanY - slope * meanX) };
}

/**
 * Estimates the trades per second at a distance or farther, from the fraction of steps that had such trades (Poisson).
 * Returns undefined if fewer than five steps, or more than 90% of the steps, had such trades.
 * @param reached number of steps in which a trade reached the distance
 */
export function estimateRate(reached: number, steps: number, stepSeconds: number): number | undefined {
  if (reached < MIN_REACHED_STEPS || reached > MAX_REACHED_FRACTION * steps) return undefined;
  return -Math.log(1 - reached / steps) / stepSeconds;
}

/** Distances at which trades are counted, bps, ascending. */
const DISTANCES = [10, 20, 40, 60, 80, 120, 160, 240, 320] as const;
const MIN_REACHED_STEPS = 5;
const MAX_REACHED_FRACTION = 0.9;

/**
 * Measures the fill rate from the trades on each side of the mid. Steps with a halt are ignored.
 *
 * A taker's BUY belongs above the mid, because a BUY reaches only asks. A SELL belongs below the mid. A trade with an
 * unknown taker belongs to the side of the trade's price.
 */
export class FillRateEstimator {
  readonly #grid: StepGrid;
  readonly #stepMs: number;
  readonly #orderShares: number;
  readonly #above: SideDepths;
  readonly #below: SideDepths;
  /** By step: micro-shares of an own order that the step's trades would have filled, and the number of trades. */
  readonly #fillable: Float64Array;
  readonly #trades: Uint32Array;
  #fillableSum = 0;
  #tradeSum = 0;
  #count = 0;
  /** Index of the next step in the window. */
  #slot = 0;
  #mid: number | undefined;
  /** Mid at the start of the current step, bps. The next four fields describe the trades of the step. */
  #startMid: number | undefined;
  #farthestAbove = 0;
  #farthestBelow = 0;
  #stepFillable = 0;
  #stepTrades = 0;

  /** @param orderShares size of an own order, micro-shares */
  constructor(window: SampleWindow, orderShares: number) {
    this.#grid = new StepGrid(window);
    this.#stepMs = window.stepMs;
    this.#orderShares = orderShares;
    this.#above = new SideDepths(window.samples);
    this.#below = new SideDepths(window.samples);
    this.#fillable = new Float64Array(window.samples);
    this.#trades = new Uint32Array(window.samples);
  }

  /** Sets the mid (bps) from `time` (epoch ms) on; undefined while halted or unknown. Times must not decrease. */
  observe(time: number, mid: number | undefined): void {
    this.#passTo(time);
    if (mid === undefined) this.#startMid = undefined;
    this.#mid = mid;
  }

  trade(time: number, { price, shares, taker }: Trade): void {
    this.#passTo(time);
    if (this.#startMid === undefined) return;
    if (taker !== 'SELL') this.#farthestAbove = Math.max(this.#farthestAbove, price - this.#startMid);
    if (taker !== 'BUY') this.#farthestBelow = Math.max(this.#farthestBelow, this.#startMid - price);
    this.#stepFillable += Math.min(shares, this.#orderShares);
    this.#stepTrades += 1;
  }

  /**
   * Fits the mean rate of both sides over the window. Multiplies the intensity by `filledFraction`. Returns undefined
   * for too few trades.
   * @param farthest largest distance to use, USD
   */
  fit(farthest = Number.POSITIVE_INFINITY): FillRate | undefined {
    const stepSeconds = this.#stepMs / 1_000;
    const points = DISTANCES.flatMap((bps, index) => {
      const distance = bps / 10_000;
      const above = estimateRate(this.#above.stepsReaching(index), this.#count, stepSeconds);
      const below = estimateRate(this.#below.stepsReaching(index), this.#count, stepSeconds);
      if (distance > farthest || above === undefined || below === undefined) return [];
      return [{ distance, perSecond: (above + below) / 2 }];
    });
    const fitted = fitFillRate(points);
    const filledFraction = this.filledFraction();
    if (fitted === undefined || filledFraction === undefined) return undefined;
    return { kappa: fitted.kappa, intensity: fitted.intensity * filledFraction };
  }

  /** Returns the mean part of an own order that a trade of the window would fill, 0..1; undefined without trades. */
  filledFraction(): number | undefined {
    return this.#tradeSum === 0 ? undefined : this.#fillableSum / this.#tradeSum / this.#orderShares;
  }

  #passTo(time: number): void {
    for (let points = this.#grid.passTo(time); points > 0; points--) {
      if (this.#startMid !== undefined) this.#addStep();
      this.#startMid = this.#mid;
      this.#farthestAbove = 0;
      this.#farthestBelow = 0;
      this.#stepFillable = 0;
      this.#stepTrades = 0;
    }
  }

  #addStep(): void {
    const slot = this.#slot;
    this.#above.set(slot, this.#farthestAbove);
    this.#below.set(slot, this.#farthestBelow);
    // Adding and subtracting whole micro-shares leaves no rounding error.
    this.#fillableSum += this.#stepFillable - (this.#fillable[slot] ?? 0);
    this.#tradeSum += this.#stepTrades - (this.#trades[slot] ?? 0);
    this.#fillable[slot] = this.#stepFillable;
    this.#trades[slot] = this.#stepTrades;
    this.#slot = (slot + 1) % this.#fillable.length;
    this.#count = Math.min(this.#count + 1, this.#fillable.length);
  }
}

/** Distances from the mid that the trades of each step in the window reached on one side. */
class SideDepths {
  /** Number of `DISTANCES` that the farthest trade reached, by step. */
  readonly #depths: Uint8Array;
  /** Number of steps that reached a distance, by index in `DISTANCES`. */
  readonly #steps = new Uint32Array(DISTANCES.length);

  constructor(samples: number) {
    this.#depths = new Uint8Array(samples);
  }

  /** Returns the number of steps that reached `DISTANCES[index]`. */
  stepsReaching(index: number): number {
    return this.#steps[index] ?? 0;
  }

  /** Replaces the step in `slot`. @param farthest the farthest trade's distance from the step's first mid, bps */
  set(slot: number, farthest: number): void {
    this.#addToSteps(this.#depths[slot] ?? 0, -1);
    const depth = DISTANCES.filter((bps) => bps <= farthest).length;
    this.#addToSteps(depth, 1);
    this.#depths[slot] = depth;
  }

  #addToSteps(depth: number, by: 1 | -1): void {
    for (let index = 0; index < depth; index++) this.#steps[index] = this.stepsReaching(index) + by;
  }
}

/** Rules for smoothing a measured fill rate (docs/spec/models.md#fill-rate). */
export interface RefitRules {
  /** Time between fits, ms. */
  readonly intervalMs: number;
  /** Maximum age of a used fit, ms. */
  readonly maxAgeMs: number;
  /** Weight of a new fit, 0..1. The first fit has weight 1. */
  readonly weight: number;
  /** Fits with a smaller or larger kappa are not used, 1/USD. */
  readonly kappaMin: number;
  readonly kappaMax: number;
}

/** The fill rate that quotes use. Each new fit moves the rate's logarithm by `weight` times the difference. */
export class SmoothedFillRate {
  readonly #rules: RefitRules;
  #rate: FillRate | undefined;
  #fittedAt = 0;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(rules: RefitRules) {
    this.#rules = rules;
  }

  /**
   * Returns the rate at `time`, epoch ms; undefined before the first fit, and when the last fit is too old. Times must
   * not decrease.
   * @param refit called when a new fit is needed; `previous` is the current rate
   */
  at(time: number, refit: (previous: FillRate | undefined) => FillRate | undefined): FillRate | undefined {
    const { intervalMs, maxAgeMs, kappaMin, kappaMax } = this.#rules;
    if (time - this.#fittedAt > maxAgeMs) this.#rate = undefined;
    if (time - this.#triedAt < intervalMs) return this.#rate;
    this.#triedAt = time;
    const fitted = refit(this.#rate);
    if (fitted === undefined || fitted.kappa < kappaMin || fitted.kappa > kappaMax) return this.#rate;
    this.#rate = this.#rate === undefined ? fitted : moveTowards(this.#rate, fitted, this.#rules.weight);
    this.#fittedAt = time;
    return this.#rate;
  }
}

/** `ln x += weight * (ln x_new - ln x)` for kappa and intensity. */
export function moveTowards(previous: FillRate, next: FillRate, weight: number): FillRate {
  const between = (from: number, to: number): number => from * Math.exp(weight * Math.log(to / from));
  return { kappa: between(previous.kappa, next.kappa), intensity: between(previous.intensity, next.intensity) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
