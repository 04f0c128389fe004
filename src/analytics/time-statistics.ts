/** The time integral of a step function over time, such as capital in use or quoting uptime, as a float for reports. */
export class TimeIntegral {
  #since = Number.NaN;
  #value = 0;
  #area = 0;
  #duration = 0;
  #max = 0;

  /** Sets the value from `time` on, or from the previous time if it is later. */
  set(time: number, value: number): void {
    this.#advance(time);
    this.#value = value;
    if (value > this.#max) this.#max = value;
  }

  /** Returns the integral up to `time`, in units of the value times ms. */
  integral(time: number): number {
    this.#advance(time);
    return this.#area;
  }

  /** Returns the time-weighted mean up to `time`; 0 before any time passed. */
  mean(time: number): number {
    this.#advance(time);
    return this.#duration === 0 ? 0 : this.#area / this.#duration;
  }

  /** Largest value so far, at least 0. */
  get max(): number {
    return this.#max;
  }

  #advance(time: number): void {
    if (Number.isNaN(this.#since)) this.#since = time;
    if (time <= this.#since) return;
    this.#area += this.#value * (time - this.#since);
    this.#duration += time - this.#since;
    this.#since = time;
  }
}

const STEP_MS = 60_000;

/**
 * Half-life of inventory (docs/spec/models.md#report-numbers): `-step * ln 2 / ln rho`. `rho` is the position's lag-1
 * autocorrelation on a time grid that starts at the first fill. The cost of `setPosition` is constant.
 */
export class InventoryHalfLife {
  /** Time of the next sample. */
  #next = Number.NaN;
  #held = 0;
  #count = 0;
  #sum = 0;
  #squares = 0;
  /** Sum of products of adjacent samples. */
  #products = 0;
  #first = 0;
  #last = 0;

  /** Sets the signed position from `time` on. */
  setPosition(time: number, lots: number): void {
    if (Number.isNaN(this.#next)) this.#next = time;
    else this.#sampleBefore(time);
    this.#held = lots;
  }

  /** Returns the half-life in ms; undefined unless 0 < rho < 1 over at least three samples. */
  halfLifeMs(end: number): number | undefined {
    if (Number.isNaN(this.#next)) return undefined;
    this.#sampleBefore(end + 1);
    const count = this.#count;
    const mean = this.#sum / count;
    const variation = this.#squares - count * mean * mean;
    if (count < 3 || !(variation > 0)) return undefined;
    const lagged = this.#products - mean * (2 * this.#sum - this.#first - this.#last) + (count - 1) * mean * mean;
    const rho = lagged / variation;
    return rho > 0 && rho < 1 ? (-STEP_MS * Math.LN2) / Math.log(rho) : undefined;
  }

  /** Adds the grid's samples strictly before `time`. */
  #sampleBefore(time: number): void {
    if (!(this.#next < time)) return;
    const samples = Math.ceil((time - this.#next) / STEP_MS);
    const held = this.#held;
    if (this.#count === 0) this.#first = held;
    else this.#products += this.#last * held;
    this.#products += (samples - 1) * held * held;
    this.#count += samples;
    this.#sum += samples * held;
    this.#squares += samples * held * held;
    this.#last = held;
    this.#next += samples * STEP_MS;
  }
}
