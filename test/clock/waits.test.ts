import { describe, expect, it } from 'vitest';
import { SimClock, sleep, withTimeout } from '../../src/clock/index.ts';
import { epochMs } from '../../src/domain/index.ts';

describe('sleep', () => {
  it('ends early when its signal is aborted, and leaves no timer', async () => {
    const clock = new SimClock(epochMs(0));
    const closing = new AbortController();
    const slept = sleep(clock, 1_000, closing.signal);
    closing.abort();
    await slept;
    expect(() => clock.runNext()).toThrow('nothing left to run');
  });

  it('does not wait when its signal is aborted already', async () => {
    await expect(sleep(new SimClock(epochMs(0)), 1_000, AbortSignal.abort())).resolves.toBeUndefined();
  });
});

describe('withTimeout', () => {
  it('resolves with the work, and leaves no timer', async () => {
    const clock = new SimClock(epochMs(0));
    await expect(withTimeout(clock, 1_000, Promise.resolve('done'), () => 'late')).resolves.toBe('done');
    expect(() => clock.runNext()).toThrow('nothing left to run');
  });

  it('resolves or rejects as `onLate` says when the work takes longer', async () => {
    const clock = new SimClock(epochMs(0));
    const never = new Promise<string>(() => {});
    const late = withTimeout(clock, 1_000, never, () => 'late');
    const failed = withTimeout(clock, 1_000, never, () => Promise.reject(new Error('too late')));
    const rejected = expect(failed).rejects.toThrow('too late');
    clock.runNext();
    clock.runNext();
    await expect(late).resolves.toBe('late');
    await rejected;
  });
});
