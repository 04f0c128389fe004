import { describe, expect, it } from 'vitest';
import { parseAnswer } from '../../../src/research/queue/remote-job.ts';
import { WorkerTally } from '../../../src/research/queue/worker-tally.ts';

const MINUTE = 60_000;

function presentWorker(name: string, change: { state?: 'working' | 'draining' | 'ended'; silentMs?: number } = {}) {
  const { state = 'working', silentMs = 1_000 } = change;
  return { name, host: `host-${name}`, queue: 'q', threads: 2, backtests: 99, seconds: 99, state, silentMs };
}

function fixture() {
  let now = 0;
  const tally = new WorkerTally(() => now);
  const advance = (ms: number): void => {
    now += ms;
  };
  return { tally, advance, workerOf: (name: string) => tally.workers.find((worker) => worker.name === name) };
}

describe('workers of a study', () => {
  it('have counts of this study and the time since their last message', () => {
    const { tally, advance, workerOf } = fixture();
    tally.onAnswer('a', false);
    expect(tally.workers).toEqual([]);
    advance(10_000);
    tally.onWorkers([presentWorker('a'), presentWorker('b')]);
    tally.onAnswer('a', true);
    tally.onReturn('b');
    advance(2_000);
    const counts = { backtests: 2, failed: 1, returned: 0, perSecond: 2 / 12 };
    expect(workerOf('a')).toEqual({
      name: 'a',
      host: 'host-a',
      threads: 2,
      state: 'working',
      silentMs: 3_000,
      ...counts,
    });
    expect(workerOf('b')).toMatchObject({ backtests: 0, failed: 0, returned: 1, perSecond: 0 });
  });

  it('are reported as gone once if they disappear without having ended', () => {
    const { tally, workerOf } = fixture();
    tally.onWorkers([presentWorker('a'), presentWorker('b', { state: 'draining' }), presentWorker('c')]);
    expect(tally.onWorkers([presentWorker('b', { state: 'ended' }), presentWorker('c')])).toEqual(['a']);
    expect(tally.onWorkers([presentWorker('c')])).toEqual([]);
    expect(tally.workers.map(({ name, state }) => [name, state])).toEqual([
      ['c', 'working'],
      ['a', 'gone'],
      ['b', 'ended'],
    ]);
    expect(workerOf('a')?.perSecond).toBe(0);
  });

  it('are listed again when they return', () => {
    const { tally, workerOf } = fixture();
    for (const present of [[presentWorker('a')], [], [presentWorker('a')]]) tally.onWorkers(present);
    expect(workerOf('a')?.state).toBe('working');
  });

  it('are removed ten minutes after their last message', () => {
    const { tally, advance } = fixture();
    tally.onWorkers([presentWorker('a', { silentMs: 0 })]);
    advance(10 * MINUTE);
    tally.onWorkers([]);
    expect(tally.workers).toHaveLength(1);
    advance(1);
    tally.onWorkers([]);
    expect(tally.workers).toHaveLength(0);
  });

  it('are not listed if they ended before the study started', () => {
    const { tally } = fixture();
    tally.onWorkers([presentWorker('a', { state: 'ended' })]);
    expect(tally.workers).toEqual([]);
  });
});

it('parseAnswer refuses an answer without the name of the worker', () => {
  expect(() => parseAnswer({ outcome: { problem: 'none' }, seconds: 1 })).toThrow(/worker/);
});
