import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fillMargin,
  gammaFromShift,
  halfSpread,
  linearReservationPrice,
  reservationPrice,
  varianceLeft,
} from '../../../src/strategy/maker-formulas.ts';
import { fitFillRate, rateOf } from '../../../strategies/avellaneda-stoikov/fill-rate.ts';
import { glftQuotes, glftRiskFactor } from '../../../strategies/avellaneda-stoikov/glft.ts';

describe('the remaining variance', () => {
  it('is sigma² times the horizon while that is below the maximum', () => {
    expect(varianceLeft(0.0004, 3_600, 0.6)).toBeCloseTo(0.000576, 12);
  });

  it('is never more than mid * (1 - mid), however long the horizon', () => {
    expect(varianceLeft(0.01, 1e9, 0.6)).toBeCloseTo(0.24, 12);
    expect(varianceLeft(0.01, 1e9, 0.999)).toBeCloseTo(0.000999, 12);
  });
});

describe('the reservation price', () => {
  const example = { mid: 0.6, net: 500, gamma: 0.01, variance: 0.000576 };

  it('is .597117 bounded and .597120 linear for 500 shares long at .60', () => {
    expect(reservationPrice(example)).toBeCloseTo(0.597117, 6);
    expect(linearReservationPrice(example)).toBeCloseTo(0.59712, 6);
  });

  it('stays below the payout where the linear form gives 1.0852', () => {
    const short = { mid: 0.97, net: -2_000, gamma: 0.01, variance: varianceLeft(0.0004, 36_000, 0.97) };
    expect(linearReservationPrice(short)).toBeCloseTo(1.0852, 4);
    expect(reservationPrice(short)).toBeCloseTo(0.99941, 6);
  });

  it('is the exact marginal value of a share held to settlement when all variance is left', () => {
    const { mid, net, gamma } = example;
    // CARA: the price at which one more sliver of YES leaves expected utility as it is.
    const [up, down] = [mid * Math.exp(-gamma * net), 1 - mid];
    expect(reservationPrice({ mid, net, gamma, variance: mid * (1 - mid) })).toBeCloseTo(up / (up + down), 12);
  });

  it('never leaves (0, 1), falls with the position and equals the linear form to first order', () => {
    const input = fc.record({
      mid: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      net: fc.double({ min: -5_000, max: 5_000, noNaN: true }),
      gamma: fc.double({ min: 1e-5, max: 0.005, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(input, ({ mid, net, gamma, share }) => {
        const variance = share * mid * (1 - mid);
        const price = reservationPrice({ mid, net, gamma, variance });
        expect(price).toBeGreaterThan(0);
        expect(price).toBeLessThan(1);
        expect((price - mid) * Math.sign(net)).toBeLessThanOrEqual(1e-12);
        const small = { mid, net: net * 1e-6, gamma, variance };
        expect(reservationPrice(small)).toBeCloseTo(linearReservationPrice(small), 8);
      }),
    );
  });
});

describe('the half-spread', () => {
  it('is .020091 for 100 shares at gamma .01, kappa 50, variance .000576', () => {
    expect(halfSpread({ gamma: 0.01, kappa: 50, orderAmount: 100, variance: 0.000576 })).toBeCloseTo(0.020091, 6);
  });

  it('is .022683 with the variance of ten times the horizon', () => {
    expect(halfSpread({ gamma: 0.01, kappa: 50, orderAmount: 100, variance: 0.00576 })).toBeCloseTo(0.022683, 6);
  });

  it('approaches 1/kappa for a maker without risk aversion', () => {
    expect(fillMargin(1e-9, 50)).toBeCloseTo(0.02, 6);
  });
});

describe('gamma from a target shift', () => {
  it('is .034722 for a shift of .02 at 1,000 shares with variance .000576', () => {
    expect(gammaFromShift(0.02, 1_000, 0.000576)).toBeCloseTo(0.034722, 6);
  });

  it('has no solution when nothing moves', () => {
    expect(gammaFromShift(0.02, 1_000, 0)).toBeUndefined();
  });
});

describe('stationary quotes', () => {
  const example = { mid: 0.6, net: 500, gamma: 0.01, kappa: 50, intensity: 0.4, orderAmount: 100, sigma: 0.0004 };

  it('are .579621 and .619331 for the worked example, by c1 .0198026 and c2 .00261984', () => {
    expect(fillMargin(1, 50)).toBeCloseTo(0.0198026, 7);
    expect(glftRiskFactor(example)).toBeCloseTo(0.00261984, 8);
    const { half, shift, bid, ask } = glftQuotes(example);
    expect(half).toBeCloseTo(0.019855, 7);
    expect(shift).toBeCloseTo(0.000523968, 9);
    expect(bid).toBeCloseTo(0.579621, 6);
    expect(ask).toBeCloseTo(0.619331, 6);
  });

  it('move by at most gamma * |net| * mid * (1 - mid)', () => {
    const { shift } = glftQuotes({ ...example, sigma: 10, net: -500 });
    expect(shift).toBeCloseTo(-0.01 * 500 * 0.24, 12);
  });
});

describe('stationary quotes with a measured fill rate', () => {
  const fitted = fitFillRate(
    [360, 252, 126, 32].map((reached, at) => ({
      distance: ([20, 40, 80, 160][at] ?? 0) / 10_000,
      perSecond: rateOf(reached, 1_800, 1) ?? 0,
    })),
  );
  const [kappa, intensity] = [fitted?.kappa ?? 0, (fitted?.intensity ?? 0) * 0.475];
  const example = { mid: 0.6, net: 500, gamma: 0.01, kappa, intensity, orderAmount: 100, sigma: 0.0004 };
  const digits = (values: readonly number[]) => values.map((value) => value.toPrecision(6));

  it('equal the worked example: A .148277, c1 .00556205, c2 .00226423', () => {
    expect(digits([intensity, fillMargin(1, kappa), glftRiskFactor(example)])).toEqual([
      '0.148277',
      '0.00556205',
      '0.00226423',
    ]);
    const { half, shift, bid, ask } = glftQuotes(example);
    expect(digits([half, shift, bid, ask])).toEqual(['0.00560733', '0.000452847', '0.593940', '0.605154']);
  });

  it('use factors for width and shift: 1.2 and .5 give .593045 and .606502', () => {
    const { bid, ask } = glftQuotes({ ...example, adjSpread: 1.2, adjSkew: 0.5 });
    expect(digits([bid, ask])).toEqual(['0.593045', '0.606502']);
  });

  it('approach c1 .00557755 and c2 .00226108 for a maker without risk aversion', () => {
    // Both limits, of gamma to 0; the square root of gamma is taken out of c2 and put back.
    const less = 1e-9;
    const c2 = glftRiskFactor({ ...example, gamma: example.gamma * less }) / Math.sqrt(less);
    expect(digits([fillMargin(less, kappa), c2])).toEqual(['0.00557755', '0.00226108']);
  });

  it('shift by -.0220571 where hardly anybody trades: short 2,000 at .98 there is no ask', () => {
    const { shift, ask } = glftQuotes({ ...example, mid: 0.98, net: -2_000, intensity: 0.001 });
    expect(shift.toPrecision(6)).toBe('-0.0220571');
    expect(ask).toBeGreaterThan(1);
  });

  it('are never wider than the largest half-spread', () => {
    const { half, shift } = glftQuotes({ ...example, net: 0, intensity: 1e-9, maxHalf: 0.1 });
    expect([half, shift]).toEqual([0.1, 0]);
    expect(glftQuotes({ ...example, net: 0, intensity: 1e-9 }).half).toBeGreaterThan(0.1);
  });

  it('limit the shift after its factor', () => {
    const { shift } = glftQuotes({ ...example, sigma: 10, adjSkew: 0.9 });
    expect(shift).toBeCloseTo(0.01 * 500 * 0.24, 12);
  });
});

describe('the fill rate', () => {
  it('has kappa 138.63 and A 0.4 when 50 bps are reached 0.20 times a second and 150 bps 0.05 times', () => {
    const fit = fitFillRate([
      { distance: 0.005, perSecond: 0.2 },
      { distance: 0.015, perSecond: 0.05 },
    ]);
    expect(fit?.kappa).toBeCloseTo(138.63, 2);
    expect(fit?.intensity).toBeCloseTo(0.4, 12);
  });

  it('equals the parameters of an exponential it is fitted to', () => {
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
      'only one distance that was ever reached',
      [
        { distance: 0.005, perSecond: 0.1 },
        { distance: 0.01, perSecond: 0 },
      ],
    ],
  ])('has no fit with %s', (_what, points) => {
    expect(fitFillRate(points)).toBeUndefined();
  });
});
