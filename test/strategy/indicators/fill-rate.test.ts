import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { estimateRate, FillRateEstimator, fitFillRate } from '../../../src/strategy/indicators/fill-rate.ts';

const SHARE = 1_000_000;
const print = (price: number, shares = 100, taker: 'BUY' | 'SELL' | 'unknown' = 'unknown') => {
  return { price, shares: shares * SHARE, taker };
};

/** Ten-second steps at mid 6000. Of each ten, `near` have trades 20 bps from the mid, `far` also at 80 bps. */
function afterTrades(near: number, far: number, steps = 100): FillRateEstimator {
  const estimator = new FillRateEstimator({ stepMs: 10_000, samples: 1_000 }, 100 * SHARE);
  for (let step = 0; step < steps; step++) {
    const time = step * 10_000;
    estimator.observe(time, 6_000);
    for (const side of [-1, 1]) {
      if (step % 10 < near) estimator.trade(time + 4_000, print(6_000 + 20 * side));
      if (step % 10 < far) estimator.trade(time + 5_000, print(6_000 + 80 * side));
    }
    // A move within a step does not count.
    estimator.observe(time + 6_000, 5_000);
    estimator.observe(time + 7_000, 6_000);
  }
  estimator.observe(steps * 10_000 + 1, 6_000);
  return estimator;
}

