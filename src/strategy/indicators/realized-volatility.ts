import { type SampleWindow, StepGrid } from './window.ts';

/** Mean square of mid changes per second, bps²/s, and its number of samples. */
export interface MeasuredVariance {
  readonly bpsSquaredPerSecond: number;
  readonly samples: number;
}

/**
 * Realised variance of the mid (docs/spec/models.md#volatility): squares of its changes on a fixed grid, over time. At
 * a grid point the mid is the last one known there, so a quiet step counts as one without change. Steps that touch a
 * halt do not count.
 */
export class RealizedVolatility {
  readonly #grid: StepGrid;
  readonly #stepMs: number;
  readonly #squares: Float64Array;
  #count = 0;
  #at = 0;
  #pointMid: number | undefined;
  #mid: number | undefined;

  /** @throws InputFault unless step and samples are whole numbers of at least 1 */
  constructor(window: SampleWindow) {
    this.#grid = new StepGrid(window);
    this.#stepMs = window.stepMs;
    this.#squares = new Float64Array(window.samples);
  }

  /** The mid (bps) is this from `time` (epoch ms, never falling) on; undefined while halted or unknown. */
  observe(time: number, mid: number | undefined): void {
    for (let points = this.#grid.passTo(time); points > 0; points--) {
      if (this.#mid !== undefined && this.#pointMid !== undefined) this.#add(this.#mid - this.#pointMid);
      this.#pointMid = this.#mid;
    }
    if (mid === undefined) this.#pointMid = undefined;
    this.#mid = mid;
  }

  /** Over the samples in the window; 0 of 0 before the first. */
  variance(): MeasuredVariance {
    if (this.#count === 0) return { bpsSquaredPerSecond: 0, samples: 0 };
    let sum = 0;
    for (let index = 0; index < this.#count; index++) sum += this.#squares[index] ?? 0;
    return { bpsSquaredPerSecond: sum / ((this.#count * this.#stepMs) / 1_000), samples: this.#count };
  }

  /** Bps per square root of a second; undefined with fewer than `minSamples` samples. */
  sigma(minSamples = 30): number | undefined {
    const { bpsSquaredPerSecond, samples } = this.variance();
    return samples === 0 || samples < minSamples ? undefined : Math.sqrt(bpsSquaredPerSecond);
  }

  #add(change: number): void {
    this.#squares[this.#at] = change * change;
    this.#at = (this.#at + 1) % this.#squares.length;
    this.#count = Math.min(this.#count + 1, this.#squares.length);
  }
}
