import { describe, expect, it } from 'vitest';
import { epochMs, microShares, priceBps, unchecked } from '../../src/domain/index.ts';
import { type MakerEstimateParams, MakerEstimates } from '../../src/strategy/maker-estimates.ts';
import { marketView } from './market-view.ts';

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
const MARKET = marketView({ bids: [[5_700, 100]], asks: [[6_300, 100]] });

function estimatesOf(params: Partial<MakerEstimateParams> = {}, scale?: 'price' | 'log-odds'): MakerEstimates {
  return new MakerEstimates({ ...PARAMS, ...params }, scale);
}

/** Of ten seconds, seven have trades 20 bps from the mid, three also at 60 bps, one also at 160. Returns the end. */
function afterTrades(estimates: MakerEstimates, from: number, seconds: number): number {
  for (let second = from; second < from + seconds; second++) {
    estimates.observe(second * 1_000, MARKET);
    for (const bps of [second % 10 < 7 && 20, second % 10 < 3 && 60, second % 10 < 1 && 160]) {
      if (bps === false) continue;
      for (const side of [-1, 1]) {
        estimates.trade(second * 1_000 + 1, {
          market: unchecked.market(0),
          time: epochMs(second * 1_000 + 1),
          taker: side === 1 ? 'BUY' : 'SELL',
          price: priceBps(6_000 + side * bps),
          shares: microShares(50_000_000),
        });
      }
    }
  }
  estimates.observe((from + seconds) * 1_000 + 1, MARKET);
  return (from + seconds) * 1_000 + 1;
}

describe('the measured fill rate of a market', () => {
  it('is fitted up to three own half-spreads', () => {
    const [wide, near] = [estimatesOf(), estimatesOf()];
    const first = afterTrades(wide, 0, 600);
    afterTrades(near, 0, 600);
    expect(near.fillRate(epochMs(first))).toEqual(wide.fillRate(epochMs(first)));
    wide.halfSpread = 0.02;
    near.halfSpread = 0.002;
    const later = first + 60_000;
    const [all, shallow] = [wide.fillRate(epochMs(later)), near.fillRate(epochMs(later))];
    expect(all).toEqual(wide.fillRate(epochMs(first)));
    // Distances of 10, 20, 40 and 60 bps remain, with seven and three steps of ten.
    const [seven, three] = [Math.log(-Math.log(0.3)), Math.log(-Math.log(0.7))];
    const x = [10, 20, 40, 60].map((bps) => bps - 32.5);
    const covariance = x.reduce((sum, value, index) => sum + value * (index < 2 ? seven : three), 0);
    const slope = covariance / x.reduce((sum, value) => sum + value * value, 0);
    expect(shallow.kappa).toBeCloseTo(-slope * 10_000, 6);
    expect(shallow.kappa).not.toBeCloseTo(all.kappa ?? 0, 0);
  });

  it('is not limited to the distance of old quotes after the fit expired', () => {
    const estimates = estimatesOf({ fill_rate_window: 300 });
    const first = afterTrades(estimates, 0, 300);
    const whole = estimates.fillRate(epochMs(first));
    // Three half-spreads contain one distance: no new fit until the old one and its quotes have expired.
    estimates.halfSpread = 0.0005;
    const later = afterTrades(estimates, 301, 290);
    expect(estimates.fillRate(epochMs(later))).toEqual(whole);
    const after = afterTrades(estimates, 592, 70);
    expect(Math.abs((estimates.fillRate(epochMs(after)).kappa ?? 0) - (whole.kappa ?? 0))).toBeLessThan(2);
  });

  it('has half the intensity when prints fill half an order', () => {
    const [large, small] = [estimatesOf({ order_amount: 100 }), estimatesOf({ order_amount: 50 })];
    const rates = [large, small].map((estimates) => estimates.fillRate(epochMs(afterTrades(estimates, 0, 600))));
    expect(rates[0]?.intensity).toBeCloseTo((rates[1]?.intensity ?? 0) / 2, 12);
    expect(rates[0]?.kappa).toBe(rates[1]?.kappa);
  });

  it('has no kappa beyond its bounds', () => {
    const open = estimatesOf();
    const { kappa = 0 } = open.fillRate(epochMs(afterTrades(open, 0, 600)));
    for (const bounds of [{ kappa_max: kappa * 0.99 }, { kappa_min: kappa * 1.01 }]) {
      const estimates = estimatesOf(bounds);
      expect(estimates.fillRate(epochMs(afterTrades(estimates, 0, 600))).kappa).toBeUndefined();
    }
  });

  it('uses values of the parameters', () => {
    const fixed = estimatesOf({ kappa: 50, intensity: 0.4 });
    expect(fixed.fillRate(epochMs(0))).toEqual({ kappa: 50, intensity: 0.4 });
    const half = estimatesOf({ kappa: 50 });
    expect(half.fillRate(epochMs(afterTrades(half, 0, 600)))).toMatchObject({
      kappa: 50,
      intensity: expect.any(Number),
    });
  });

  it('in log-odds has about kappa times m(1-m), and a volatility divided by m(1-m)', () => {
    const [price, odds] = [estimatesOf(), estimatesOf({ kappa_min: 1, kappa_max: 500 }, 'log-odds')];
    for (const estimates of [price, odds]) {
      for (let step = 0; step < 60; step += 1) {
        const mid = step % 2 === 0 ? 5_000 : 5_010;
        estimates.observe(step * 5_000, marketView({ bids: [[mid - 100, 100]], asks: [[mid + 100, 100]] }));
      }
    }
    expect((odds.sigma() ?? 0) / (price.sigma() ?? 1)).toBeCloseTo(4, 4);
    const [near, far] = [estimatesOf(), estimatesOf({ kappa_min: 1, kappa_max: 500 }, 'log-odds')];
    const at = epochMs(afterTrades(near, 0, 600));
    afterTrades(far, 0, 600);
    const [kappa = 0, kappaX = 1] = [near.fillRate(at).kappa, far.fillRate(at).kappa];
    expect(kappaX / (kappa * 0.24)).toBeGreaterThan(0.9);
    expect(kappaX / (kappa * 0.24)).toBeLessThan(1.1);
  });
});