describe('the measured fill rate', () => {
  it('counts steps whose deepest trade lies at least a distance from the mid at their start', () => {
    // 10 and 20 bps: 8 of 10 steps; 40, 60 and 80 bps: 2 of 10. Each step lasts ten seconds.
    const fit = afterTrades(8, 2).fit();
    const [near, far] = [Math.log(-Math.log(0.2) / 10), Math.log(-Math.log(0.8) / 10)];
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

  it('returns nothing for fewer than five steps per distance', () => {
    expect(afterTrades(4, 1, 10).fit()).toBeUndefined();
  });

  it('omits steps that overlap a halt', () => {
    const estimator = afterTrades(8, 2);
    const before = estimator.fit();
    estimator.observe(1_001_000, undefined);
    estimator.trade(1_002_000, print(9_000));
    estimator.observe(1_003_000, 6_000);
    estimator.observe(1_010_000, 6_000);
    estimator.observe(1_010_001, undefined);
    estimator.observe(9_999_999, undefined);
    expect(estimator.fit()).toEqual(before);
  });

  it('drops steps that have left the window', () => {
    const estimator = afterTrades(8, 2);
    estimator.observe(1_000 * 86_400_000, 6_000);
    expect(estimator.fit()).toBeUndefined();
  });

  it('equals the worked example: a step counts once, however many trades it has', () => {
    const fitOf = (rates: readonly (number | undefined)[]) =>
      fitFillRate([20, 40, 80, 160].map((bps, at) => ({ distance: bps / 10_000, perSecond: rates[at] ?? Number.NaN })));
    const reached = [360, 252, 126, 32];
    const rates = reached.map((steps) => estimateRate(steps, 1_800, 1));
    expect(rates.map((rate) => rate?.toPrecision(6))).toEqual(['0.223144', '0.150823', '0.0725707', '0.0179377']);
    const fit = fitOf(rates);
    expect(fit?.kappa.toPrecision(6)).toBe('179.290');
    expect(fit?.intensity.toPrecision(6)).toBe('0.312163');
    const shares = fitOf(reached.map((steps) => steps / 1_800));
    expect(shares?.kappa.toPrecision(6)).toBe('172.606');
    expect(shares?.intensity.toPrecision(6)).toBe('0.280380');
  });

  it('equals the worked example: for an order of 100, prints of 5 10 20 50 200 400 shares fill .475', () => {
    const estimator = new FillRateEstimator({ stepMs: 1_000, samples: 10 }, 100 * SHARE);
    estimator.observe(0, 6_000);
    estimator.observe(1, 6_000);
    for (const [at, shares] of [5, 10, 20, 50, 200, 400].entries())
      estimator.trade(1_500 * at + 2, print(6_000, shares));
    estimator.observe(9_001, 6_000);
    expect(estimator.filledFraction()).toBeCloseTo(0.475, 12);
    // The first four have left the window of ten steps.
    estimator.observe(16_001, 6_000);
    expect(estimator.filledFraction()).toBe(1);
    estimator.observe(99_000, 6_000);
    expect(estimator.filledFraction()).toBeUndefined();
  });

  it('scales the intensity by the share of an own order that prints fill', () => {
    const fitOf = (orderShares: number) => {
      const estimator = new FillRateEstimator({ stepMs: 10_000, samples: 100 }, orderShares * SHARE);
      for (let time = 0; time <= 1_000_000; time += 10_000) {
        estimator.observe(time, 6_000);
        for (const bps of [[20], [60], []][(time / 10_000) % 3] ?? [])
          for (const side of [-1, 1]) estimator.trade(time + 1, print(6_000 + side * bps, 50));
      }
      return estimator.fit();
    };
    const [whole, half] = [fitOf(50), fitOf(100)];
    expect(whole?.intensity).toBeGreaterThan(0);
    expect(half?.intensity).toBeCloseTo((whole?.intensity ?? 0) / 2, 12);
    expect(half?.kappa).toBe(whole?.kappa);
  });

  it('fits no distance beyond the requested one', () => {
    const estimator = afterTrades(8, 2);
    const [near, far] = [Math.log(-Math.log(0.2) / 10), Math.log(-Math.log(0.8) / 10)];
    // Distances of 10, 20 and 40 bps remain; the first two have the same rate.
    expect(estimator.fit(0.0059)?.kappa).toBeCloseTo(((near - far) / 28) * 10_000, 6);
    expect(estimator.fit(0.002)).toBeUndefined();
    expect(estimator.fit(0.0015)).toBeUndefined();
  });

  it('counts only buyers above the mid and sellers below it', () => {
    const estimator = new FillRateEstimator({ stepMs: 1_000, samples: 100 }, 100 * SHARE);
    for (let time = 0; time <= 100_000; time += 1_000) {
      estimator.observe(time, 6_000);
      const far = time % 4_000 === 0 ? 80 : 20;
      // The mid moves by 200 within the step: this seller trades above the mid at its start.
      if (time % 2_000 === 0) estimator.trade(time + 1, print(6_000 + far, 10, 'BUY'));
      estimator.trade(time + 2, print(6_200, 10, 'SELL'));
      if (time % 2_000 === 0) estimator.trade(time + 3, print(6_000 - far, 10, 'SELL'));
    }
    const known = estimator.fit();
    expect(known).toBeDefined();
    const [near, deep] = [-Math.log(0.5), -Math.log(0.75)];
    expect((known?.intensity ?? 0) * 10).toBeGreaterThan(near);
    expect(known?.kappa).toBeCloseTo(
      fitFillRate([10, 20, 40, 60, 80].map((bps) => ({ distance: bps / 10_000, perSecond: bps <= 20 ? near : deep })))
        ?.kappa ?? 0,
      6,
    );
  });

  it('omits distances with too few steps, or with fills in nearly all', () => {
    expect([estimateRate(4, 100, 1), estimateRate(91, 100, 1)]).toEqual([undefined, undefined]);
    expect(estimateRate(5, 100, 1)).toBeDefined();
    expect(estimateRate(90, 100, 1)).toBeDefined();
  });

  it('recovers intensity 0.3 a side and kappa 180 from simulated takers within a tenth, on steps of 1 s and of 5 s', () => {
    for (const stepMs of [1_000, 5_000]) {
      const random = seededRandom(7);
      const samples = 100_000_000 / stepMs;
      const estimator = new FillRateEstimator({ stepMs, samples }, 100 * SHARE);
      // Takers of both sides arrive 0.6 times a second, with a depth of mean 1 / kappa.
      for (let time = 0; time < 100_000_000; ) {
        time += (random.exponential() / 0.6) * 1_000;
        const depth = (random.exponential() / 180) * 10_000;
        estimator.observe(time, 5_000);
        estimator.trade(time, print(5_000 + (random.int(2) === 0 ? depth : -depth)));
      }
      const fit = estimator.fit();
      expect(Math.abs((fit?.intensity ?? 0) / 0.3 - 1)).toBeLessThan(0.1);
      expect(Math.abs((fit?.kappa ?? 0) / 180 - 1)).toBeLessThan(0.1);
    }
  });
});

describe('the fit of a fill rate', () => {
  it('has kappa 138.63 and A 0.4 when 50 bps are reached 0.20 times a second and 150 bps 0.05 times', () => {
    const fit = fitFillRate([
      { distance: 0.005, perSecond: 0.2 },
      { distance: 0.015, perSecond: 0.05 },
    ]);
    expect(fit?.kappa).toBeCloseTo(138.63, 2);
    expect(fit?.intensity).toBeCloseTo(0.4, 12);
  });

  it('equals the parameters of the exponential that it is fitted to', () => {
    const points = [10, 25, 40, 90, 200].map((bps) => ({
      distance: bps / 10_000,
      perSecond: 0.7 * Math.exp((-80 * bps) / 10_000),
    }));
    const fit = fitFillRate(points);
    expect(fit?.kappa).toBeCloseTo(80, 9);
    expect(fit?.intensity).toBeCloseTo(0.7, 9);
  });

  it.each([
    ['no point', []],
    ['one point', [{ distance: 0.005, perSecond: 0.2 }]],
    [
      'a rate that rises with distance',
      [
        { distance: 0.005, perSecond: 0.1 },
        { distance: 0.01, perSecond: 0.2 },
      ],
    ],
    [
      'fills at only one distance',
      [
        { distance: 0.005, perSecond: 0.1 },
        { distance: 0.01, perSecond: 0 },
      ],
    ],
  ])('has no fit with %s', (_, points) => {
    expect(fitFillRate(points)).toBeUndefined();
  });
});
