import { describe, expect, it } from 'vitest';
import { logistic, logit } from '../../src/strategy/index.ts';

describe('log-odds', () => {
  it('are ln(p / (1 - p)), and logistic is the inverse', () => {
    expect(logit(0.6)).toBeCloseTo(0.405465, 6);
    expect(logit(0.5)).toBe(0);
    for (const price of [0.0001, 0.3, 0.97, 0.9999]) expect(logistic(logit(price))).toBeCloseTo(price, 12);
  });

  it('are limited to prices of one bps from 0 and 1', () => {
    expect(logit(0)).toBe(logit(0.0001));
    expect(logit(1)).toBe(logit(0.9999));
  });
});
