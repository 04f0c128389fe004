import { describe, expect, it } from 'vitest';
import { parseAnswer } from '../../../src/research/queue/worker-answer.ts';
import { WorkerTally } from '../../../src/research/queue/worker-tally.ts';

const MINUTE = 60_000;

function seen(name: string, more: { state?: 'working' | 'draining' | 'ended'; silentMs?: number } = {}) {
  const { state = 'working', silentMs = 1_000 } = more;
  return { name, host: `host-${name}`, queue: 'q', threads: 2, backtests: 99, seconds: 99, state, silentMs };
}

function fixture() {
  let now = 0;
  const tally = new WorkerTally(() => now);
  const pass = (ms: number): void => {
    now += ms;
  };
  return { tally, pass, of: (name: string) => tally.workers.find((worker) => worker.name === name) };
}

describe('workers of a study', () => {
  it('have counts of this study only, and the time since they were last seen', () => {
    const { tally, pass, of } = fixture();
    tally.onAnswer('a', false);
    expect(tally.workers).toEqual([]);
    pass(10_000);
    tally.onPresent([seen('a'), seen('b')]);
    tally.onAnswer('a', true);
    tally.onReturn('b');
    pass(2_000);
    const counts = { backtests: 2, failed: 1, returned: 0, perSecond: 2 / 12 };
    expect(of('a')).toEqual({ name: 'a', host: 'host-a', threads: 2, state: 'working', silentMs: 3_000, ...counts });
    expect(of('b')).toMatchObject({ backtests: 0, failed: 0, returned: 1, perSecond: 0 });
  });

  it('that vanish without having ended are reported as gone, once', () => {
    const { tally, of } = fixture();
    tally.onPresent([seen('a'), seen('b', { state: 'draining' }), seen('c')]);
    expect(tally.onPresent([seen('b', { state: 'ended' }), seen('c')])).toEqual(['a']);
    expect(tally.onPresent([seen('c')])).toEqual([]);
    expect(tally.workers.map(({ name, state }) => [name, state])).toEqual([
      ['c', 'working'],
      ['a', 'gone'],
      ['b', 'ended'],
    ]);
    expect(of('a')?.perSecond).toBe(0);
  });

  it('that return are listed again', () => {
    const { tally, of } = fixture();
    for (const present of [[seen('a')], [], [seen('a')]]) tally.onPresent(present);
    expect(of('a')?.state).toBe('working');
  });

  it('are removed ten minutes after they were last seen', () => {
    const { tally, pass } = fixture();
    tally.onPresent([seen('a', { silentMs: 0 })]);
    pass(10 * MINUTE);
    tally.onPresent([]);
    expect(tally.workers).toHaveLength(1);
    pass(1);
    tally.onPresent([]);
    expect(tally.workers).toHaveLength(0);
  });

  it('that ended before the study started are not listed', () => {
    const { tally } = fixture();
    tally.onPresent([seen('a', { state: 'ended' })]);
    expect(tally.workers).toEqual([]);
  });
});

it('refuses an answer of a worker without its name', () => {
  expect(() => parseAnswer({ outcome: { problem: 'none' }, seconds: 1 })).toThrow(/worker/);
});
