import fc from 'fast-check';
import { halfSpread, logistic, logit, reservationPrice } from 'halfspread';
import { describe, expect, it } from 'vitest';
import { agedSd, blended, disagreement, kellyShares, signalWeight } from '../../../strategies/signal/blend.ts';

const BOOK = { mid: 0.6, midSd: 0.1, signal: 0.66, signalSd: 0.25 };

describe('the blend of book and signal', () => {
  it('has the worked numbers without correlation', () => {
    const estimates = { ...BOOK, correlation: 0 };
    expect(signalWeight(estimates)).toBeCloseTo(0.137_931, 6);
    expect(logit(blended(estimates))).toBeCloseTo(0.441_028, 6);
    expect(blended(estimates)).toBeCloseTo(0.608_504, 6);
    expect(disagreement(BOOK)).toBeCloseTo(0.957_553, 6);
  });

  it('has the worked numbers with correlation and with a signal that is 30 s old', () => {
    expect(signalWeight({ ...BOOK, correlation: 0.3 })).toBeCloseTo(0.043_478_3, 7);
    expect(blended({ ...BOOK, correlation: 0.3 })).toBeCloseTo(0.602_687, 6);
    expect(agedSd(0.25, 1 / 600, 30)).toBeCloseTo(0.250_167, 6);
  });

  it('is between mid and signal, nearer to the one with less variance', () => {
    const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    const sd = fc.double({ min: 0.01, max: 3, noNaN: true });
    fc.assert(
      fc.property(probability, probability, sd, sd, (mid, signal, midSd, signalSd) => {
        const blend = logit(blended({ mid, midSd, signal, signalSd, correlation: 0 }));
        const [low, high] = [Math.min(logit(mid), logit(signal)), Math.max(logit(mid), logit(signal))];
        expect(blend).toBeGreaterThanOrEqual(low - 1e-9);
        expect(blend).toBeLessThanOrEqual(high + 1e-9);
        const isNearerToMid = Math.abs(blend - logit(mid)) <= Math.abs(blend - logit(signal)) + 1e-9;
        if (midSd <= signalSd) expect(isNearerToMid).toBe(true);
      }),
    );
  });
});

describe('the Kelly position', () => {
  const p = blended({ ...BOOK, correlation: 0 });
  const bet = { probability: p, bankroll: 1_000, fraction: 0.25 };

  it('has the worked numbers', () => {
    expect(kellyShares({ ...bet, price: 0.605 })).toBeCloseTo(3.665_54, 4);
    expect(kellyShares({ ...bet, price: 0.6 })).toBeCloseTo(8.858_22, 4);
    expect(250 * (logit(p) - logit(0.6))).toBeCloseTo(8.890_66, 4);
  });

  it('is NO at a price above the probability and zero at the probability', () => {
    expect(kellyShares({ ...bet, price: 0.65 })).toBeLessThan(0);
    expect(kellyShares({ ...bet, price: p })).toBe(0);
  });
});

it('quotes as in the worked numbers', () => {
  const mid = logistic(0.441_028);
  const centre = reservationPrice({ mid, net: 20, gamma: 0.004, variance: 0.000_576 });
  const half = halfSpread({ gamma: 0.004, kappa: 50, orderAmount: 100, variance: 0.000_576 });
  expect([centre, half]).toEqual([expect.closeTo(0.608_458, 6), expect.closeTo(0.020_035_6, 7)]);
  expect([centre - half, centre + half]).toEqual([expect.closeTo(0.588_422, 6), expect.closeTo(0.628_493, 6)]);
});
