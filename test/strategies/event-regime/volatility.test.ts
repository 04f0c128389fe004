import { describe, expect, it } from 'vitest';
import { WeightedVariance } from '../../../strategies/event-regime/volatility.ts';

const STEP = { stepMs: 5_000 };

/** Returns the variance just after the last of mids that are five seconds apart. */
function varianceOf(mids: readonly (number | undefined)[], halfLifeMs: number): number | undefined {
  const variance = new WeightedVariance({ ...STEP, halfLifeMs });
  for (const [index, mid] of mids.entries()) variance.observe(index * 5_000, mid);
  const sigma = variance.sigmaAt((mids.length - 1) * 5_000 + 1);
  return sigma === undefined ? undefined : sigma * sigma;
}

/** Steps of 47.5 bps²/s, until the first has no weight, then a step of 40 bps. */
const CALM_THEN_MOVE = [
  ...Array.from({ length: 12_000 }, (_, index) => (index % 2) * Math.sqrt(237.5)),
  Math.sqrt(237.5) + 40,
];

describe('the weighted variance', () => {
  it.each([
    [30_000, 77.2301],
    [1_800_000, 48.0242],
  ])('with a half-life of %i ms goes from 47.5 to %f on a move of 40 bps', (halfLifeMs, expected) => {
    expect(varianceOf(CALM_THEN_MOVE, halfLifeMs)).toBeCloseTo(expected, 4);
  });

  it('is the mean of the samples if the half-life is long', () => {
    const mids = Array.from({ length: 41 }, (_, index) => (index % 2) * 10);
    expect(varianceOf(mids, 1e12)).toBeCloseTo(20, 4);
  });

  it('is unknown with fewer than 30 samples', () => {
    const mids = Array.from({ length: 31 }, (_, index) => index);
    expect(varianceOf(mids.slice(1), 30_000)).toBeUndefined();
    expect(varianceOf(mids, 30_000)).toBeDefined();
  });

  it('counts a gap between calls as steps without change', () => {
    const mids = Array.from({ length: 40 }, (_, index) => (index % 2) * 10);
    const quiet = Array.from({ length: 60 }, () => 10);
    const variance = new WeightedVariance({ ...STEP, halfLifeMs: 30_000 });
    for (const [index, mid] of mids.entries()) variance.observe(index * 5_000, mid);
    const sigma = variance.sigmaAt((mids.length + quiet.length - 1) * 5_000 + 1) ?? 0;
    expect(sigma * sigma).toBeCloseTo(varianceOf([...mids, ...quiet], 30_000) ?? 0, 12);
    expect(sigma).toBeLessThan(0.2);
  });

  it('ignores the move over a halt', () => {
    const calm = Array.from({ length: 40 }, (_, index) => (index % 2) * 10);
    const variance = varianceOf([...calm, undefined, undefined, 5_000, 5_010], 30_000) ?? 0;
    expect(variance).toBeLessThan(21);
  });
});
