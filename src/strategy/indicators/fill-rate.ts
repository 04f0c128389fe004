/** Measures how often takers reach a distance from the mid: `rate(distance) = intensity * exp(-kappa * distance)` (docs/spec/models.md#fill-rate). */
import { type SampleWindow, StepGrid } from './window.ts';

/** `kappa` in 1/USD of distance; `intensity` (the literature's A) in 1/s a side, of takers as large as an own order. */
export interface FillRate {
  readonly kappa: number;
  readonly intensity: number;
}

/** A trade of others. */
export interface Print {
  /** bps */
  readonly price: number;
  /** Micro-shares. */
  readonly shares: number;
  readonly taker: 'BUY' | 'SELL' | 'unknown';
}

/** A measured rate: trades per second of one side at this distance (USD) from the mid or more. */
export interface RatePoint {
  readonly distance: number;
  readonly perSecond: number;
}

/**
 * Least squares of ln(rate) on distance (docs/spec/models.md#fill-rate). Undefined with fewer than two distances that
 * have a rate, or when the rate does not fall with distance, so that kappa would not be positive.
 */
export function fitFillRate(points: readonly RatePoint[]): FillRate | undefined {
  const known = points.filter(({ perSecond }) => perSecond > 0);
  const meanX = mean(known.map(({ distance }) => distance));
  const meanY = mean(known.map(({ perSecond }) => Math.log(perSecond)));
  let covariance = 0;
  let variance = 0;
  for (const { distance, perSecond } of known) {
    covariance += (distance - meanX) * (Math.log(perSecond) - meanY);
    variance += (distance - meanX) * (distance - meanX);
  }
  if (variance === 0 || covariance >= 0) return undefined;
  const slope = covariance / variance;
  return { kappa: -slope, intensity: Math.exp(meanY - slope * meanX) };
}

/**
 * Trades a second, estimated from the share of steps that had at least one (Poisson). Undefined with fewer than five such
 * steps, or when nearly all steps had one.
 * @param reached steps of one side whose deepest trade lies at least at the distance
 */
export function rateOf(reached: number, steps: number, stepSeconds: number): number | undefined {
  if (reached < MIN_STEPS || reached > MAX_SHARE * steps) return undefined;
  return -Math.log(1 - reached / steps) / stepSeconds;
}

/** Counted distances, bps, ascending. */
const DISTANCES = [10, 20, 40, 60, 80, 120, 160, 240, 320] as const;
/** Minimum of steps for a rate. */
const MIN_STEPS = 5;
const MAX_SHARE = 0.9;

/**
 * Measures the fill rate from the trades on each side of the mid. Steps that touch a halt do not count.
 *
 * A buyer can only reach asks and a seller only bids, so a print counts on its taker's side, and on the side of the mid
 * where it lies when the taker is unknown.
 */
export class FillRateEstimator {
  readonly #grid: StepGrid;
  readonly #stepMs: number;
  readonly #orderShares: number;
  readonly #above: SideDepths;
  readonly #below: SideDepths;
  /** For each step in the window: micro-shares that its trades would have filled of an own order, and their number. */
  readonly #fillable: Float64Array;
  readonly #prints: Uint32Array;
  #fillableSum = 0;
  #printSum = 0;
  #count = 0;
  #at = 0;
  #mid: number | undefined;
  /** The current step. */
  #startMid: number | undefined;
  #highest = 0;
  #lowest = 0;
  #stepFillable = 0;
  #stepPrints = 0;

  /** @param orderShares size of an own order, micro-shares */
  constructor(window: SampleWindow, orderShares: number) {
    this.#grid = new StepGrid(window);
    this.#stepMs = window.stepMs;
    this.#orderShares = orderShares;
    this.#above = new SideDepths(window.samples);
    this.#below = new SideDepths(window.samples);
    this.#fillable = new Float64Array(window.samples);
    this.#prints = new Uint32Array(window.samples);
  }

