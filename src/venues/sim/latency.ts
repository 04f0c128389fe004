/** Latency models. `simOptionsSchema` has checked their numbers. */
import type { Random } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';

/** Latency of messages, whole ms. Each method is called once per message, in order, so it may draw random numbers. */
export interface LatencyModel {
  readonly assumption: string;
  /** Returns the latency of market data. Not called if the tape has receive times. @param venueTime epoch ms */
  feed(venueTime: number): number;
  /** Returns the latency of a command from strategy to venue. @param sent epoch ms */
  entry(sent: number): number;
  /** Returns the latency of all answers and fills of one step. @param venueTime epoch ms */
  response(venueTime: number): number;
  /** Returns the latency of a fill. Without this method, `response` decides. @param venueTime epoch ms */
  fill?(venueTime: number): number;
  /** Returns when a timer of the bot fires. Without this method, timers fire on time. @param due epoch ms */
  firesAt?(due: number): number;
  /** Returns when a place or replace takes effect. Without this method, `entry` and the market's delay decide. */
  placedAt?(sent: number): number;
}

/** Latency of each kind of message, whole ms, not negative. */
export interface ConstantLatency {
  readonly feed: number;
  readonly entry: number;
  readonly response: number;
  /** Delay of places beyond `entry`; undefined or absent if the market's placing delay decides. */
  readonly placing?: number | undefined;
}

/** Two percentiles of a log-normal latency, ms. `p99` is at least `median`. Both are above 0, or both are 0. */
interface LogNormalTimes {
  readonly median: number;
  readonly p99: number;
}

export type SampledLatency = Readonly<Record<'feed' | 'entry' | 'response', LogNormalTimes>>;

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.3263478740408408;

/**
 * Returns a model in which every message of a kind takes the same time. Assumes that a busy market is no slower. Real
 * connections are slowest in busy markets, so a late cancel costs more than this model shows.
 */
export function constantLatency({ feed, entry, response, placing }: ConstantLatency): LatencyModel {
  const places = placing === undefined ? '' : ` (places ${placing} ms more)`;
  return {
    assumption: `Latency is constant: feed ${feed} ms, order entry ${entry} ms${places}, response ${response} ms; a busy market is no slower.`,
    feed: () => feed,
    entry: () => entry,
    response: () => response,
    ...(placing !== undefined && { placedAt: (sent: number) => sent + entry + placing }),
  };
}

/**
 * Returns a model with log-normal latencies: `median * exp(sigma * z)` with `sigma = ln(p99 / median) / 2.3263`,
 * rounded to whole ms. Each kind of message draws from its own stream.
 *
 * Assumes that draws are independent of each other and of the market. Real delays come in bursts. The simulation keeps
 * the order of messages, so a slow message delays the messages behind it.
 */
export function sampledLatency(latencies: SampledLatency, random: Random): LatencyModel {
  return {
    assumption: `Latency is log-normal (median / 99th percentile): feed ${formatPercentiles(latencies.feed)}, order entry ${formatPercentiles(latencies.entry)}, response ${formatPercentiles(latencies.response)}; independent of the market, messages keep their order.`,
    feed: logNormal(latencies.feed, random.fork('latency/feed')),
    entry: logNormal(latencies.entry, random.fork('latency/entry')),
    response: logNormal(latencies.response, random.fork('latency/response')),
  };
}

function logNormal({ median, p99 }: LogNormalTimes, random: Random): () => number {
  if (median === 0) return () => 0;
  const sigma = Math.log(p99 / median) / Z99;
  return () => Math.round(median * Math.exp(sigma * random.normal()));
}

function formatPercentiles({ median, p99 }: LogNormalTimes): string {
  return `${median} / ${p99} ms`;
}

/** Measured latencies by kind of message, whole ms, not negative, in the order of measurement. */
export interface MeasuredTimes {
  /** Market data from venue to strategy; empty if not measured. */
  readonly feed: readonly number[];
  readonly entry: readonly number[];
  readonly response: readonly number[];
}

/**
 * Returns a model that draws each latency from the measurements of its kind of message, all equally likely. Each kind
 * draws from its own stream. A feed without measurements uses the measurements of responses.
 *
 * Assumes that draws are independent of each other and of the market. `recordedLatency` keeps bursts in their place.
 * @throws InputFault if entry or response has no measurement
 */
