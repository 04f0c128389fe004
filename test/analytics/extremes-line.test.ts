import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtremesLine } from '../../src/analytics/extremes-line.ts';

describe('ExtremesLine', () => {
  it('contains every point of a short line', () => {
    const line = new ExtremesLine();
    for (const [time, value] of [
      [1, 5],
      [2, 3],
      [2, 9],
    ] as const) {
      line.add(time, value);
    }
    expect(line.line()).toEqual({ time: [1, 2, 2], value: [5, 3, 9], totalPoints: 3 });
  });

  it('is empty before the first point', () => {
    expect(new ExtremesLine().line()).toEqual({ time: [], value: [], totalPoints: 0 });
  });

  it('contains the lowest, highest and newest of many points, and at most 2,001', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 0, max: 1_000_000 }), (count, seed) => {
        const line = new ExtremesLine();
        let low = [0, Number.POSITIVE_INFINITY];
        let high = [0, Number.NEGATIVE_INFINITY];
        let value = seed;
        for (let time = 0; time < count; time += 1) {
          value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
          line.add(time, value);
          if (value < (low[1] ?? 0)) low = [time, value];
          if (value > (high[1] ?? 0)) high = [time, value];
        }
        const { time, value: values } = line.line();
        const points = time.map((at, index) => [at, values[index]]);
        expect(points.length).toBeLessThanOrEqual(2_001);
        expect(points).toContainEqual(low);
        expect(points).toContainEqual(high);
        expect(points.at(-1)).toEqual([count - 1, value]);
        expect(time).toEqual(time.toSorted((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });

  it('spreads its points over the whole line', () => {
    const line = new ExtremesLine();
    for (let time = 0; time < 1_000_000; time += 1) line.add(time, time % 7);
    const { time } = line.line();
    expect(time.length).toBeGreaterThan(900);
    expect(time[0]).toBeLessThan(2_048);
    for (let point = 1; point < time.length; point += 1) {
      expect((time[point] ?? 0) - (time[point - 1] ?? 0)).toBeLessThanOrEqual(2_048);
    }
  });
});
