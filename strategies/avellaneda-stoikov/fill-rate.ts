/** How often takers reach how deep: `rate(distance) = intensity * exp(-kappa * distance)`. */
import { type SampleWindow, StepGrid } from './step-grid.ts';

/** `kappa` in 1/USD of distance, `intensity` (the literature's A) in 1/s. */
export interface FillRate {
  readonly kappa: number;
  readonly intensity: number;
}

/** A measured rate: steps a second whose deepest trade was at least this far (USD) from the mid. */
export interface RatePoint {
  readonly distance: number;
  readonly perSecond: number;
}

/**
 * Least squares of ln(rate) on distance (models 7). Undefined with fewer than two distances that have a rate, or when
 * the rate does not fall with distance, so that there is no kappa to speak of.
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

/** Distances that are counted, bps, ascending. */
const DISTANCES = [10, 20, 40, 60, 80, 120, 160, 240, 320] as const;
/** A rate from fewer steps than this is noise. */
const LEAST_STEPS = 5;

/** Measures the fill rate from what was traded, on the grid of the volatility; steps that touch a halt do not count. */
export class FillRateEstimator {
  readonly #grid: StepGrid;
  readonly #stepMs: number;
  /** Of each step in the window, how many of `DISTANCES` its deepest trade reached. */
  readonly #reached: Uint8Array;
  #count = 0;
  #at = 0;
  #startMid: number | undefined;
  #deepest = 0;
  #mid: number | undefined;

  constructor(window: SampleWindow) {
    this.#grid = new StepGrid(window);
    this.#stepMs = window.stepMs;
    this.#reached = new Uint8Array(window.samples);
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
    if (this.#startMid !== undefined) this.#deepest = Math.max(this.#deepest, Math.abs(price - this.#startMid));
  }

  /** The fit over the window; undefined while too little was traded. */
  fit(): FillRate | undefined {
    const seconds = (this.#count * this.#stepMs) / 1_000;
    const points = DISTANCES.flatMap((bps, index) => {
      const steps = this.#stepsReaching(index + 1);
      return steps < LEAST_STEPS ? [] : [{ distance: bps / 10_000, perSecond: steps / seconds }];
    });
    return fitFillRate(points);
  }

  #passTo(time: number): void {
    for (let points = this.#grid.passTo(time); points > 0; points--) {
      if (this.#startMid !== undefined) this.#add(DISTANCES.filter((bps) => bps <= this.#deepest).length);
      this.#startMid = this.#mid;
      this.#deepest = 0;
    }
  }

  #stepsReaching(depth: number): number {
    let steps = 0;
    for (let index = 0; index < this.#count; index++) if ((this.#reached[index] ?? 0) >= depth) steps++;
    return steps;
  }

  #add(depth: number): void {
    this.#reached[this.#at] = depth;
    this.#at = (this.#at + 1) % this.#reached.length;
    this.#count = Math.min(this.#count + 1, this.#reached.length);
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
