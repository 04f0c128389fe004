/** The time integral of a step function, such as capital in use or quoting uptime, as a float for reports. */
export class TimeIntegral {
  #since = Number.NaN;
  #value = 0;
  #area = 0;
  #duration = 0;
  #max = 0;

  /** Sets the value from `time` on. A time before the previous one is replaced by the previous one. */
  set(time: number, value: number): void {
    this.#advance(time);
    this.#value = value;
    if (value > this.#max) this.#max = value;
  }

  /** Returns the integral up to `time`, in units of the value times ms. */
  until(time: number): number {
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
