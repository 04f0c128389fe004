import { describe, expect, it } from 'vitest';
import { PacedReport } from '../../../src/ops/feed/paced-report.ts';

/** A report that takes the next of these times, ms, to make, in two slices. */
function reportTaking(...costs: number[]) {
  let watch = 0;
  let made = 0;
  const report = new PacedReport(() => watch);
  function* make(): Generator<undefined, string> {
    watch += costs[Math.min(made, costs.length - 1)] ?? 0;
    yield;
    made += 1;
    return String(made);
  }
  return {
    report,
    make,
    /** Requests the report every 100 ms until this time. Returns how often it was made. */
    async madeUntil(endMs: number, reportCount = 1): Promise<number> {
      for (let now = 0; now < endMs; now += 100) {
        report.text({ now, everyMs: 100, reportCount }, make);
        await report.settled();
      }
      return made;
    },
  };
}

describe('a report', () => {
  it('that takes no time is made for each request', async () => {
    expect(await reportTaking(0).madeUntil(1_000)).toBe(10);
  });

  it('uses a fiftieth of the time, divided by the number of reports', async () => {
    expect(await reportTaking(10).madeUntil(10_000)).toBe(20);
    expect(await reportTaking(10).madeUntil(10_000, 2)).toBe(10);
  });

  it('does not pause longer after one slow run', async () => {
    expect(await reportTaking(1, 500, 1).madeUntil(2_000)).toBe(20);
  });

  it('stays the previous one until the next one is complete', async () => {
    const { report, make } = reportTaking(0);
    const textAt = (now: number): string => report.text({ now, everyMs: 100, reportCount: 1 }, make);
    expect([textAt(0), textAt(99), textAt(100), textAt(300)]).toEqual(['1', '1', '1', '1']);
    await report.settled();
    expect(textAt(301)).toBe('2');
  });

  it('is made at once after `renewSoon`, also during a pause, and the next pause covers both runs', async () => {
    const { report, make } = reportTaking(4);
    const textAt = async (now: number): Promise<string> => {
      report.text({ now, everyMs: 100, reportCount: 1 }, make);
      await report.settled();
      return report.text({ now, everyMs: 100, reportCount: 1 }, make);
    };
    expect(await textAt(0)).toBe('1');
    report.renewSoon();
    expect(await textAt(10)).toBe('2');
    expect(await textAt(399)).toBe('2');
    expect(await textAt(400)).toBe('3');
    expect(await textAt(500)).toBe('3');
  });
});
