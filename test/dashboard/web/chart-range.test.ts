import { describe, expect, it } from 'vitest';
import {
  moveRange,
  pointsToRead,
  priceTicks,
  rangeToRead,
  timeTicks,
  zoomRange,
} from '../../../src/dashboard/web/market/chart-range.ts';
import { bandPath, computeScale, stepPath, visiblePart } from '../../../src/dashboard/web/market/series.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const range = { from: NOW - 10 * HOUR, until: NOW - 9 * HOUR };

describe('the range of the chart', () => {
  it('moves by fractions of its length, and no further than now', () => {
    expect(moveRange(range, -0.5, NOW)).toEqual({ from: NOW - 10.5 * HOUR, until: NOW - 9.5 * HOUR });
    expect(moveRange(range, 20, NOW)).toEqual({ from: NOW - HOUR, until: NOW });
  });

  it('is zoomed around the pointer, between a minute and a month, and no further than now', () => {
    expect(zoomRange(range, 0.5, 0.5, NOW)).toEqual({ from: NOW - 9.75 * HOUR, until: NOW - 9.25 * HOUR });
    expect(zoomRange(range, 2, 0, NOW)).toEqual({ from: range.from, until: range.from + 2 * HOUR });
    expect(zoomRange(range, 1e-9, 0, NOW)).toEqual({ from: range.from, until: range.from + 60_000 });
    expect(zoomRange(range, 1e9, 0.5, NOW)).toEqual({ from: NOW - 31 * 24 * HOUR, until: NOW });
  });

  it('is read with its length before and after it, and is read again only after it has moved by a quarter', () => {
    const read = rangeToRead(range);
    expect(read).toEqual({ from: range.from - HOUR, until: range.until + HOUR });
    expect(rangeToRead(moveRange(range, 0.1, NOW))).toEqual(rangeToRead(moveRange(range, 0.2, NOW)));
    expect(rangeToRead(moveRange(range, 0.3, NOW))).not.toEqual(rangeToRead(moveRange(range, 0.2, NOW)));
    for (const parts of [0, 0.1, 0.3, 0.9, 1]) {
      const next = moveRange(range, parts, NOW);
      const { from, until } = rangeToRead(next);
      expect(from).toBeLessThanOrEqual(next.from - HOUR);
      expect(until).toBeGreaterThanOrEqual(next.until + HOUR);
    }
    expect(pointsToRead(read, range, 600)).toBe(1_800);
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

  it('spans the prices that are shown', () => {
    expect(computeScale(series, { from: 2, until: 5 })).toEqual({ from: 2, until: 5, low: 4_960, high: 5_540 });
    expect(computeScale({ ...series, time: [] })).toMatchObject({ low: 0, high: 10_000 });
  });

  it('extends to the points before and after the shown range', () => {
    expect(visiblePart(series, computeScale(series, { from: 3, until: 4 })).time).toEqual([2, 3, 4, 5]);
    expect(visiblePart(series, computeScale(series))).toBe(series);
    expect(visiblePart(series, computeScale(series, { from: 5, until: 9 })).held).toEqual([3, 4, 5]);
  });
});

describe('the axes', () => {
  it('have at most six round times', () => {
    const begin = Date.UTC(2026, 10, 27, 13, 7, 3);
    const times = (lengthMs: number): readonly string[] =>
      timeTicks({ from: begin, until: begin + lengthMs }).map((time) => new Date(time).toISOString().slice(5, 19));
    expect(times(HOUR)).toEqual(
      ['10', '20', '30', '40', '50'].map((minute) => `11-27T13:${minute}:00`).concat('11-27T14:00:00'),
    );
    expect(times(24 * HOUR)).toEqual(['11-27T18:00:00', '11-28T00:00:00', '11-28T06:00:00', '11-28T12:00:00']);
    for (const length of [1, 999, 60_000, 7 * 24 * HOUR, 31 * 24 * HOUR]) expect(times(length).length).toBeLessThan(7);
  });

  it('have round prices, not between two ticks of the market', () => {
    expect(priceTicks(6_012, 6_344, 10)).toEqual([6_100, 6_200, 6_300]);
    expect(priceTicks(6_012, 6_044, 10)).toEqual([6_020, 6_030, 6_040]);
    expect(priceTicks(6_012, 6_344, 100)).toEqual([6_100, 6_200, 6_300]);
    expect(priceTicks(6_012, 6_044, 100)).toEqual([]);
    expect(priceTicks(0, 10_000, 0)).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
  });
});

describe('the line of a quote', () => {
  it('stays level until the quote changes, and ends where there is none', () => {
    const scale = { from: 0, until: 10, low: 0, high: 100 };
    expect(stepPath([0, 5, 10], [50, 60, null], scale)).toBe('M0.0 500.0H500.0V400.0H1000.0');
    expect(stepPath([0, 5, 10], [50, null, 60], scale)).toBe('M0.0 500.0H500.0M1000.0 400.0');
    const band = { time: [0, 5, 10], bid: [40, 50, null], ask: [60, 70, 70], mid: [], held: [] };
    expect(bandPath(band, scale)).toBe(
      'M0.0 400.0L500.0 400.0L500.0 300.0L1000.0 300.0L1000.0 500.0L500.0 500.0L500.0 600.0L0.0 600.0Z',
    );
  });
});
