import { describe, expect, it } from 'vitest';
import { estimateRate, fitFillRate } from '../../../src/strategy/indicators/fill-rate.ts';
import { fillMargin } from '../../../src/strategy/maker-formulas.ts';
import { glftQuotes, glftRiskFactor } from '../../../strategies/glft/glft.ts';

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
    [360, 252, 126, 32].map((reached, index) => ({
      distance: ([20, 40, 80, 160][index] ?? 0) / 10_000,
      perSecond: estimateRate(reached, 1_800, 1) ?? 0,
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
    // The limits as gamma approaches 0: c2 is proportional to the square root of gamma.
    const small = 1e-9;
    const c2 = glftRiskFactor({ ...example, gamma: example.gamma * small }) / Math.sqrt(small);
    expect(digits([fillMargin(small, kappa), c2])).toEqual(['0.00557755', '0.00226108']);
  });

  it('shift by -.0220571 when few takers trade, so that a short position of 2,000 at .98 has no ask', () => {
    const { shift, ask } = glftQuotes({ ...example, mid: 0.98, net: -2_000, intensity: 0.001 });
    expect(shift.toPrecision(6)).toBe('-0.0220571');
    expect(ask).toBeGreaterThan(1);
  });

  it('are never wider than the largest half-spread', () => {
    const { half, shift } = glftQuotes({ ...example, net: 0, intensity: 1e-9, maxHalf: 0.1 });
    expect([half, shift]).toEqual([0.1, 0]);
    expect(glftQuotes({ ...example, net: 0, intensity: 1e-9 }).half).toBeGreaterThan(0.1);
  });

  it('limit the shift after applying its factor', () => {
    const { shift } = glftQuotes({ ...example, sigma: 10, adjSkew: 0.9 });
    expect(shift).toBeCloseTo(0.01 * 500 * 0.24, 12);
  });
});
