import { describe, expect, it } from 'vitest';
import { PacedReport } from '../../../src/ops/feed/paced-report.ts';

/** A report of which each making takes the next of these times, ms. */
function reportTaking(...costs: number[]) {
  let watch = 0;
  let made = 0;
  const report = new PacedReport(() => watch);
  const make = (): number => {
    watch += costs[Math.min(made, costs.length - 1)] ?? 0;
    made += 1;
    return made;
  };
  return {
    /** How often it was made, asked every 100 ms until then. */
    madeUntil(endMs: number, sharers = 1): number {
      for (let now = 0; now < endMs; now += 100) report.text({ now, everyMs: 100, sharers }, make);
      return made;
    },
  };
}

describe('a report', () => {
  it('that takes no time is made each time it is wanted', () => {
    expect(reportTaking(0).madeUntil(1_000)).toBe(10);
  });

  it('takes a hundredth of the time, and each of several its part of that', () => {
    expect(reportTaking(10).madeUntil(10_000)).toBe(10);
    expect(reportTaking(10).madeUntil(10_000, 2)).toBe(5);
  });

  it('rests no longer because another process had the machine once', () => {
    expect(reportTaking(1, 500, 1).madeUntil(2_000)).toBe(20);
  });
});
