import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile } from '../../src/research/normal.ts';

/** Reference values of SciPy 1.17: `ndtr` and `ndtri`. */
const PROBABILITIES: readonly (readonly [x: number, probability: number])[] = [
  [-8, 6.22096057427174e-16],
  [-5, 2.8665157187919333e-7],
  [-1.5, 0.06680720126885806],
  [0, 0.5],
  [0.1, 0.539827837277029],
  [1.96, 0.9750021048517795],
  [7.5, 0.9999999999999681],
];
const QUANTILES: readonly (readonly [probability: number, x: number])[] = [
  [1e-100, -21.273453560965326],
  [1e-12, -7.034483825301131],
  [0.01, -2.3263478740408408],
  [0.0749, -1.4402382675279632],
  [0.0751, -1.4388253927525398],
  [0.5, 0],
  [0.7, 0.5244005127080407],
  [0.95, 1.6448536269514722],
];

describe('the normal distribution', () => {
  it.each(PROBABILITIES)('has a probability below %d of %d, to 15 decimals', (x, probability) => {
    expect(Math.abs(normalCdf(x) - probability)).toBeLessThan(1e-15);
  });

  it('has probability 0 or 1 far from the mean, and is continuous between its two formulas', () => {
    expect([normalCdf(-40), normalCdf(40)]).toEqual([0, 1]);
    expect(normalCdf(-7.0710679) / normalCdf(-7.0710677)).toBeCloseTo(1, 5);
  });

  it.each(QUANTILES)('has a quantile at %d of %d, to 14 decimals', (probability, x) => {
    expect(Math.abs(normalQuantile(probability) - x)).toBeLessThan(1e-14);
  });

  it('has infinite quantiles at probabilities 0 and 1', () => {
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });
});
