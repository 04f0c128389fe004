import { describe, expect, it } from 'vitest';
import { SimClock, seededRandom } from '../../../src/clock/index.ts';
import { counted, epochMs, microUsd, type OrderCommand, type PlaceOrder, SHARE } from '../../../src/domain/index.ts';
import { riskAverseQueue } from '../../../src/replay/queue.ts';
import type { VenueSession } from '../../../src/runtime/index.ts';
import { KIND, SIDE } from '../../../src/tape/index.ts';
import { noFees } from '../../../src/venues/sim/fees.ts';
import { SimVenue } from '../../../src/venues/sim/index.ts';
import { constantLatency, type LatencyModel, sampledLatency } from '../../../src/venues/sim/latency.ts';
import type { SimVenueSetup } from '../../../src/venues/sim/sim-venue.ts';
import { Harness, LIMITS, row } from './harness.ts';
import type { Message } from './naive-venue.ts';
import { feedOf } from './scenario.ts';

const LATENCY = { feed: 50, entry: 80, response: 40 };

interface Run {
  readonly venue: SimVenue;
  readonly clock: SimClock;
  readonly session: VenueSession;
  /** `1050 rows bid 5800 100`, `1170 orderAccepted #1 of 1130`. */
  readonly log: string[];
}

interface RunOptions extends Partial<SimVenueSetup> {
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

async function start(tape: string, options: RunOptions = {}): Promise<Run> {
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

const orders = new Harness();
const bid = (text: string, options = {}): PlaceOrder => orders.order(text, options);

function runAll({ venue }: Run): void {
  while (venue.pump(1_000));
}

/** Sends the commands once, at the first line of the log that starts with `prefix`. */
function once(prefix: string, ...commands: OrderCommand[]): NonNullable<RunOptions['act']> {
  let done = false;
  return (line, { session }) => {
    if (done || !line.startsWith(prefix)) return;
    done = true;
    session.send(commands);
  };
}

describe('the path of an order (docs/spec/models.md#time-and-look-ahead)', () => {
  it('has the times of the worked example, from market data to the response', async () => {
    const place = bid('bid 10 @ 5800');
    const run = await start('1000: bid 5800 100, ask 6200 100\n3000: bid 5700 1', { act: once('1050', place) });
    runAll(run);
    expect(run.log).toEqual([
      '1050 rows bid 5800 100, ask 6200 100',
      `1170 orderAccepted #${place.order} of 1130`,
      '3050 rows bid 5700 1',
    ]);
  });

  it('includes the placement delay in force at its arrival, also after the end of the tape', async () => {
    const place = bid('bid 10 @ 5800');
    const tape = '1000: delay 5000, bid 5800 100, ask 6200 100\n1140: delay 0';
    const run = await start(tape, { act: once('1050', place) });
    runAll(run);
    expect(run.log.at(-1)).toBe(`6170 orderAccepted #${place.order} of 6130`);
  });

  it('includes no delay for a cancel, which overtakes delayed orders', async () => {
    const [first, second, third] = [bid('bid 10 @ 5800'), bid('bid 11 @ 5800'), bid('bid 12 @ 5800')];
    const cancel: OrderCommand = { type: 'cancel', order: first.order, market: first.market };
    const replace: OrderCommand = {
      type: 'replace',
      market: first.market,
      cancels: [{ order: first.order, remaining: first.shares }],
      places: [third],
    };
    const tape = '1000: bid 5800 100, ask 6200 100\n2000: delay 5000\n9000: bid 5700 1';
    const act: RunOptions['act'] = (line, { session }) => {
      if (line.startsWith('1050')) session.send([first]);
      if (line.startsWith('2050')) session.send([second, replace, cancel]);
    };
    const run = await start(tape, { act });
    runAll(run);
    expect(run.log.filter((line) => line.includes('#'))).toEqual([
      `1170 orderAccepted #${first.order} of 1130`,
      `2170 orderClosed #${first.order} USER of 2130`,
      `7170 orderAccepted #${second.order} of 7130`,
      `7170 cancelRejected #${first.order} ALREADY_FINAL of 7130`,
      `7170 orderRejected #${third.order} CONFLICT of 7130`,
    ]);
  });

  it('ends when the market halts during its delay, even if trading has resumed', async () => {
    const place = bid('bid 10 @ 5800');
    const tape = '1000: delay 5000, bid 5800 100\n2000: halt\n3000: open\n9000: bid 5700 1';
    const run = await start(tape, { act: once('1050', place) });
    runAll(run);
    expect(run.log).toContain(`6170 orderRejected #${place.order} MARKET_HALTED of 6130`);
  });

  it('ends when a cancelAll overtakes it', async () => {
    const [place, later] = [bid('bid 10 @ 5800'), bid('bid 10 @ 5800')];
    const run = await start('1000: delay 5000, bid 5800 100', {
      act: once('1050', place, { type: 'cancelAll' }, later),
    });
    runAll(run);
    expect(run.log.slice(1)).toEqual([
      `6170 orderRejected #${place.order} STALE_EPOCH of 6130`,
      `6170 orderAccepted #${later.order} of 6130`,
    ]);
  });
});

describe('at equal time', () => {
  it('the market moves before our order arrives', async () => {
    const place = bid('bid 10 @ 5810');
    const tape = '1000: bid 5800 100, ask 6200 100\n1130: ask 5810 5';
    const run = await start(tape, { act: once('1050', place) });
    runAll(run);
    expect(run.log[1]).toBe(`1170 orderRejected #${place.order} POST_ONLY_WOULD_CROSS of 1130`);
  });

  it('the market moves before our cancel arrives', async () => {
    const place = bid('bid 10 @ 5800');
    const cancel: OrderCommand = { type: 'cancel', order: place.order, market: place.market };
    const act: RunOptions['act'] = (line, { session }) => {
      if (line.startsWith('1050')) session.send([place]);
      if (line.startsWith('1170')) session.send([cancel]);
    };
    const run = await start('1000: bid 5800 0, ask 6200 100\n1250: sell 10 @ 5790', { act });
    runAll(run);
    expect(run.log.slice(2)).toEqual([
      `1290 orderFilled #${place.order} of 1250`,
      `1290 cancelRejected #${place.order} ALREADY_FINAL of 1250`,
      '1300 rows print 10 @ 5790',
    ]);
  });

  it('the market moves before an order expires', async () => {
    const place = bid('bid 10 @ 5800', { timeInForce: 'GTD', postOnly: true, expiration: epochMs(1_500) });
    const run = await start('1000: bid 5800 0\n1500: sell 4 @ 5790\n1501: sell 4 @ 5790', { act: once('1050', place) });
    runAll(run);
    expect(run.log.filter((line) => line.includes('#')).slice(1)).toEqual([
      `1540 orderFilled #${place.order} of 1500`,
      `1540 orderClosed #${place.order} EXPIRED of 1500`,
    ]);
  });

  it('a market message is delivered before our timer', async () => {
    const place = bid('bid 10 @ 5800');
    const run = await start('1000: bid 5800 100\n1080: bid 5700 1', { act: once('1050', place) });
    run.clock.schedule(epochMs(1_130), () => run.log.push('1130 timer'));
    runAll(run);
    expect(run.log.slice(1)).toEqual([
      '1130 rows bid 5700 1',
      '1130 timer',
      `1170 orderAccepted #${place.order} of 1130`,
    ]);
  });

  it('a market message is delivered before a response', async () => {
    const [early, late] = [bid('bid 10 @ 5800'), bid('bid 10 @ 5800')];
    const act: RunOptions['act'] = (line, { session }) => {
      if (line.startsWith('1050')) session.send([early]);
      if (line.startsWith('1060')) session.send([late]);
    };
    // Responses take 50 ms too, so each arrives together with a market message.
    const latency = constantLatency({ feed: 50, entry: 80, response: 50 });
    const run = await start('1000: bid 5800 100\n1010: bid 5700 1\n1130: bid 5700 2\n1140: bid 5700 3', {
      latency,
      act,
    });
    runAll(run);
    expect(run.log.slice(2)).toEqual([
      '1180 rows bid 5700 2',
      `1180 orderAccepted #${early.order} of 1130`,
      '1190 rows bid 5700 3',
      `1190 orderAccepted #${late.order} of 1140`,
    ]);
  });

  it('an older response is delivered before a newer market message', async () => {
    const place = bid('bid 10 @ 5800');
    const latency = constantLatency({ feed: 50, entry: 70, response: 60 });
    const run = await start('1000: bid 5800 100\n1130: bid 5700 2', { latency, act: once('1050', place) });
    runAll(run);
    expect(run.log.slice(1)).toEqual([`1180 orderAccepted #${place.order} of 1120`, '1180 rows bid 5700 2']);
  });
});

describe('market data', () => {
  it('arrives at the recorded receive time, but never before it happened, nor before the previous message', async () => {
    const feed = feedOf(
      messages('990: bid 5800 9\n1000: bid 5800 1\n1010: bid 5800 2\n1020: bid 5800 3\n1030: bid 5800 4'),
    );
    const received = [980, 1_300, 1_200, 1_010, 1_500];
    const run = await start('0: clear', {
      receiveTime: 'recorded',
      feed: {
        fill(block) {
          const count = feed.fill(block);
          for (let at = 0; at < count; at += 1) block.rx[at] = received[at]!;
          return count;
        },
        close() {},
      },
    });
    runAll(run);
    expect(run.log).toEqual([
      '990 rows bid 5800 9',
      '1300 rows bid 5800 1',
      '1300 rows bid 5800 2',
      '1300 rows bid 5800 3',
      '1500 rows bid 5800 4',
    ]);
  });

  it('stays in order with sampled latency, and so do commands and responses', async () => {
    const leg = { median: 50, p99: 2_000 };
    const latency = sampledLatency({ feed: leg, entry: leg, response: leg }, seededRandom(3));
    const lines = Array.from({ length: 300 }, (_, at) => `${1_000 + 7 * at}: bid 5700 ${at + 1}`);
    const run = await start(lines.join('\n'), {
      latency,
      act: (line, { session }) => {
        if (line.includes('rows')) session.send([bid('bid 10 @ 5800')]);
      },
    });
    runAll(run);
    const rows = run.log.filter((line) => line.includes('rows'));
    expect(rows.map((line) => Number(line.split(' ').at(-1)))).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
    const numbers = run.log
      .filter((line) => line.includes('#'))
      .map((line) => Number(line.split('#')[1]?.split(' ')[0]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers).toHaveLength(300);
    for (const column of [0, -1]) {
      // The first column is the receive time, the last one the venue time.
      const lines = column === 0 ? run.log : run.log.filter((line) => line.includes('#'));
      const times = lines.map((line) => Number(line.split(' ').at(column)));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('shows own takes in a message of their own and in later messages', async () => {
    const take = bid('bid 30 @ 6200', { timeInForce: 'FAK' });
    const tape =
      '1000: bid 5800 100, ask 6200 100\n1110: bid 5810 1\n1500: ask 6200 80\n1600: ask 6200 20, ask 6200 50';
    const run = await start(tape, { act: once('1050', take) });
    runAll(run);
    expect(run.log.filter((line) => line.includes('rows'))).toEqual([
      '1050 rows bid 5800 100, ask 6200 100',
      '1160 rows bid 5810 1',
      '1180 rows ask 6200 70',
      '1550 rows ask 6200 50',
      '1650 rows ask 6200 0, ask 6200 30',
    ]);
  });

  it('shows own takes with the feed latency of the last recorded message', async () => {
    const take = bid('bid 30 @ 6200', { timeInForce: 'FAK' });
    const feed = feedOf(messages('1000: ask 6200 100\n1120: bid 5800 1'));
    const run = await start('0: clear', {
      receiveTime: 'recorded',
      act: once('1007', take),
      feed: {
        fill(block) {
          const count = feed.fill(block);
          for (let at = 0; at < count; at += 1) block.rx[at] = block.tx[at]! + 7;
          return count;
        },
        close() {},
      },
    });
    runAll(run);
    expect(run.log.filter((line) => line.includes('rows'))).toEqual([
      '1007 rows ask 6200 100',
      '1094 rows ask 6200 70',
      '1127 rows bid 5800 1',
    ]);
  });
});

describe('a simulated replay', () => {
  const tape = Array.from({ length: 50 }, (_, at) => `${1_000 + 10 * at}: bid 5800 ${at}, ask 6200 ${at}`).join('\n');

  it('runs in portions and reports the end of the tape and of the run', async () => {
    const place = bid('bid 10 @ 5800');
    const run = await start(tape, { blockRows: 6, act: once('1540', place) });
    const progress: [number, boolean, boolean][] = [];
    for (let more = true; more; ) {
      more = run.venue.pump(40);
      progress.push([run.venue.rows, run.venue.tapeEnded, more]);
    }
    expect(progress).toEqual([
      [40, false, true],
      [80, false, true],
      [100, true, true],
      [100, true, false],
    ]);
    expect(run.log.at(-1)).toBe(`1660 orderAccepted #${place.order} of 1620`);
    expect(run.venue.pump()).toBe(false);
  });

  it('ends a portion even when the bot reacts to every response', async () => {
    const run = await start('1000: bid 5800 1', {
      act: (_line, { session }) => session.send([bid('bid 10 @ 5800')]),
    });
    expect(run.venue.pump(10)).toBe(true);
    expect(run.venue.tapeEnded).toBe(true);
    expect(run.venue.pump(10)).toBe(true);
    expect(run.log.length).toBeLessThan(12);
  });

  it('ends a portion even when timers fire for a long time without a row', async () => {
    const run = await start('1000: bid 5800 1\n9000000: bid 5800 2');
    let fired = 0;
    const again = (): void => {
      fired += 1;
      run.clock.schedule(epochMs(run.clock.now() + 10), again);
    };
    run.clock.schedule(epochMs(10), again);
    expect(run.venue.pump(300)).toBe(true);
    expect(fired).toBeGreaterThan(250);
    expect(fired).toBeLessThan(301);
  });

  it('does not wait for timers once nothing is in flight', async () => {
    const run = await start(tape);
    run.clock.schedule(epochMs(99_999), () => run.log.push('timer'));
    runAll(run);
    expect(run.log).toHaveLength(50);
  });

  it('ends at once on an empty tape', async () => {
    const run = await start('1000: clear', { feed: feedOf([]) });
    expect([run.venue.pump(), run.venue.tapeEnded, run.venue.pump()]).toEqual([true, true, false]);
  });

  it('accepts one connection, and needs it before the first pump', async () => {
    const run = await start(tape);
    await expect(run.venue.connect({ rows() {}, event() {} })).rejects.toThrow('one run');
    const setup = {
      feed: feedOf([]),
      clock: run.clock,
      receiveTime: 'missing',
      markets: [],
      capital: microUsd(0),
      limits: LIMITS,
    } as const;
    const models = {
      latency: constantLatency(LATENCY),
      queue: riskAverseQueue(),
      fees: noFees(),
      liquidity: 'consumed',
      tradesOnly: undefined,
    } as const;
    expect(() => new SimVenue({ ...setup, models }).pump()).toThrow('connect before pump');
  });

  it('closes its feed with the session', async () => {
    const calls: string[] = [];
    const run = await start(tape, { feed: { fill: () => 0, close: () => void calls.push('close') } });
    await run.session.close();
    expect(calls).toEqual(['close']);
  });

  it('rejects an order for a market that is not in the run', async () => {
    const place = bid('bid 10 @ 5800', { market: counted.market(5) });
    const run = await start(tape, { act: once('1050', place) });
    runAll(run);
    expect(run.log).toContain(`1170 orderRejected #${place.order} NOT_FOUND of 1130`);
  });
});
