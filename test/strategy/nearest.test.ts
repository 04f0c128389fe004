import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/strategy/index.ts';

const NAMES = ['gamma', 'kappa', 'order_amount', 'order_levels', 'order_level_spread', 'bid_spread'];

describe('the closest match', () => {
  it.each([
    ['gama', 'gamma'],
    ['gmama', 'gamma'],
    ['Kappa', 'kappa'],
    ['order_amonut', 'order_amount'],
    ['orderAmount', 'order_amount'],
    ['order_level', 'order_levels'],
    ['bid-spread', 'bid_spread'],
  ])('of %s is %s', (input, match) => {
    expect(nearest(input, NAMES)).toBe(match);
  });

  it('is undefined when nothing is close', () => {
    expect(nearest('horizon', NAMES)).toBeUndefined();
    expect(nearest('x', [])).toBeUndefined();
  });

  it('is the first of two that are equally close', () => {
    expect(nearest('ab', ['ac', 'ad'])).toBe('ac');
  });
});
