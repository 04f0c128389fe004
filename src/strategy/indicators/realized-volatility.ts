import { type SampleWindow, StepGrid } from './window.ts';

/** Mean square of mid changes per second, bps²/s, and its number of samples. */
export interface MeasuredVariance {
  readonly bpsSquaredPerSecond: number;
  readonly samples: number;
}

/**
 * Realized variance of the mid (docs/spec/models.md#volatility): the sum of its squared changes between the points of a
 * time grid, divided by the time. The mid at a point is the last mid before the point, so a step without messages has a
 * change of 0. Steps with a halt are ignored.
 */
export class RealizedVolatility {
  readonly #grid: StepGrid;
  readonly #stepMs: number;
  readonly #squares: Float64Array;
  #count = 0;
  #slot = 0;
  #pointMid: number | undefined;
  #mid: number | undefined;

  /** @throws InputFault unless step and samples are whole numbers of at least 1 */
  constructor(window: SampleWindow) {
    this.#grid = new StepGrid(window);
    this.#stepMs = window.stepMs;
    this.#squares = new Float64Array(window.samples);
  }

  /** Sets the mid (bps) from `time` (epoch ms) on; undefined while halted or unknown. Times must not decrease. */
  observe(time: number, mid: number | undefined): void {
    for (let points = this.#grid.passTo(time); points > 0; points--) {
      if (this.#mid !== undefined && this.#pointMid !== undefined) this.#add(this.#mid - this.#pointMid);
      this.#pointMid = this.#mid;
    }
    if (mid === undefined) this.#pointMid = undefined;
    this.#mid = mid;
  }

  /** Returns the variance over the samples in the window; 0 without samples. */
  variance(): MeasuredVariance {
    if (this.#count === 0) return { bpsSquaredPerSecond: 0, samples: 0 };
    let sum = 0;
    for (let index = 0; index < this.#count; index++) sum += this.#squares[index] ?? 0;
    return { bpsSquaredPerSecond: sum / ((this.#count * this.#stepMs) / 1_000), samples: this.#count };
  }

  /** Returns the volatility, bps per square root of a second; undefined with fewer than `minSamples` samples. */
  sigma(minSamples = 30): number | undefined {
    const { bpsSquaredPerSecond, samples } = this.variance();
    return samples === 0 || samples < minSamples ? undefined : Math.sqrt(bpsSquaredPerSecond);
  }

  #add(change: number): void {
    this.#squares[this.#slot] = change * change;
    this.#slot = (this.#slot + 1) % this.#squares.length;
    this.#count = Math.min(this.#count + 1, this.#squares.length);
  }
}
