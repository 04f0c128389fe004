/** How often takers of one side reach how deep: `rate(distance) = intensity * exp(-kappa * distance)`. */
import { type SampleWindow, StepGrid } from './step-grid.ts';

/** `kappa` in 1/USD of distance, `intensity` (the literature's A) in 1/s a side. */
export interface FillRate {
  readonly kappa: number;
  readonly intensity: number;
}

/** A measured rate: trades a second of one side at least this far (USD) from the mid. */
export interface RatePoint {
  readonly distance: number;
  readonly perSecond: number;
}

/**
 * Least squares of ln(rate) on distance (docs/spec/models.md#fill-rate). Undefined with fewer than two distances that
 * have a rate, or when the rate does not fall with distance, so that there is no kappa to speak of.
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
 * Trades a second, from the share of steps that had one: a step counts once, however many come, so that the share alone cannot pass
 * one in a step. Undefined where it rests on fewer than five steps, or nearly all have one.
 * @param reached steps of one side whose deepest trade lies at least at the distance
 */
export function rateOf(reached: number, steps: number, stepSeconds: number): number | undefined {
  if (reached < LEAST_STEPS || reached > MOST_SHARE * steps) return undefined;
  return -Math.log(1 - reached / steps) / stepSeconds;
}

/** Distances that are counted, bps, ascending. */
const DISTANCES = [10, 20, 40, 60, 80, 120, 160, 240, 320] as const;
/** A rate from fewer steps than this is noise. */
const LEAST_STEPS = 5;
const MOST_SHARE = 0.9;

/** Measures the fill rate from what was traded on each side of the mid; steps that touch a halt do not count. */
export class FillRateEstimator {
  readonly #grid: StepGrid;
  readonly #stepMs: number;
  /** Of each step in the window, how many of `DISTANCES` its deepest trade reached: above the mid, and below it. */
  readonly #above: Uint8Array;
  readonly #below: Uint8Array;
  #count = 0;
  #at = 0;
  #startMid: number | undefined;
  #highest = 0;
  #lowest = 0;
  #mid: number | undefined;

  constructor(window: SampleWindow) {
    this.#grid = new StepGrid(window);
    this.#stepMs = window.stepMs;
    this.#above = new Uint8Array(window.samples);
    this.#below = new Uint8Array(window.samples);
  }

  /** The mid (bps) is this from `time` (epoch ms, never falling) on; undefined while halted or unknown. */
  observe(time: number, mid: number | undefined): void {
    this.#passTo(time);
    if (mid === undefined) this.#startMid = undefined;
    this.#mid = mid;
  }

  /** Somebody traded at `price` (bps). */
  trade(time: number, price: number): void {
    this.#passTo(time);
    if (this.#startMid === undefined) return;
    this.#highest = Math.max(this.#highest, price - this.#startMid);
    this.#lowest = Math.max(this.#lowest, this.#startMid - price);
  }

  /** The fit over the window, of the mean of both sides; undefined while too little was traded. */
  fit(): FillRate | undefined {
    const stepSeconds = this.#stepMs / 1_000;
    const points = DISTANCES.flatMap((bps, index) => {
      const above = rateOf(this.#stepsReaching(this.#above, index + 1), this.#count, stepSeconds);
      const below = rateOf(this.#stepsReaching(this.#below, index + 1), this.#count, stepSeconds);
      if (above === undefined || below === undefined) return [];
      return [{ distance: bps / 10_000, perSecond: (above + below) / 2 }];
    });
    return fitFillRate(points);
  }

  #passTo(time: number): void {
    for (let points = this.#grid.passTo(time); points > 0; points--) {
      if (this.#startMid !== undefined) this.#add(depthOf(this.#highest), depthOf(this.#lowest));
      this.#startMid = this.#mid;
      this.#highest = 0;
      this.#lowest = 0;
    }
  }

  #stepsReaching(side: Uint8Array, depth: number): number {
    let steps = 0;
    for (let index = 0; index < this.#count; index++) if ((side[index] ?? 0) >= depth) steps++;
    return steps;
  }

  #add(above: number, below: number): void {
    this.#above[this.#at] = above;
    this.#below[this.#at] = below;
    this.#at = (this.#at + 1) % this.#above.length;
    this.#count = Math.min(this.#count + 1, this.#above.length);
  }
}

/** How many of `DISTANCES` are reached. */
function depthOf(distance: number): number {
  return DISTANCES.filter((bps) => bps <= distance).length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
