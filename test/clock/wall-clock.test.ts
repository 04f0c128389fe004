import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { epochMs } from '../../src/domain/index.ts';

const START = Date.UTC(2026, 0, 1);

describe('wall clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns the system time', () => {
    expect(wallClock().now()).toBe(START);
    vi.advanceTimersByTime(5);
    expect(wallClock().now()).toBe(START + 5);
  });

  it('fires once at the given time, and not when cancelled', () => {
    const fire = vi.fn();
    const cancelled = vi.fn();
    wallClock().schedule(epochMs(START + 100), fire);
    wallClock().schedule(epochMs(START + 100), cancelled)();
    vi.advanceTimersByTime(99);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(fire).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
  });

  it('fires at once for past times, but never before the call returns', () => {
    const fire = vi.fn();
    wallClock().schedule(epochMs(START - 1), fire);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it('waits longer than the maximum of one timer, and can still be cancelled', () => {
    const day = 86_400_000;
    const fire = vi.fn();
    const cancelled = vi.fn();
    wallClock().schedule(epochMs(START + 60 * day), fire);
    const cancel = wallClock().schedule(epochMs(START + 60 * day), cancelled);
    vi.advanceTimersByTime(59 * day);
    cancel();
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(day);
    expect(fire).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
  });

  it('keeps waiting when the system clock is set back during the wait', () => {
    const fire = vi.fn();
    wallClock().schedule(epochMs(START + 100), fire);
    vi.setSystemTime(START - 1000);
    vi.advanceTimersByTime(100);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(fire).toHaveBeenCalledTimes(1);
  });
});
