import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { steadyClock } from '../../src/clock/index.ts';
import { timeAfter } from '../../src/domain/index.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

describe('a steady clock', () => {
  /** Change of the system time, ms. */
  let set = 0;
  let begun = 0;
  const clockOf = () => steadyClock({ system: () => Date.now() + set });
  beforeEach(() => {
    vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    set = 0;
    begun = Date.now();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns the system time, and follows it forward at once', () => {
    const clock = clockOf();
    vi.advanceTimersByTime(5);
    expect(clock.now()).toBe(begun + 5);
    set = HOUR;
    expect(clock.now()).toBe(begun + 5 + HOUR);
  });

  it('never moves back, and runs slowly until the system time has caught up', () => {
    const clock = clockOf();
    vi.advanceTimersByTime(1_000);
    expect(clock.now()).toBe(begun + 1_000);
    set = -600;
    const seen = Array.from({ length: 8 }, () => {
      vi.advanceTimersByTime(200);
      return clock.now() - begun;
    });
    expect(seen).toEqual([1_100, 1_200, 1_300, 1_400, 1_500, 1_600, 1_800, 2_000]);
  });

  it('adds up fractions of a millisecond', () => {
    let [system, watch] = [START, 0];
    const clock = steadyClock({ system: () => system, watch: () => watch });
    system -= HOUR;
    for (let look = 0; look < 1_000; look += 1) {
      watch += 0.1;
      clock.now();
    }
    expect(clock.now()).toBe(START + 50);
  });

  it('fires within twice the delay, even when the system time was set back by an hour', () => {
    const clock = clockOf();
    const fire = vi.fn();
    const cancelled = vi.fn();
    clock.schedule(timeAfter(clock.now(), 5_000), fire);
    clock.schedule(timeAfter(clock.now(), 5_000), cancelled)();
    vi.advanceTimersByTime(1_000);
    set = -HOUR;
    vi.advanceTimersByTime(3_999);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5_001);
    expect(fire).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
  });

  it('fires at the given time, but never before the call returns', () => {
    const clock = clockOf();
    const [past, late] = [vi.fn(), vi.fn()];
    clock.schedule(timeAfter(clock.now(), -1), past);
    clock.schedule(timeAfter(clock.now(), 40 * 86_400_000), late);
    expect(past).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(past).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(40 * 86_400_000 - 2);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(late).toHaveBeenCalledTimes(1);
  });
});
