import { describe, expect, it } from 'vitest';
import { baselineSpecs, parseRunSpec, randomSpecs } from '../../../src/backtest/index.ts';

const SIZES = { order_amount: 25, max_position: 80 };

describe('baselines of a run', () => {
  it.each([
    ['the strategy', { strategy: 'ladder', params: SIZES }],
    ['a wrapped strategy', { strategy: 'event-regime', params: { strategy: 'ladder', params: SIZES } }],
    ['the first of several strategies', { strategies: [{ strategy: 'ladder', params: SIZES }] }],
  ])('use the sizes of %s', (_, run) => {
    const spec = parseRunSpec({ ...run, tapes: ['a.tape'] });
    const all = [...baselineSpecs(spec), ...randomSpecs(spec, 50, 1)];
    expect(all.map(({ spec: { params } }) => params)).toEqual(all.map(() => expect.objectContaining(SIZES)));
  });
});
