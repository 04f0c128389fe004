import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/domain/index.ts';
import type { Durable, Journal } from '../../../src/exchange/index.ts';
import { CommitWatch } from '../../../src/server/metrics/commit-watch.ts';

describe('CommitWatch', () => {
  const batch = (first: number, count: number) => ({ first, count, bytes: new Uint8Array(1) });

  function watched() {
    let now = 1_000;
    const asked: Durable[] = [];
    const journal: Journal = {
      name: 'a file',
      first: 1,
      last: 7,
      snapshots: [5],
      append: (_, durable) => void asked.push(durable),
      read: () => [],
      readSnapshot: () => {
        throw new Fault('FILE', 'damaged');
      },
      setAside: () => undefined,
      saveSnapshot: (_, durable) => durable(undefined),
    };
    const watch = new CommitWatch(journal, () => now);
    const commits: (readonly [number, number])[] = [];
    watch.onCommit = (...told) => void commits.push(told);
    const answer = (fault?: Fault): void => asked.shift()?.(fault);
    const pass = (ms: number): void => {
      now += ms;
    };
    return { watch, commits, answer, pass };
  }

  it('tells how long each took and how many records it had, and how long the one under way waits', () => {
    const { watch, commits, answer, pass } = watched();
    const told: (Fault | undefined)[] = [];
    expect(watch.waiting).toBe(0);
    watch.append(batch(8, 3), (fault) => void told.push(fault));
    pass(4.5);
    expect([watch.waiting, commits]).toEqual([4.5, []]);
    answer();
    expect([watch.waiting, commits, told]).toEqual([0, [[4.5, 3]], [undefined]]);
  });

  it('is ready for the next one before the last is told', () => {
    const { watch, commits, answer, pass } = watched();
    watch.append(batch(8, 1), () => watch.append(batch(9, 2), () => undefined));
    pass(1);
    answer();
    pass(2);
    expect(watch.waiting).toBe(2);
    answer();
    expect(commits).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('hands a fault on and counts no commit', () => {
    const { watch, commits, answer } = watched();
    const told: (Fault | undefined)[] = [];
    const full = new Fault('FILE', 'the disk is full');
    watch.append(batch(8, 1), (fault) => void told.push(fault));
    answer(full);
    expect([told, commits, watch.waiting]).toEqual([[full], [], 0]);
  });

  it('is the journal in all else', () => {
    const { watch } = watched();
    expect([watch.name, watch.first, watch.last, watch.snapshots]).toEqual(['a file', 1, 7, [5]]);
    expect(() => watch.readSnapshot(5)).toThrow('damaged');
    expect([...watch.read(1)]).toEqual([]);
  });
});
