import { describe, expect, it } from 'vitest';
import { floorsOf, trendOf } from './trend.ts';

describe('a trend', () => {
  const sawtooth = (slope: number) =>
    Array.from({ length: 600 }, (_, second) => ({ at: second, value: 100 + slope * second + (second % 20) }));

  it('is the slope of a line, also with noise', () => {
    expect(
      trendOf([
        { at: 0, value: 10 },
        { at: 3_600, value: 15 },
      ]),
    ).toEqual({ perHour: 5, mean: 12.5 });
    expect(trendOf(sawtooth(0)).perHour).toBeCloseTo(0, -1);
    expect(trendOf(sawtooth(0.01)).perHour).toBeCloseTo(36, -1);
  });

  it('of the memory after garbage collections shows a leak that the raw samples hide', () => {
    const floors = floorsOf(sawtooth(0.01), 60);
    expect(floors).toHaveLength(10);
    expect(floors[0]).toEqual({ at: 0, value: 100 });
    expect(trendOf(floors).perHour).toBeCloseTo(36, 3);
    expect(trendOf(floorsOf(sawtooth(0), 60)).perHour).toBeCloseTo(0, 6);
  });

  it('ignores the last interval when less than half of it was sampled', () => {
    const after = [600, 610, 620, 630].map((at) => ({ at, value: 500 }));
    for (const count of [1, 3])
      expect(trendOf(floorsOf([...sawtooth(0), ...after.slice(0, count)], 60)).perHour).toBeCloseTo(0, 6);
    expect(floorsOf([...sawtooth(0), ...after], 60).at(-1)).toEqual({ at: 600, value: 500 });
    expect(floorsOf(after.slice(0, 1), 60)).toHaveLength(1);
  });
});
