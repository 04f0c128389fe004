import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fillMargin,
  gammaFromShift,
  halfSpread,
  reservationPrice,
  varianceLeft,
} from '../../../src/strategy/maker-formulas.ts';

/** The form of the paper in USD, which can leave (0, 1) with a long horizon or a large position. */
function linearReservationPrice({ mid, net, gamma, variance }: Parameters<typeof reservationPrice>[0]): number {
  return mid - gamma * net * variance;
}

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
    // CARA: at this price, a very small purchase of YES does not change expected utility.
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

  it('is undefined without variance', () => {
    expect(gammaFromShift(0.02, 1_000, 0)).toBeUndefined();
  });
});
