import type { Random } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';

/** Latency of messages, whole ms. Each method is called once a message, in order, so it may draw random numbers. */
export interface LatencyModel {
  readonly assumption: string;
  /** Market data from venue to strategy; only used if the tape has no receive times. @param venueTime epoch ms */
  feed(venueTime: number): number;
  /** Commands from strategy to venue. @param sent epoch ms */
  entry(sent: number): number;
  /** All answers and fills of one step, from venue to strategy. @param venueTime epoch ms */
  response(venueTime: number): number;
  /** Latency of a fill; absent if `response` decides. @param venueTime epoch ms */
  fill?(venueTime: number): number;
  /** Time at which a timer of the bot fires; absent if all fire on time. @param due epoch ms */
  firesAt?(due: number): number;
  /** Time at which a place or replace takes effect; absent if `entry` and the market's placing delay decide. */
  placedAt?(sent: number): number;
}

/** Latency of each leg, whole ms, not negative. */
export interface ConstantLatency {
  readonly feed: number;
  readonly entry: number;
  readonly response: number;
  /** Delay of places beyond `entry`; undefined or absent if the market's placing delay decides. */
  readonly placing?: number | undefined;
}

/** Two percentiles of a log-normal leg, ms. `p99` is at least `median`; both are above 0, or both are 0. */
interface SampledLeg {
  readonly median: number;
  readonly p99: number;
}

export interface SampledLatency {
  readonly feed: SampledLeg;
  readonly entry: SampledLeg;
  readonly response: SampledLeg;
}

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.3263478740408408;

/**
 * Returns a model in which every message of a leg takes the same time.
 *
 * Assumes that a busy market is no slower. Real connections are slowest then, so a late cancel costs more than this
 * model shows.
 * @throws InputFault unless each leg is whole ms, not negative
 */
export function constantLatency({ feed, entry, response, placing }: ConstantLatency): LatencyModel {
  checkWholeMs('feed latency', feed);
  checkWholeMs('entry latency', entry);
  checkWholeMs('response latency', response);
  if (placing !== undefined) checkWholeMs('placing delay', placing);
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
 * Returns a model with log-normal legs: `median * exp(sigma * z)` with `sigma = ln(p99 / median) / 2.3263`, rounded to
 * whole ms. Each leg draws from its own stream.
 *
 * Assumes that draws are independent of each other and of the market; real delays come in bursts. The simulation keeps
 * the order of messages, so a slow one delays those behind it.
 * @throws InputFault unless the percentiles are valid
 */
export function sampledLatency(legs: SampledLatency, random: Random): LatencyModel {
  return {
    assumption: `Latency is log-normal (median / 99th percentile): feed ${formatLeg(legs.feed)}, order entry ${formatLeg(legs.entry)}, response ${formatLeg(legs.response)}; independent of the market, messages keep their order.`,
    feed: sampler('feed latency', legs.feed, random.fork('latency/feed')),
    entry: sampler('entry latency', legs.entry, random.fork('latency/entry')),
    response: sampler('response latency', legs.response, random.fork('latency/response')),
  };
}

function sampler(name: string, { median, p99 }: SampledLeg, random: Random): () => number {
  if (!(Number.isFinite(median) && median >= 0)) throw new InputFault(`${name} median`, median, 'ms, not negative');
  if (!(Number.isFinite(p99) && p99 >= median)) throw new InputFault(`${name} p99`, p99, 'ms, at least the median');
  if (median === 0) {
    if (p99 > 0) throw new InputFault(`${name} median`, median, 'more than 0 ms where the 99th percentile is');
    return () => 0;
  }
  const sigma = Math.log(p99 / median) / Z99;
  return () => Math.round(median * Math.exp(sigma * random.normal()));
}

function checkWholeMs(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new InputFault(name, value, 'whole milliseconds, not negative');
}

function formatLeg({ median, p99 }: SampledLeg): string {
  return `${median} / ${p99} ms`;
}

/**
 * Computes when the bot receives market data: never before the venue time, nor before an earlier message.
 *
 * HOT: called once per message. Measured in bench/replay.ts.
 */
export class FeedLatency {
  readonly #latency: LatencyModel;
  readonly #recorded: boolean;
  #last = 0;
  #lastDelay = 0;
  #early = 0;

  /** @param recorded whether the tape has receive times; the feed latency is only used if it has none */
  constructor(latency: LatencyModel, recorded: boolean) {
    this.#latency = latency;
    this.#recorded = recorded;
  }

  /** Number of messages with a receive time before their venue time, from disagreeing clocks. They arrive at once. */
  get early(): number {
    return this.#early;
  }

  /** Returns when the bot receives a message of the tape. */
  receivedAt(tx: number, rx: number): number {
    let time = this.#recorded ? rx : tx + this.#latency.feed(tx);
    if (time < tx) {
      time = tx;
      this.#early += 1;
    }
    if (time < this.#last) time = this.#last;
    this.#last = time;
    this.#lastDelay = time - tx;
    return time;
  }

  /** Returns when the bot receives a change by its own order. Recorded receive times give it the last recorded delay. */
  ownReceivedAt(time: number): number {
    const delay = this.#recorded ? this.#lastDelay : this.#latency.feed(time);
    this.#last = Math.max(time + delay, this.#last);
    return this.#last;
  }
}
