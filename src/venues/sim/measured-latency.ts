import type { Random } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';
import type { LatencyModel } from './latency.ts';

/** Measured times of messages, whole ms, not negative, each leg in the order in which they were measured. */
export interface MeasuredTimes {
  /** Market data from venue to strategy; empty where it was not measured. */
  readonly feed: readonly number[];
  readonly entry: readonly number[];
  readonly response: readonly number[];
}

/**
 * Each message takes a time drawn from the measured ones of its leg, all equally likely. Each leg draws from its own
 * stream. A feed that was not measured takes the times of responses, which go the same way.
 *
 * Assumes that draws are independent of each other and of the market. `recordedLatency` keeps bursts where they were.
 * @throws InputFault when entry or response has no measurement
 */
export function measuredLatency(times: MeasuredTimes, random: Random): LatencyModel {
  const { entry, response } = times;
  const feed = times.feed.length === 0 ? response : times.feed;
  return {
    assumption: `Latency is drawn from measured times (count, median): feed ${shown(feed)}, order entry ${shown(entry)}, response ${shown(response)}; independent of the market, messages keep their order.`,
    feed: drawn('feed', feed, random.fork('latency/feed')),
    entry: drawn('entry', entry, random.fork('latency/entry')),
    response: drawn('response', response, random.fork('latency/response')),
  };
}

function drawn(leg: string, times: readonly number[], random: Random): () => number {
  if (times.length === 0) throw new InputFault(`measured ${leg} latency`, 'no value', 'at least one measurement');
  return () => times[random.int(times.length)] ?? 0;
}

/** The lower median. */
function shown(times: readonly number[]): string {
  return `${times.length}, ${times.toSorted((a, b) => a - b)[(times.length - 1) >> 1] ?? '-'} ms`;
}
