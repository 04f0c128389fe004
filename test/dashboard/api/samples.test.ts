import { describe, expect, it } from 'vitest';
import { Samples } from '../../../src/dashboard/api/samples.ts';

const ALWAYS = Number.MAX_SAFE_INTEGER;

/** One sample per second from 0. */
function seconds(count: number, figure: (second: number) => number, keep = 1_000_000): Samples {
  const samples = new Samples(1);
  samples.keepSeconds(keep);
  for (let second = 0; second < count; second += 1) samples.add(second * 1_000, [figure(second)]);
  return samples;
}

describe('Samples', () => {
  it('stores the last sample of each second', () => {
    const samples = new Samples(1);
    samples.add(1_000, [1]);
    samples.add(1_900, [2]);
    samples.add(2_000, [3]);
    expect(samples.between(0, ALWAYS, 100)).toEqual({ times: [1_000, 2_000], values: [[2], [3]] });
  });

  it('ignores a sample from before the last one', () => {
    const samples = new Samples(1);
    expect(samples.oldest).toBeUndefined();
    samples.add(5_000, [1]);
    samples.add(1_000, [2]);
    expect(samples.between(0, ALWAYS, 10).values).toEqual([[1]]);
    expect(samples.oldest).toBe(0);
  });

  it('returns a range with few samples unchanged', () => {
    const samples = seconds(1_000, (second) => second);
    expect(samples.between(500_000, 503_000, 10).times).toEqual([500_000, 501_000, 502_000, 503_000]);
    expect(samples.between(500_001, 500_999, 10).times).toEqual([]);
    expect(samples.between(2_000_000, 3_000_000, 10).times).toEqual([]);
  });

  it.each([1, 2, 5, 6, 10, 11, 100, 999])('thins to at most %i points, including the newest', (points) => {
    const samples = seconds(1_000, (second) => Math.sin(second));
    const { times } = samples.between(0, ALWAYS, points);
    expect(times.length).toBeLessThanOrEqual(points);
    expect(times.length).toBeGreaterThan(points / 3);
    expect(times.at(-1)).toBe(999_000);
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
  });

  it('returns the lowest and the highest sample of an interval', () => {
    const samples = seconds(100_000, (second) => (second === 51_234 ? 99 : second === 51_240 ? -99 : 0));
    const { times, values } = samples.between(0, ALWAYS, 100);
    expect(values.map(([value]) => value)).toEqual(expect.arrayContaining([99, -99]));
    expect(times).toEqual(expect.arrayContaining([51_234_000, 51_240_000]));
  });

  it('returns the same points for a range that moves by less than an interval', () => {
    const samples = seconds(100_000, (second) => Math.sin(second / 7));
    const inner = (from: number): readonly number[] =>
      samples.between(from, from + 50_000_000, 100).times.filter((time) => time > 20_000_000 && time < 50_000_000);
    expect(inner(10_000_000)).toEqual(inner(10_300_000));
  });

  it('has a point for an interval without samples, where a chart breaks its line', () => {
    const samples = seconds(10_000, (second) => (second > 4_000 && second < 8_000 ? Number.NaN : 1));
    const { values } = samples.between(0, ALWAYS, 50);
    expect(values.some(([value]) => Number.isNaN(value))).toBe(true);
  });

  it('stores each of a million seconds when there is space', () => {
    const samples = seconds(1_000_000, (second) => Math.sin(second / 1_000));
    expect(samples.between(5_000_000, 5_003_000, 10).times).toEqual([5_000_000, 5_001_000, 5_002_000, 5_003_000]);
    expect(samples.between(0, ALWAYS, 600).times.length).toBeGreaterThan(400);
  });

  it('stores older times in longer steps when there is less space', () => {
    const week = 7 * 86_400;
    const samples = seconds(week + 1, (second) => second, 0);
    expect(samples.oldest).toBe(0);
    expect(samples.between(week * 1_000 - 3_000_000, ALWAYS, 5_000).times).toHaveLength(3_001);
    expect(samples.between(week * 1_000 - 20_000_000, ALWAYS, 5_000).times).toHaveLength(4_001);
    const { times } = samples.between(0, ALWAYS, 5_041);
    expect(times[1]).toBe(120_000);
    expect(times).toHaveLength(5_041);
  });

  it('frees space when other series need it', () => {
    const samples = seconds(100_000, (second) => second);
    expect(samples.between(0, 10_000, 100).times).toHaveLength(11);
    samples.keepSeconds(0);
    samples.add(100_000_000, [1]);
    expect(samples.between(95_000_000, ALWAYS, 10_000).times).toHaveLength(1_001);
    expect(samples.between(97_000_000, ALWAYS, 10_000).times).toHaveLength(3_001);
  });
});
