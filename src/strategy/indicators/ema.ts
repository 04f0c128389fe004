/** Exponential moving averages: one per sample, one over time. */
import { wholeAtLeastOne } from './window.ts';

/**
 * Exponential moving average of samples, such as the closes of bars: `ema += (value - ema) * 2 / (periods + 1)`. The
 * average starts at the first value.
 */
export class Ema {
  readonly #weight: number;
  #value: number | undefined;

  /** @throws InputFault unless `periods` is a whole number of at least 1 */
  constructor({ periods }: { readonly periods: number }) {
    this.#weight = 2 / (wholeAtLeastOne('periods', periods) + 1);
  }

  /** Undefined before the first sample. */
  get value(): number | undefined {
    return this.#value;
  }

  /** Adds a sample and returns the new average. */
  update(value: number): number {
    this.#value = this.#value === undefined ? value : this.#value + (value - this.#value) * this.#weight;
    return this.#value;
  }
}

/**
 * Exponential moving average over time. A value's weight is the time for which the value was in force, and halves with
 * each `halfLifeMs` of age. A mid that rarely changes therefore has its full weight.
 */
export class TimeEma {
  readonly #halfLifeMs: number;
  #time = 0;
  /** Value in force since `#time`. */
  #latest: number | undefined;
  /** Average up to `#time`. */
  #average = 0;

  /** @throws InputFault unless `halfLifeMs` is a whole number of at least 1 */
  constructor({ halfLifeMs }: { readonly halfLifeMs: number }) {
    this.#halfLifeMs = wholeAtLeastOne('halfLifeMs', halfLifeMs);
  }

  /** Sets the value in force from `time`, epoch ms. Times must not decrease. */
  observe(time: number, value: number): void {
    this.#average = this.at(time) ?? value;
    this.#time = time;
    this.#latest = value;
  }

  /** Returns the average at `time`, at or after the last observation; undefined before the first observation. */
  at(time: number): number | undefined {
    if (this.#latest === undefined) return undefined;
    const decay = Math.exp((-Math.LN2 * (time - this.#time)) / this.#halfLifeMs);
    return this.#latest + (this.#average - this.#latest) * decay;
  }
}
