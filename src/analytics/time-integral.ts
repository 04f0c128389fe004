/** The time integral of a step function, such as capital in use or quoting uptime. Floats, for reports. */
export class TimeIntegral {
  #since = Number.NaN;
  #value = 0;
  #area = 0;
  #duration = 0;
  #max = 0;

  /** Sets the value from `time` on. An earlier time than the previous one counts as the previous one. */
  set(time: number, value: number): void {
    this.#advance(time);
    this.#value = value;
    if (value > this.#max) this.#max = value;
  }

  /** Integral up to `time`, in units of the value times ms. */
  until(time: number): number {
    this.#advance(time);
    return this.#area;
  }

  /** Time-weighted mean up to `time`; 0 before any time passed. */
  mean(time: number): number {
    this.#advance(time);
    return this.#duration === 0 ? 0 : this.#area / this.#duration;
  }

  /** The largest value so far, at least 0. */
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
