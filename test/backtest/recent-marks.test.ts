import { describe, expect, it } from 'vitest';
import { RecentMarks } from '../../src/backtest/session/session-replay.ts';

describe('the recent marks for a fill that is reported late', () => {
  it('include the mark that was valid strictly before its time at the venue', () => {
    const marks = new RecentMarks();
    expect(marks.before(100)).toBeUndefined();
    marks.add(100, 12_000);
    marks.add(200, 11_800);
    marks.add(200, 11_600);
    expect([100, 101, 200, 201].map((time) => marks.before(time))).toEqual([12_000, 12_000, 12_000, 11_600]);
    expect(marks.last).toBe(11_600);
  });

  it('are limited in number, and an older fill has the oldest mark', () => {
    const marks = new RecentMarks();
    for (let time = 1; time <= 5_000; time += 1) marks.add(time, time);
    expect(marks.before(2)).toBe(5_000 - 1_023);
    expect(marks.before(4_500)).toBe(4_499);
  });
});
