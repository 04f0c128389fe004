import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { outOfSampleRanks, overfittingProbability } from '../../../src/research/judge/overfitting.ts';

describe('the probability of backtest overfitting', () => {
  it('has the worked numbers', () => {
    const blocks = [
      [-3, 10, -9, 5],
      [8, 2, 6, 4],
      [9, 3, 7, 11],
      [-5, -9, 0, 5],
    ];
    const trials = [0, 1, 2, 3].map((trial) => blocks.map((block) => block[trial] ?? 0));
    expect(outOfSampleRanks(trials)).toEqual([1, 4, 3, 2, 4, 3]);
    expect(overfittingProbability(trials)).toBeCloseTo(0.333_333, 6);
  });

  it('is near one half for random trials, and near 0 if one trial is better in all events', () => {
    const random = seededRandom(3);
    const noise = (shift: number) => Array.from({ length: 40 }, () => random.normal() + shift);
    const probabilities = Array.from(
      { length: 30 },
      () => overfittingProbability(Array.from({ length: 10 }, () => noise(0))) ?? 0,
    );
    const mean = probabilities.reduce((sum, value) => sum + value, 0) / probabilities.length;
    expect(mean).toBeGreaterThan(0.35);
    expect(mean).toBeLessThan(0.75);
    expect(overfittingProbability([...Array.from({ length: 10 }, () => noise(0)), noise(3)])).toBeLessThan(0.01);
  });

  it('is undefined for one trial and for fewer than four events', () => {
    expect(overfittingProbability([[1, 2, 3, 4]])).toBeUndefined();
    expect(
      overfittingProbability([
        [1, 2, 3],
        [3, 2, 1],
      ]),
    ).toBeUndefined();
  });

  it('is 1 for equal trials', () => {
    expect(
      overfittingProbability([
        [1, 2, 3, 4],
        [1, 2, 3, 4],
      ]),
    ).toBe(1);
  });
});
