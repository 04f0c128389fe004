import type { Random } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';
import type { LatencyModel } from './latency.ts';

/** Measured latencies, whole ms, not negative, each leg in the order of measurement. */
export interface MeasuredTimes {
  /** Market data from venue to strategy; empty if not measured. */
  readonly feed: readonly number[];
  readonly entry: readonly number[];
  readonly response: readonly number[];
}

/**
 * Returns a model that draws each latency from the measured ones of its leg, all equally likely. Each leg draws from its
 * own stream. A feed without measurements uses those of responses.
 *
 * Assumes that draws are independent of each other and of the market; `recordedLatency` keeps bursts in their place.
 * @throws InputFault if entry or response has no measurement
 */
export function measuredLatency(times: MeasuredTimes, random: Random): LatencyModel {
  const { entry, response } = times;
  const feed = times.feed.length === 0 ? response : times.feed;
  return {
    assumption: `Latency is sampler from measured times (count, median): feed ${formatTimes(feed)}, order entry ${formatTimes(entry)}, response ${formatTimes(response)}; independent of the market, messages keep their order.`,
    feed: sampler('feed', feed, random.fork('latency/feed')),
    entry: sampler('entry', entry, random.fork('latency/entry')),
    response: sampler('response', response, random.fork('latency/response')),
  };
}

function sampler(leg: string, times: readonly number[], random: Random): () => number {
  if (times.length === 0) throw new InputFault(`measured ${leg} latency`, 'no value', 'at least one measurement');
  return () => times[random.int(times.length)] ?? 0;
}

/** Formats count and lower median. */
function formatTimes(times: readonly number[]): string {
  return `${times.length}, ${times.toSorted((a, b) => a - b)[(times.length - 1) >> 1] ?? '-'} ms`;
}
