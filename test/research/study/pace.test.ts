import { describe, expect, it } from 'vitest';
import { Pace } from '../../../src/research/index.ts';

const SECOND = 1_000;

/** One event each `everyMs`, from `from` to `until`. */
function addEach(pace: Pace, everyMs: number, from: number, until: number): void {
  for (let now = from + everyMs; now <= until; now += everyMs) pace.add(now);
}

describe('the pace', () => {
  it('is 0 before the first event, then an average since the start', () => {
    const pace = new Pace(5 * SECOND);
    expect([pace.perSecond(5 * SECOND), pace.perSecond(9 * SECOND)]).toEqual([0, 0]);
    pace.add(10 * SECOND);
    expect(pace.perSecond(10 * SECOND)).toBe(0.2);
  });

  it('ignores events more than a minute old', () => {
    const pace = new Pace(0);
    addEach(pace, 100, 0, 100 * SECOND);
    expect(pace.perSecond(100 * SECOND)).toBeCloseTo(10, 1);
    addEach(pace, SECOND, 100 * SECOND, 170 * SECOND);
    expect(pace.perSecond(170 * SECOND)).toBeCloseTo(1, 1);
  });

  it('uses the last 20 events if they took longer than a minute', () => {
    const pace = new Pace(0);
    addEach(pace, SECOND, 0, 100 * SECOND);
    addEach(pace, 30 * SECOND, 100 * SECOND, 1_000 * SECOND);
    expect(pace.perSecond(1_000 * SECOND)).toBeCloseTo(1 / 30, 3);
  });

  it('decreases without events', () => {
    const pace = new Pace(0);
    addEach(pace, SECOND, 0, 20 * SECOND);
    expect(pace.perSecond(20 * SECOND)).toBe(1);
    expect(pace.perSecond(40 * SECOND)).toBe(0.5);
  });
});
