/** Time windows of indicators: a rolling sum, and points on a fixed grid. */
import { InputFault } from '../../domain/index.ts';

const FIRST_CAPACITY = 64;

/**
 * Sum of the values with `now - windowMs < time <= now`. The sum is exact while values are whole numbers and the sum is
 * below 2^53. Memory grows with the number of values in the window.
 */
export class RollingSum {
  readonly #windowMs: number;
  #times = new Float64Array(FIRST_CAPACITY);
  #values = new Float64Array(FIRST_CAPACITY);
  #first = 0;
  #count = 0;
  #sum = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** @param time epoch ms, must not decrease */
  add(time: number, value: number): void {
    this.#dropExpired(time);
    if (this.#count === this.#times.length) this.#grow();
    const slot = (this.#first + this.#count) % this.#times.length;
    this.#times[slot] = time;
    this.#values[slot] = value;
    this.#count += 1;
    this.#sum += value;
  }

  /** Returns the sum at `time` (epoch ms, must not decrease); 0 without values. */
  sumAt(time: number): number {
    this.#dropExpired(time);
    return this.#sum;
  }

  /** Returns the number of values in the window at `time`. */
  countAt(time: number): number {
    this.#dropExpired(time);
    return this.#count;
  }

  #dropExpired(time: number): void {
    const lastExpired = time - this.#windowMs;
    while (this.#count > 0 && (this.#times[this.#first] ?? 0) <= lastExpired) {
      this.#sum -= this.#values[this.#first] ?? 0;
      this.#first = (this.#first + 1) % this.#times.length;
      this.#count -= 1;
    }
    if (this.#count === 0) this.#sum = 0;
  }

  #grow(): void {
    this.#times = this.#copyToLarger(this.#times);
    this.#values = this.#copyToLarger(this.#values);
    this.#first = 0;
  }

  /** Returns a copy of twice the length, with the oldest value first. */
  #copyToLarger(ring: Float64Array): Float64Array<ArrayBuffer> {
    const copy = new Float64Array(ring.length * 2);
    copy.set(ring.subarray(this.#first));
    copy.set(ring.subarray(0, this.#first), ring.length - this.#first);
    return copy;
  }
}

/** The latest samples, at equal distances in time. */
export interface SampleWindow {
  /** Time between two samples, ms. */
  readonly stepMs: number;
  /** Number of samples in the window. */
  readonly samples: number;
}

/** Points of time that are `stepMs` apart. The first observed time is the first point. */
export class StepGrid {
  readonly #window: SampleWindow;
  #origin: number | undefined;
  #passed = 0;

  /** @throws InputFault unless both are whole numbers, at least 1 */
  constructor(window: SampleWindow) {
    wholeAtLeastOne('stepMs', window.stepMs);
    wholeAtLeastOne('samples', window.samples);
    this.#window = window;
  }

  /**
   * Advances to `time`. Returns the number of points before `time` since the last call, at most `samples + 1`, because
   * earlier points would leave the window at once.
   */
  passTo(time: number): number {
    this.#origin ??= time;
    const passed = Math.max(this.#passed, Math.ceil((time - this.#origin) / this.#window.stepMs));
    const newlyPassed = Math.min(passed - this.#passed, this.#window.samples + 1);
    this.#passed = passed;
    return newlyPassed;
  }
}

/** @throws InputFault unless the option is a whole number of at least 1 */
export function wholeAtLeastOne(option: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new InputFault(option, value, 'a whole number, at least 1');
  return value;
}