export function measuredLatency(times: MeasuredTimes, random: Random): LatencyModel {
  const { entry, response } = times;
  const feed = times.feed.length === 0 ? response : times.feed;
  return {
    assumption: `Latency is sampled from measured times (count, median): feed ${formatTimes(feed)}, order entry ${formatTimes(entry)}, response ${formatTimes(response)}; independent of the market, messages keep their order.`,
    feed: measuredSampler('feed', feed, random.fork('latency/feed')),
    entry: measuredSampler('entry', entry, random.fork('latency/entry')),
    response: measuredSampler('response', response, random.fork('latency/response')),
  };
}

function measuredSampler(kind: string, times: readonly number[], random: Random): () => number {
  if (times.length === 0) throw new InputFault(`measured ${kind} latency`, 'no value', 'at least one measurement');
  return () => times[random.int(times.length)] ?? 0;
}

function formatTimes(times: readonly number[]): string {
  const sorted = times.toSorted((first, second) => first - second);
  return `${times.length}, ${sorted[Math.floor((times.length - 1) / 2)] ?? '-'} ms`;
}

export interface Spikes {
  /** Period in which one spike begins, whole ms above 0. */
  readonly every: number;
  /** Duration of a spike, whole ms, at most `every`. */
  readonly lasts: number;
  /** Extra latency of every message in a spike, whole ms. */
  readonly extra: number;
}

/**
 * Returns a model with constant latencies, and spikes in which all messages take longer. In each period one spike
 * begins at a random time. The delay depends on the time of a message alone, so both directions and all markets are
 * slow together. Assumes that spikes are independent of the market. Real spikes come when the market moves.
 */
export function spikyLatency(latencies: ConstantLatency, spikes: Spikes, random: Random): LatencyModel {
  const base = constantLatency(latencies);
  const { every, lasts, extra } = spikes;
  const schedule = new SpikeSchedule(every, random.fork('latency/spikes'));
  const extraAt = (time: number): number => (schedule.msSinceSpike(time) < lasts ? extra : 0);
  return {
    assumption: `Latency is constant with spikes: feed ${latencies.feed} ms, order entry ${latencies.entry} ms, response ${latencies.response} ms; once in ${every / 1_000} s, for ${lasts} ms, everything takes ${extra} ms longer, whatever the market does.`,
    feed: (venueTime) => base.feed(venueTime) + extraAt(venueTime),
    entry: (sent) => base.entry(sent) + extraAt(sent),
    response: (venueTime) => base.response(venueTime) + extraAt(venueTime),
  };
}

/** The start times of spikes, each drawn from the stream of its period. */
class SpikeSchedule {
  readonly #every: number;
  readonly #random: Random;
  /** Cached period, with the start of its spike and of the previous spike. */
  #period = Number.NaN;
  #start = 0;
  #previousStart = 0;

  constructor(every: number, random: Random) {
    this.#every = every;
    this.#random = random;
  }

  /** Returns the milliseconds since the last spike began, at most two periods. */
  msSinceSpike(time: number): number {
    const period = Math.floor(time / this.#every);
    if (period !== this.#period) {
      this.#period = period;
      this.#start = this.#computeStart(period);
      this.#previousStart = this.#computeStart(period - 1);
    }
    return time - (time >= this.#start ? this.#start : this.#previousStart);
  }

  #computeStart(period: number): number {
    return period * this.#every + Math.floor(this.#random.fork(`period ${period}`).uniform() * this.#every);
  }
}

/**
 * Computes when the bot receives market data: never before the venue time, nor before an earlier message.
 *
 * HOT: called once per message (bench/replay.ts).
 */
export class FeedLatency {
  readonly #latency: LatencyModel;
  readonly #isRecorded: boolean;
  #earlyCount = 0;
  #last = 0;
  #lastDelay = 0;

  /** @param isRecorded whether the tape has receive times, which replace the feed latency */
  constructor(latency: LatencyModel, isRecorded: boolean) {
    this.#latency = latency;
    this.#isRecorded = isRecorded;
  }

  /** Number of messages whose receive time precedes their venue time, because clocks disagree. Their latency is 0. */
  get earlyCount(): number {
    return this.#earlyCount;
  }

  /** Returns when the bot receives a message of the tape. */
  receivedAt(tx: number, rx: number): number {
    let time = this.#isRecorded ? rx : tx + this.#latency.feed(tx);
    if (time < tx) {
      time = tx;
      this.#earlyCount += 1;
    }
    if (time < this.#last) time = this.#last;
    this.#last = time;
    this.#lastDelay = time - tx;
    return time;
  }

  /** Returns when the bot sees its own order change the book. On a tape with receive times, the last delay applies. */
  ownReceivedAt(time: number): number {
    const delay = this.#isRecorded ? this.#lastDelay : this.#latency.feed(time);
    this.#last = Math.max(time + delay, this.#last);
    return this.#last;
  }
}
