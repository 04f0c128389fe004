import { describe, expect, it } from 'vitest';
import { FillRateEstimator } from '../../../strategies/avellaneda-stoikov/fill-rate.ts';

/** Ten-second steps at mid 6000; of each ten, `near` see a trade 20 bps off and `far` of these one 80 bps off. */
function traded(near: number, far: number, steps = 100): FillRateEstimator {
  const estimator = new FillRateEstimator({ stepMs: 10_000, samples: 1_000 });
  for (let step = 0; step < steps; step++) {
    const time = step * 10_000;
    estimator.observe(time, 6_000);
    if (step % 10 < near) estimator.trade(time + 4_000, 5_980);
    if (step % 10 < far) estimator.trade(time + 5_000, 6_080);
    // What the mid does inside a step changes nothing about it.
    estimator.observe(time + 6_000, 5_000);
    estimator.observe(time + 7_000, 6_000);
  }
  estimator.observe(steps * 10_000 + 1, 6_000);
  return estimator;
}

describe('measured fill rate', () => {
  it('counts steps whose deepest trade lies at least a distance from the mid at their start', () => {
    // 10 and 20 bps: 8 of 10 steps; 40, 60 and 80 bps: 2 of 10. Each step lasts ten seconds.
    const fit = traded(8, 2).fit();
    const [near, far] = [Math.log(0.08), Math.log(0.02)];
    const [x, y] = [
      [10, 20, 40, 60, 80],
      [near, near, far, far, far],
    ];
    const [meanX, meanY] = [42, (2 * near + 3 * far) / 5];
    const slope =
      x.reduce((sum, value, index) => sum + (value - meanX) * ((y[index] ?? 0) - meanY), 0) /
      x.reduce((sum, value) => sum + (value - meanX) * (value - meanX), 0);
    expect(fit?.kappa).toBeCloseTo(-slope * 10_000, 6);
    expect(fit?.intensity).toBeCloseTo(Math.exp(meanY - slope * meanX), 9);
  });

  it('says nothing from fewer than five steps a distance', () => {
    expect(traded(4, 1, 10).fit()).toBeUndefined();
  });

  it('leaves out steps that touch a halt', () => {
    const estimator = traded(8, 2);
    const before = estimator.fit();
    estimator.observe(1_001_000, undefined);
    estimator.trade(1_002_000, 9_000);
    estimator.observe(1_003_000, 6_000);
    estimator.observe(1_010_000, 6_000);
    estimator.observe(1_010_001, undefined);
    estimator.observe(9_999_999, undefined);
    expect(estimator.fit()).toEqual(before);
  });

  it('forgets what has left the window', () => {
    const estimator = traded(8, 2);
    estimator.observe(1_000 * 86_400_000, 6_000);
    expect(estimator.fit()).toBeUndefined();
  });
});
