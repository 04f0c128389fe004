import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { epochMs, microUsd, type PlaceOrder, unchecked } from '../../../src/domain/index.ts';
import { riskAverseQueue } from '../../../src/replay/queue.ts';
import { noFees } from '../../../src/venues/sim/fees.ts';
import { SimVenue } from '../../../src/venues/sim/index.ts';
import { constantLatency, sampledLatency } from '../../../src/venues/sim/latency.ts';
import { Harness, LIMITS } from './harness.ts';
import type { Message } from './naive-venue.ts';
import { feedOf, row } from './rows.ts';
import { LATENCY, once, runAll, start } from './sim-run.ts';

function messages(text: string): Message[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [tx = '', rows = ''] = line.trim().split(': ');
      return { tx: Number(tx), rows: rows.split(', ').map((each) => row(each)) };
    });
}

const orders = new Harness();
const bid = (text: string, options = {}): PlaceOrder => orders.order(text, options);

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
      progress.push([run.venue.rows, run.venue.hasTapeEnded, more]);
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
    expect(run.venue.hasTapeEnded).toBe(true);
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
    expect([run.venue.pump(), run.venue.hasTapeEnded, run.venue.pump()]).toEqual([true, true, false]);
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
    const place = bid('bid 10 @ 5800', { market: unchecked.market(5) });
    const run = await start(tape, { act: once('1050', place) });
    runAll(run);
    expect(run.log).toContain(`1170 orderRejected #${place.order} NOT_FOUND of 1130`);
  });
});
