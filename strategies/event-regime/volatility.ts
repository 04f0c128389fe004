/** Exponentially weighted variance of the mid, on a fixed grid of time (docs/spec/models.md#event-regime). */

/** Fewer samples say too little about volatility (docs/spec/models.md#volatility). */
const LEAST_SAMPLES = 30;

/** Times in epoch ms, never falling. */
export class WeightedVariance {
  readonly #stepMs: number;
  /** Weight that a sample keeps over one step is exp(-#decay). */
  readonly #decay: number;
  #origin: number | undefined;
  #passed = 0;
  #samples = 0;
  #sum = 0;
  #weight = 0;
  #mid: number | undefined;
  #pointMid: number | undefined;

  constructor({ stepMs, halfLifeMs }: { readonly stepMs: number; readonly halfLifeMs: number }) {
    this.#stepMs = stepMs;
    this.#decay = (Math.LN2 * stepMs) / halfLifeMs;
  }

  /** The mid (bps) is this from `time` on; undefined while halted or unknown. A step that touches a halt does not count. */
  observe(time: number, mid: number | undefined): void {
    this.#passTo(time);
    if (mid === undefined) this.#pointMid = undefined;
    this.#mid = mid;
  }

  /** Bps per square root of a second, at `time`; undefined with fewer than 30 samples. */
  sigmaAt(time: number): number | undefined {
    this.#passTo(time);
    return this.#samples < LEAST_SAMPLES ? undefined : Math.sqrt(this.#sum / this.#weight);
  }

  /** Counts the grid points before `time`. After the first one of a gap, the mid did not change. */
  #passTo(time: number): void {
    this.#origin ??= time;
    const points = Math.ceil((time - this.#origin) / this.#stepMs) - this.#passed;
    if (points <= 0) return;
    this.#passed += points;
    if (this.#mid === undefined) return;
    const change = this.#mid - (this.#pointMid ?? this.#mid);
    const samples = this.#pointMid === undefined ? points - 1 : points;
    this.#pointMid = this.#mid;
    if (samples > 0) this.#add((change * change * 1_000) / this.#stepMs, samples);
  }

  /** Adds a first sample of `square` (bps²/s), then samples without change. */
  #add(square: number, samples: number): void {
    const fresh = -Math.expm1(-this.#decay);
    const quiet = Math.exp(-this.#decay * (samples - 1));
    this.#sum = (this.#sum * (1 - fresh) + square * fresh) * quiet;
    this.#weight = 1 - (1 - this.#weight) * (1 - fresh) * quiet;
    this.#samples += samples;
  }
}
