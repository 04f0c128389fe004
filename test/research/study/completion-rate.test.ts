import { describe, expect, it } from 'vitest';
import { CompletionRate } from '../../../src/research/index.ts';

const SECOND = 1_000;

/** One event each `everyMs`, from `from` to `until`. */
function addEach(rate: CompletionRate, everyMs: number, from: number, until: number): void {
  for (let now = from + everyMs; now <= until; now += everyMs) rate.add(now);
}

describe('the completion rate', () => {
  it('is 0 before the first event, then an average since the start', () => {
    const rate = new CompletionRate(5 * SECOND);
    expect([rate.perSecond(5 * SECOND), rate.perSecond(9 * SECOND)]).toEqual([0, 0]);
    rate.add(10 * SECOND);
    expect(rate.perSecond(10 * SECOND)).toBe(0.2);
  });

  it('ignores events more than a minute old', () => {
    const rate = new CompletionRate(0);
    addEach(rate, 100, 0, 100 * SECOND);
    expect(rate.perSecond(100 * SECOND)).toBeCloseTo(10, 1);
    addEach(rate, SECOND, 100 * SECOND, 170 * SECOND);
    expect(rate.perSecond(170 * SECOND)).toBeCloseTo(1, 1);
  });

  it('uses the last 20 events if they took longer than a minute', () => {
    const rate = new CompletionRate(0);
    addEach(rate, SECOND, 0, 100 * SECOND);
    addEach(rate, 30 * SECOND, 100 * SECOND, 1_000 * SECOND);
    expect(rate.perSecond(1_000 * SECOND)).toBeCloseTo(1 / 30, 3);
  });

  it('decreases without events', () => {
    const rate = new CompletionRate(0);
    addEach(rate, SECOND, 0, 20 * SECOND);
    expect(rate.perSecond(20 * SECOND)).toBe(1);
    expect(rate.perSecond(40 * SECOND)).toBe(0.5);
  });
});
