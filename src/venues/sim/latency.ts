import type { Random } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';

/** Latency of messages, whole ms. Called once a message, in order, so an implementation may draw random numbers. */
export interface LatencyModel {
  readonly assumption: string;
  /** Market data from venue to strategy; only used if the tape has no receive times. @param happened when, epoch ms */
  feed(happened: number): number;
  /** Strategy to venue, commands. @param sent when, epoch ms */
  entry(sent: number): number;
  /** Venue to strategy, answers and fills: those of one step together. @param happened when, epoch ms */
  response(happened: number): number;
  /** Latency of a fill; absent if `response` decides. @param happened when, epoch ms */
  fill?(happened: number): number;
  /** Time at which a timer of the bot fires; absent if all fire in time. @param due set time, epoch ms */
  firesAt?(due: number): number;
  /** Time at which a place or replace takes effect; absent if `entry` and the market's placing delay decide. */
  placedAt?(sent: number): number;
}

/** Whole milliseconds a leg, not negative. */
export interface ConstantLatency {
  readonly feed: number;
  readonly entry: number;
  readonly response: number;
  /** Delay of places beyond `entry`; undefined or absent if the market's placing delay decides. */
  readonly placing?: number | undefined;
}

/** A log-normal leg by two of its percentiles, ms; `p99` at least `median`, both above 0 unless both are 0. */
interface SampledLeg {
  readonly median: number;
  readonly p99: number;
}

export interface SampledLatency {
  readonly feed: SampledLeg;
  readonly entry: SampledLeg;
  readonly response: SampledLeg;
}

/** 99 % of a normal distribution lie below mean + 2.3263 standard deviations. */
const Z99 = 2.3263478740408408;

/**
 * Every message of a leg takes the same time.
 *
 * Assumes that the line is never worse when the market is busy, which is when orders are in danger: a late
 * cancel costs more than this model shows.
 * @throws InputFault unless each leg is whole ms, not negative
 */
export function constantLatency({ feed, entry, response, placing }: ConstantLatency): LatencyModel {
  wholeMs('feed latency', feed);
  wholeMs('entry latency', entry);
  wholeMs('response latency', response);
  if (placing !== undefined) wholeMs('placing delay', placing);
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
 * Each leg is log-normal, `median * exp(sigma * z)` with `sigma = ln(p99 / median) / 2.3263`, rounded to whole ms; each
 * leg draws from its own stream.
 *
 * Assumes that draws are independent of each other and of the market: real delays come in bursts. The
 * simulation keeps messages of one connection in order, so a slow one holds up those behind it.
 * @throws InputFault unless the percentiles are possible
 */
export function sampledLatency(legs: SampledLatency, random: Random): LatencyModel {
  return {
    assumption: `Latency is log-normal (median / 99th percentile): feed ${shown(legs.feed)}, order entry ${shown(legs.entry)}, response ${shown(legs.response)}; independent of the market, messages keep their order.`,
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

function wholeMs(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new InputFault(name, value, 'whole milliseconds, not negative');
}

function shown({ median, p99 }: SampledLeg): string {
  return `${median} / ${p99} ms`;
}

/**
 * Market data between the venue and the bot: never received before it happened, nor before an earlier message.
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

  /** Messages received before they happened: the clocks of a recording disagree. They count as received at once. */
  get early(): number {
    return this.#early;
  }

  /** When the bot receives a message of the tape. */
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

  /** When the bot receives what we changed; where receive times are recorded, after the last recorded delay. */
  ownReceivedAt(time: number): number {
    const delay = this.#recorded ? this.#lastDelay : this.#latency.feed(time);
    this.#last = Math.max(time + delay, this.#last);
    return this.#last;
  }
}