  /** The mid (bps) is this from `time` (epoch ms, never falling) on; undefined while halted or unknown. */
  observe(time: number, mid: number | undefined): void {
    this.#passTo(time);
    if (mid === undefined) this.#startMid = undefined;
    this.#mid = mid;
  }

  trade(time: number, { price, shares, taker }: Print): void {
    this.#passTo(time);
    if (this.#startMid === undefined) return;
    if (taker !== 'SELL') this.#highest = Math.max(this.#highest, price - this.#startMid);
    if (taker !== 'BUY') this.#lowest = Math.max(this.#lowest, this.#startMid - price);
    this.#stepFillable += Math.min(shares, this.#orderShares);
    this.#stepPrints += 1;
  }

  /**
   * The fit over the window, of the mean of both sides; undefined while too little was traded. The intensity is times the
   * mean share of an own order that a print would have filled.
   * @param farthest USD; rates at larger distances are left out
   */
  fit(farthest = Number.POSITIVE_INFINITY): FillRate | undefined {
    const stepSeconds = this.#stepMs / 1_000;
    const points = DISTANCES.flatMap((bps, index) => {
      const distance = bps / 10_000;
      const above = rateOf(this.#above.reached(index), this.#count, stepSeconds);
      const below = rateOf(this.#below.reached(index), this.#count, stepSeconds);
      if (distance > farthest || above === undefined || below === undefined) return [];
      return [{ distance, perSecond: (above + below) / 2 }];
    });
    const fitted = fitFillRate(points);
    const filledShare = this.filledShare();
    if (fitted === undefined || filledShare === undefined) return undefined;
    return { kappa: fitted.kappa, intensity: fitted.intensity * filledShare };
  }

  /** Mean share of an own order that a print in the window would have filled, 0..1; undefined without prints. */
  filledShare(): number | undefined {
    return this.#printSum === 0 ? undefined : this.#fillableSum / this.#printSum / this.#orderShares;
  }

  #passTo(time: number): void {
    for (let points = this.#grid.passTo(time); points > 0; points--) {
      if (this.#startMid !== undefined) this.#add();
      this.#startMid = this.#mid;
      this.#highest = 0;
      this.#lowest = 0;
      this.#stepFillable = 0;
      this.#stepPrints = 0;
    }
  }

  #add(): void {
    const at = this.#at;
    this.#above.set(at, this.#highest);
    this.#below.set(at, this.#lowest);
    // Whole micro-shares: adding and subtracting them leaves no rounding error.
    this.#fillableSum += this.#stepFillable - (this.#fillable[at] ?? 0);
    this.#printSum += this.#stepPrints - (this.#prints[at] ?? 0);
    this.#fillable[at] = this.#stepFillable;
    this.#prints[at] = this.#stepPrints;
    this.#at = (at + 1) % this.#fillable.length;
    this.#count = Math.min(this.#count + 1, this.#fillable.length);
  }
}

/** Depths that the trades of the window's steps reached on one side. */
class SideDepths {
  /** Number of `DISTANCES` that the deepest trade reached, by step. */
  readonly #depths: Uint8Array;
  /** Number of steps that reached a distance, by distance. */
  readonly #steps = new Uint32Array(DISTANCES.length);

  constructor(samples: number) {
    this.#depths = new Uint8Array(samples);
  }

  reached(distance: number): number {
    return this.#steps[distance] ?? 0;
  }

  /** Replaces the oldest step. @param deepest bps from the mid at the step's start */
  set(at: number, deepest: number): void {
    this.#count(this.#depths[at] ?? 0, -1);
    const depth = DISTANCES.filter((bps) => bps <= deepest).length;
    this.#count(depth, 1);
    this.#depths[at] = depth;
  }

  #count(depth: number, by: 1 | -1): void {
    for (let distance = 0; distance < depth; distance++) this.#steps[distance] = this.reached(distance) + by;
  }
}

/** Rules of smoothing a measured fill rate (docs/spec/models.md#fill-rate). */
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

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
