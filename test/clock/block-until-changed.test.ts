import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { blockThread, blockUntilChanged, monotonic } from '../../src/clock/index.ts';

const words = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

describe('waiting for a change', () => {
  it('ends at once when the value already differs', () => {
    const shared = words();
    shared[1] = 7;
    expect(blockUntilChanged(shared, 1, 6, 1_000)).toBe(true);
  });

  it('ends when another thread changes the value', () => {
    const shared = words();
    const change = `
      const { workerData } = require('node:worker_threads');
      Atomics.store(workerData, 1, 9);
      Atomics.notify(workerData, 1);`;
    new Worker(change, { eval: true, workerData: shared });
    while (shared[1] === 0) expect(blockUntilChanged(shared, 1, 0, 10_000)).toBe(true);
    expect(shared[1]).toBe(9);
  });

  it('ends after the timeout when nothing changes', () => {
    expect(blockUntilChanged(words(), 0, 0, 0)).toBe(false);
  });
});

describe('blocking a thread', () => {
  it('lasts at least the given time', () => {
    const start = monotonic();
    blockThread(5);
    expect(monotonic() - start).toBeGreaterThanOrEqual(4);
  });
});
