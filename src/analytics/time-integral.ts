/** The integral over time of a quantity that changes in steps: capital in use, quoting uptime. Floats, for reports. */
export class TimeIntegral {
  #since = Number.NaN;
  #value = 0;
  #area = 0;
  #duration = 0;
  #most = 0;

  /** From `time` on the quantity is `value`; a time that lies before the last one counts as the last one. */
  set(time: number, value: number): void {
    this.#advance(time);
    this.#value = value;
    if (value > this.#most) this.#most = value;
  }

  /** Integral up to `time`, in units of the quantity times ms. */
  until(time: number): number {
    this.#advance(time);
    return this.#area;
  }

  /** Time-weighted mean up to `time`; 0 when no time has passed. */
  mean(time: number): number {
    this.#advance(time);
    return this.#duration === 0 ? 0 : this.#area / this.#duration;
  }

  /** The largest value so far; 0 at least. */
  get most(): number {
    return this.#most;
  }

  #advance(time: number): void {
    if (Number.isNaN(this.#since)) this.#since = time;
    if (time <= this.#since) return;
    this.#area += this.#value * (time - this.#since);
    this.#duration += time - this.#since;
    this.#since = time;
  }
}
