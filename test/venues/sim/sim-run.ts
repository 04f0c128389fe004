/** Runs of a simulated venue on a short tape, with a log of the messages that the bot receives. */
import { expect } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs, microUsd, type OrderCommand, SHARE } from '../../../src/domain/index.ts';
import { riskAverseQueue } from '../../../src/replay/queue.ts';
import type { VenueSession } from '../../../src/runtime/index.ts';
import { KIND, SIDE } from '../../../src/tape/index.ts';
import { noFees } from '../../../src/venues/sim/fees.ts';
import { SimVenue } from '../../../src/venues/sim/index.ts';
import { constantLatency, type LatencyModel } from '../../../src/venues/sim/latency.ts';
import type { SimVenueSetup } from '../../../src/venues/sim/sim-venue.ts';
import { LIMITS } from './harness.ts';
import type { Message } from './naive-venue.ts';
import { feedOf, row } from './rows.ts';

export const LATENCY = { feed: 50, entry: 80, response: 40 };

export interface Run {
  readonly venue: SimVenue;
  readonly clock: SimClock;
  readonly session: VenueSession;
  /** `1050 rows bid 5800 100`, `1170 orderAccepted #1 of 1130`. */
  readonly log: string[];
}

export interface RunOptions extends Partial<SimVenueSetup> {
  readonly latency?: LatencyModel;
  /** Called with each line of the log. */
  readonly act?: (line: string, run: { session: VenueSession; clock: SimClock }) => void;
}

function messages(text: string): Message[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [tx = '', rows = ''] = line.trim().split(': ');
      return { tx: Number(tx), rows: rows.split(', ').map((each) => row(each)) };
    });
}

export async function start(tape: string, options: RunOptions = {}): Promise<Run> {
  const { latency = constantLatency(LATENCY), act, ...setup } = options;
  const clock = new SimClock(epochMs(0));
  const log: string[] = [];
  const venue = new SimVenue({
    feed: feedOf(messages(tape)),
    clock,
    receiveTime: 'missing',
    markets: [{ grid: { type: 'tick', tickBps: 10 } }],
    models: { latency, queue: riskAverseQueue(), fees: noFees(), liquidity: 'consumed', tradesOnly: undefined },
    capital: microUsd(10_000_000_000),
    limits: LIMITS,
    ...setup,
  });
  const record = (line: string): void => {
    log.push(line);
    act?.(line, { session, clock });
  };
  const session: VenueSession = await venue.connect({
    rows(block, from, to) {
      expect(block.rx.slice(from, to).every((time) => time === clock.now())).toBe(true);
      const texts = Array.from({ length: to - from }, (_, at) => rowText(block, from + at));
      record(`${clock.now()} rows ${texts.join(', ')}`);
    },
    event(event) {
      expect(event.time).toBe(clock.now());
      const order = 'order' in event ? ` #${event.order}` : '';
      const reason = 'reason' in event ? ` ${event.reason}` : '';
      record(`${event.time} ${event.type}${order}${reason} of ${event.venueTime}`);
    },
  });
  return { venue, clock, session, log };
}

function rowText(block: Parameters<Parameters<SimVenue['connect']>[0]['rows']>[0], at: number): string {
  const kind = block.kind[at]!;
  if (kind === KIND.level)
    return `${block.side[at] === SIDE.bid ? 'bid' : 'ask'} ${block.price[at]} ${block.shares[at]! / SHARE}`;
  return kind === KIND.trade ? `print ${block.shares[at]! / SHARE} @ ${block.price[at]}` : `kind ${kind}`;
}

export function runAll({ venue }: Run): void {
  while (venue.pump(1_000));
}

/** Sends the commands once, at the first line of the log that starts with `prefix`. */
export function once(prefix: string, ...commands: OrderCommand[]): NonNullable<RunOptions['act']> {
  let done = false;
  return (line, { session }) => {
    if (done || !line.startsWith(prefix)) return;
    done = true;
    session.send(commands);
  };
}
