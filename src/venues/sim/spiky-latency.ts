import type { Random } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';
import { type ConstantLatency, constantLatency, type LatencyModel } from './latency.ts';

export interface Spikes {
  /** Period in which one spike begins, whole ms above 0. */
  readonly every: number;
  /** Duration of a spike, whole ms, at most `every`. */
  readonly lasts: number;
  /** Extra latency of every message in a spike, whole ms. */
  readonly extra: number;
}

/**
 * Returns a model with constant legs, and spikes in which all three take longer. In each period one spike begins at a
 * random time. The delay depends on the time of a message alone, so both directions and all markets are slow together.
 *
 * Assumes that spikes are independent of the market. Real ones come when it moves.
 * @throws InputFault unless legs and spikes are whole ms as described
 */
export function spikyLatency(legs: ConstantLatency, spikes: Spikes, random: Random): LatencyModel {
  const base = constantLatency(legs);
  const { every, lasts, extra } = spikes;
  if (!Number.isSafeInteger(every) || every < 1) throw new InputFault('spike period', every, 'whole ms above 0');
  if (!Number.isSafeInteger(lasts) || lasts < 0 || lasts > every)
    throw new InputFault('spike length', lasts, `whole ms from 0 to the period of ${every} ms`);
  if (!Number.isSafeInteger(extra) || extra < 0) throw new InputFault('spike delay', extra, 'whole ms, not negative');
  const schedule = new SpikeSchedule(every, random.fork('latency/spikes'));
  const extraAt = (time: number): number => (schedule.since(time) < lasts ? extra : 0);
  return {
    assumption: `Latency is constant with spikes: feed ${legs.feed} ms, order entry ${legs.entry} ms, response ${legs.response} ms; once in ${every / 1_000} s, for ${lasts} ms, everything takes ${extra} ms longer, whatever the market does.`,
    feed: (venueTime) => base.feed(venueTime) + extraAt(venueTime),
    entry: (sent) => base.entry(sent) + extraAt(sent),
    response: (venueTime) => base.response(venueTime) + extraAt(venueTime),
  };
}

/** The start times of spikes, each drawn from the stream of its period. */
class SpikeSchedule {
  readonly #every: number;
  readonly #random: Random;
  /** Cached period, with the start of its spike and of the one before. */
  #period = Number.NaN;
  #begins = 0;
  #before = 0;

  constructor(every: number, random: Random) {
    this.#every = every;
    this.#random = random;
  }

  /** Time since the last spike began, ms, at most two periods. */
  since(time: number): number {
    const period = Math.floor(time / this.#every);
    if (period !== this.#period) {
      this.#period = period;
      this.#begins = this.#begin(period);
      this.#before = this.#begin(period - 1);
    }
    return time - (time >= this.#begins ? this.#begins : this.#before);
  }

  #begin(period: number): number {
    return period * this.#every + Math.floor(this.#random.fork(`period ${period}`).uniform() * this.#every);
  }
}
