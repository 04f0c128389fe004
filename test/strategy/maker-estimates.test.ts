import { describe, expect, it } from 'vitest';
import { counted, epochMs, microShares, priceBps } from '../../src/domain/index.ts';
import { type MakerEstimateParams, MakerEstimates } from '../../src/strategy/maker-estimates.ts';
import { seenMarket } from './seen-market.ts';

const PARAMS: MakerEstimateParams = {
  volatility_step: 5,
  volatility_window: 1_800,
  fill_rate_step: 1,
  fill_rate_window: 1_800,
  refit_interval: 60,
  fit_weight: 1,
  kappa_min: 5,
  kappa_max: 2_000,
  kappa: 'measured',
  intensity: 'measured',
  order_amount: 100,
};
const SEEN = seenMarket({ bids: [[5_700, 100]], asks: [[6_300, 100]] });

function estimatesOf(params: Partial<MakerEstimateParams> = {}, scale?: 'price' | 'log-odds'): MakerEstimates {
  return new MakerEstimates({ ...PARAMS, ...params }, scale);
}

/** `seconds` of which seven of ten see trades 20 bps off on both sides, three of these 60, one of these 160. */
function traded(estimates: MakerEstimates, from: number, seconds: number): number {
  for (let second = from; second < from + seconds; second++) {
    estimates.observe(second * 1_000, SEEN);
    for (const bps of [second % 10 < 7 && 20, second % 10 < 3 && 60, second % 10 < 1 && 160]) {
      if (bps === false) continue;
      for (const side of [-1, 1]) {
        estimates.trade(second * 1_000 + 1, {
          market: counted.market(0),
          time: epochMs(second * 1_000 + 1),
          taker: side === 1 ? 'BUY' : 'SELL',
          price: priceBps(6_000 + side * bps),
          shares: microShares(50_000_000),
        });
      }
    }
  }
  estimates.observe((from + seconds) * 1_000 + 1, SEEN);
  return (from + seconds) * 1_000 + 1;
}

describe('the measured fill rate of a market', () => {
  it('is fitted up to three half-spreads of the own quotes', () => {
    const [wide, near] = [estimatesOf(), estimatesOf()];
    const first = traded(wide, 0, 600);
    traded(near, 0, 600);
    expect(near.fillRate(epochMs(first))).toEqual(wide.fillRate(epochMs(first)));
    wide.halfSpread = 0.02;
    near.halfSpread = 0.002;
    const later = first + 60_000;
    const [all, shallow] = [wide.fillRate(epochMs(later)), near.fillRate(epochMs(later))];
    expect(all).toEqual(wide.fillRate(epochMs(first)));
    // 10, 20, 40 and 60 bps are left, where the rate falls from seven steps of ten to three.
    const [seven, three] = [Math.log(-Math.log(0.3)), Math.log(-Math.log(0.7))];
    const x = [10, 20, 40, 60].map((bps) => bps - 32.5);
    const covariance = x.reduce((sum, value, at) => sum + value * (at < 2 ? seven : three), 0);
    const slope = covariance / x.reduce((sum, value) => sum + value * value, 0);
    expect(shallow.kappa).toBeCloseTo(-slope * 10_000, 6);
    expect(shallow.kappa).not.toBeCloseTo(all.kappa ?? 0, 0);
  });

  it('is not limited to the distance of quotes that ended with the fit', () => {
    const estimates = estimatesOf({ fill_rate_window: 300 });
    const first = traded(estimates, 0, 300);
    const whole = estimates.fillRate(epochMs(first));
    // Three half-spreads hold one distance: no new fit, until the old one has ended and the quotes with it.
    estimates.halfSpread = 0.0005;
    const later = traded(estimates, 301, 290);
    expect(estimates.fillRate(epochMs(later))).toEqual(whole);
    const after = traded(estimates, 592, 70);
    expect(Math.abs((estimates.fillRate(epochMs(after)).kappa ?? 0) - (whole.kappa ?? 0))).toBeLessThan(2);
  });

  it('equals that of takers of half an order when prints are half as large', () => {
    const [large, small] = [estimatesOf({ order_amount: 100 }), estimatesOf({ order_amount: 50 })];
    const rates = [large, small].map((estimates) => estimates.fillRate(epochMs(traded(estimates, 0, 600))));
    expect(rates[0]?.intensity).toBeCloseTo((rates[1]?.intensity ?? 0) / 2, 12);
    expect(rates[0]?.kappa).toBe(rates[1]?.kappa);
  });

  it('ignores a kappa beyond its bounds', () => {
    const open = estimatesOf();
    const { kappa = 0 } = open.fillRate(epochMs(traded(open, 0, 600)));
    for (const bounds of [{ kappa_max: kappa * 0.99 }, { kappa_min: kappa * 1.01 }]) {
      const estimates = estimatesOf(bounds);
      expect(estimates.fillRate(epochMs(traded(estimates, 0, 600))).kappa).toBeUndefined();
    }
  });

  it('uses values given in the parameters', () => {
    const given = estimatesOf({ kappa: 50, intensity: 0.4 });
    expect(given.fillRate(epochMs(0))).toEqual({ kappa: 50, intensity: 0.4 });
    const half = estimatesOf({ kappa: 50 });
    expect(half.fillRate(epochMs(traded(half, 0, 600)))).toMatchObject({ kappa: 50, intensity: expect.any(Number) });
  });

  it('in log-odds is that of prices times m(1-m), at a mid of a half exactly, and so is the volatility', () => {
    const [price, odds] = [estimatesOf(), estimatesOf({ kappa_min: 1, kappa_max: 500 }, 'log-odds')];
    for (const estimates of [price, odds]) {
      for (let step = 0; step < 60; step += 1) {
        const mid = step % 2 === 0 ? 5_000 : 5_010;
        estimates.observe(step * 5_000, seenMarket({ bids: [[mid - 100, 100]], asks: [[mid + 100, 100]] }));
      }
    }
    expect((odds.sigma() ?? 0) / (price.sigma() ?? 1)).toBeCloseTo(4, 4);
    const [near, far] = [estimatesOf(), estimatesOf({ kappa_min: 1, kappa_max: 500 }, 'log-odds')];
    const at = epochMs(traded(near, 0, 600));
    traded(far, 0, 600);
    const [kappa = 0, kappaX = 1] = [near.fillRate(at).kappa, far.fillRate(at).kappa];
    expect(kappaX / (kappa * 0.24)).toBeGreaterThan(0.9);
    expect(kappaX / (kappa * 0.24)).toBeLessThan(1.1);
  });
});
