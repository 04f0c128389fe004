import { describe, expect, it } from 'vitest';
import { type FillRate, moveTowards, SmoothedFillRate } from '../../../src/strategy/indicators/fill-rate.ts';

const RULES = { intervalMs: 60_000, maxAgeMs: 300_000, weight: 0.3, kappaMin: 5, kappaMax: 2_000 };
const rate = (kappa: number, intensity = 0.1): FillRate => ({ kappa, intensity });
const noFit = () => undefined;

describe('the smoothed fill rate', () => {
  it('equals the worked example of damping: kappa 60 and A .1 become 83.3245 and .112544', () => {
    const example = moveTowards(rate(60), rate(179.29, 0.148277), 0.3);
    expect(example.kappa.toPrecision(6)).toBe('83.3245');
    expect(example.intensity.toPrecision(6)).toBe('0.112544');
  });

  it('adopts the first fit completely and damps those that follow', () => {
    const inUse = new SmoothedFillRate(RULES);
    expect(inUse.at(0, () => rate(60))).toEqual(rate(60));
    const second = inUse.at(60_000, () => rate(179.29, 0.148277));
    expect(second).toEqual(moveTowards(rate(60), rate(179.29, 0.148277), 0.3));
    expect(inUse.at(120_000, () => rate(100))).toEqual(moveTowards(second ?? rate(1), rate(100), 0.3));
  });

  it('is fitted once per interval, also before the first fit', () => {
    const inUse = new SmoothedFillRate(RULES);
    let fits = 0;
    const counted = (result: FillRate | undefined) => () => {
      fits += 1;
      return result;
    };
    expect(inUse.at(1_000, counted(undefined))).toBeUndefined();
    expect(inUse.at(60_999, counted(rate(60)))).toBeUndefined();
    expect(inUse.at(61_000, counted(rate(60)))).toEqual(rate(60));
    expect(inUse.at(120_999, counted(rate(70)))).toEqual(rate(60));
    expect(fits).toBe(2);
  });

  it('stays the last fit without a new one or with a kappa out of bounds', () => {
    const inUse = new SmoothedFillRate(RULES);
    expect(inUse.at(0, () => rate(4.99))).toBeUndefined();
    expect(inUse.at(60_000, () => rate(5))).toEqual(rate(5));
    for (const [minute, next] of [undefined, rate(4.99), rate(2_000.01)].entries())
      expect(inUse.at((minute + 2) * 60_000, () => next)).toEqual(rate(5));
    expect(inUse.at(300_000, () => rate(2_000))?.kappa).toBeCloseTo(5 * 400 ** 0.3, 9);
  });

  it('expires with the last fit, and adopts the next one completely', () => {
    const inUse = new SmoothedFillRate(RULES);
    inUse.at(0, () => rate(60));
    expect(inUse.at(300_000, noFit)).toEqual(rate(60));
    expect(inUse.at(300_001, noFit)).toBeUndefined();
    const previousRates: (FillRate | undefined)[] = [];
    const next = inUse.at(360_001, (previous) => {
      previousRates.push(previous);
      return rate(200);
    });
    expect(next).toEqual(rate(200));
    expect(previousRates).toEqual([undefined]);
  });
});
