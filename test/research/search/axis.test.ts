import { describe, expect, it } from 'vitest';
import type { Dimension } from '../../../src/research/index.ts';
import { valueFromUniform } from '../../../src/research/search/axis.ts';
import type { ParameterValue } from '../../../src/research/search/space.ts';

const JUST_BELOW_ONE = 1 - 2 ** -53;

function valuesOf(dimension: Dimension, us: readonly number[]): readonly ParameterValue[] {
  return us.map((u) => valueFromUniform(dimension, u));
}

describe('the value at a position between 0 and 1', () => {
  it('is a number of the range', () => {
    const dimension: Dimension = { kind: 'number', name: 'x', low: -2, high: 6, log: false };
    expect(valuesOf(dimension, [0, 0.25, 0.5, JUST_BELOW_ONE])).toEqual([-2, 0, 2, 6]);
  });

  it('is a number on a logarithmic scale', () => {
    const dimension: Dimension = { kind: 'number', name: 'kappa', low: 10, high: 1000, log: true };
    expect(valuesOf(dimension, [0, 0.5, 0.75, 0.25])).toEqual([10, 100, 316.227766017, 31.6227766017]);
  });

  it('stays in the range when a bound has more than 12 digits', () => {
    const [low, high] = [1 / 3, 2 / 3];
    const dimension: Dimension = { kind: 'number', name: 'x', low, high, log: false };
    expect(valuesOf(dimension, [0, JUST_BELOW_ONE])).toEqual([low, high]);
  });

  it('is each integer with the same probability', () => {
    const dimension: Dimension = { kind: 'integer', name: 'n', low: 3, high: 6, log: false };
    expect(valuesOf(dimension, [0, 0.2499, 0.25, 0.4999, 0.5, 0.75, JUST_BELOW_ONE])).toEqual([3, 3, 4, 4, 5, 6, 6]);
  });

  it('is an integer on a logarithmic scale', () => {
    const dimension: Dimension = { kind: 'integer', name: 'n', low: 1, high: 100, log: true };
    const oneEnds = Math.log(1.5 / 0.5) / Math.log(100.5 / 0.5);
    expect(valuesOf(dimension, [0, oneEnds - 1e-6, oneEnds + 1e-6, JUST_BELOW_ONE])).toEqual([1, 1, 2, 100]);
  });

  it('is `low` plus whole steps without decimal errors, and the highest value may be below `high`', () => {
    const dimension: Dimension = { kind: 'number', name: 'x', low: 0.1, high: 0.75, log: false, step: 0.1 };
    expect(valuesOf(dimension, [0, 0.15, 0.3, 0.5, JUST_BELOW_ONE])).toEqual([0.1, 0.2, 0.3, 0.4, 0.7]);
  });

  it('is a choice', () => {
    const dimension: Dimension = { kind: 'choice', name: 'c', choices: ['a', 2, true] };
    expect(valuesOf(dimension, [0, 0.33, 0.34, 0.67, JUST_BELOW_ONE])).toEqual(['a', 'a', 2, true, true]);
  });
});
