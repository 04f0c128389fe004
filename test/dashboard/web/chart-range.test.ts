import { describe, expect, it } from 'vitest';
import { moved, pointsFor, readFor, zoomed } from '../../../src/dashboard/web/market/chart-range.ts';
import { scaleOf, visible } from '../../../src/dashboard/web/market/series.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const range = { from: NOW - 10 * HOUR, until: NOW - 9 * HOUR };

describe('the range of the chart', () => {
  it('moves by parts of its length, and no further than now', () => {
    expect(moved(range, -0.5, NOW)).toEqual({ from: NOW - 10.5 * HOUR, until: NOW - 9.5 * HOUR });
    expect(moved(range, 20, NOW)).toEqual({ from: NOW - HOUR, until: NOW });
  });

  it('is zoomed about the place of the pointer, between a minute and a month, and no further than now', () => {
    expect(zoomed(range, 0.5, 0.5, NOW)).toEqual({ from: NOW - 9.75 * HOUR, until: NOW - 9.25 * HOUR });
    expect(zoomed(range, 2, 0, NOW)).toEqual({ from: range.from, until: range.from + 2 * HOUR });
    expect(zoomed(range, 1e-9, 0, NOW)).toEqual({ from: range.from, until: range.from + 60_000 });
    expect(zoomed(range, 1e9, 0.5, NOW)).toEqual({ from: NOW - 31 * 24 * HOUR, until: NOW });
  });

  it('is read with as much before and after it, and read again only after a quarter of its length', () => {
    const read = readFor(range);
    expect(read).toEqual({ from: range.from - HOUR, until: range.until + HOUR });
    expect(readFor(moved(range, 0.1, NOW))).toEqual(readFor(moved(range, 0.2, NOW)));
    expect(readFor(moved(range, 0.3, NOW))).not.toEqual(readFor(moved(range, 0.2, NOW)));
    for (const parts of [0, 0.1, 0.3, 0.9, 1]) {
      const next = moved(range, parts, NOW);
      const { from, until } = readFor(next);
      expect(from).toBeLessThanOrEqual(next.from - HOUR);
      expect(until).toBeGreaterThanOrEqual(next.until + HOUR);
    }
    expect(pointsFor(read, range, 600)).toBe(1_800);
  });
});

describe('the drawing', () => {
  const series = {
    time: [1, 2, 3, 4, 5, 6],
    mid: [5_000, 5_100, 5_200, null, 5_400, 9_000],
    bid: [4_900, 5_000, 5_100, 5_200, null, 5_300],
    ask: [5_100, 5_200, 5_300, 5_400, 5_500, 5_600],
    held: [0, 1, 2, 3, 4, 5],
  };

  it('is as high as the prices that are shown', () => {
    expect(scaleOf(series, { from: 2, until: 5 })).toEqual({ from: 2, until: 5, low: 4_960, high: 5_540 });
    expect(scaleOf({ ...series, time: [] })).toMatchObject({ low: 0, high: 10_000 });
  });

  it('goes on to the points before and after those that are shown', () => {
    expect(visible(series, scaleOf(series, { from: 3, until: 4 })).time).toEqual([2, 3, 4, 5]);
    expect(visible(series, scaleOf(series))).toBe(series);
    expect(visible(series, scaleOf(series, { from: 5, until: 9 })).held).toEqual([3, 4, 5]);
  });
});
