import { describe, expect, it } from 'vitest';
import { EquityCurve, sharpeRatio } from '../../src/analytics/equity-curve.ts';
import { FillSample } from '../../src/analytics/market-detail.ts';
import { InventoryHalfLife, TimeIntegral } from '../../src/analytics/time-statistics.ts';
import { seededRandom } from '../../src/clock/index.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Lag-1 autocorrelation written out, and the half-life of docs/spec/models.md#report-numbers. */
function naiveHalfLife(samples: readonly number[]): number {
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  let products = 0;
  let squares = 0;
  samples.forEach((value, index) => {
    squares += (value - mean) * (value - mean);
    const before = samples[index - 1];
    if (before !== undefined) products += (value - mean) * (before - mean);
  });
  return (-MINUTE * Math.LN2) / Math.log(products / squares);
}

describe('InventoryHalfLife', () => {
  it('is 394.7 s for an autocorrelation of .9 at 60 s (docs/spec/models.md#report-numbers)', () => {
    // Fifteen minutes long and fifteen short: 28 equal neighbours less one change of 30 samples give rho .9.
    const halfLife = new InventoryHalfLife();
    halfLife.setPosition(0, 80);
    halfLife.setPosition(15 * MINUTE, -80);
    expect((halfLife.halfLifeMs(30 * MINUTE - 1) ?? 0) / 1_000).toBeCloseTo(394.7, 1);
  });

  it('equals the formula for any times between changes', () => {
    const random = seededRandom(5);
    const halfLife = new InventoryHalfLife();
    const samples: number[] = [];
    let held = 0;
    let next = 0;
    for (let change = 0; change < 300; change += 1) {
      const stay = 1 + random.int(change % 40 === 0 ? 50 : 3);
      held = Math.round(0.8 * held + 40 * random.normal());
      halfLife.setPosition(next, held);
      for (let minute = 0; minute < stay; minute += 1) samples.push(held);
      next += stay * MINUTE;
    }
    expect(halfLife.halfLifeMs(next - 1)).toBeCloseTo(naiveHalfLife(samples), 3);
  });

  it('is undefined without a fill, for a constant position and for an alternating one', () => {
    expect(new InventoryHalfLife().halfLifeMs(DAY)).toBeUndefined();
    const constant = new InventoryHalfLife();
    constant.setPosition(0, 50);
    expect(constant.halfLifeMs(DAY)).toBeUndefined();
    const alternating = new InventoryHalfLife();
    for (let minute = 0; minute < 100; minute += 1)
      alternating.setPosition(minute * MINUTE, minute % 2 === 0 ? 50 : -50);
    expect(alternating.halfLifeMs(100 * MINUTE)).toBeUndefined();
  });
});

describe('TimeIntegral', () => {
  it('gives 2.0 % a dollar-day for $1.76 on $96 for half a day and $40 for a day (docs/spec/models.md#report-numbers)', () => {
    const capital = new TimeIntegral();
    capital.set(0, 96);
    capital.set(DAY / 2, 40);
    capital.set(1.5 * DAY, 0);
    const dollarDays = capital.integral(3 * DAY) / DAY;
    expect(dollarDays).toBe(88);
    expect(1.76 / dollarDays).toBeCloseTo(0.02, 12);
    expect(capital.max).toBe(96);
    expect(capital.mean(3 * DAY)).toBeCloseTo(88 / 3, 12);
  });

  it('ignores a time before the last one', () => {
    const integral = new TimeIntegral();
    integral.set(100, 1);
    integral.set(50, 2);
    expect(integral.integral(200)).toBe(200);
  });
});

describe('EquityCurve', () => {
  it('draws equity, and peak less equity, at each change', () => {
    const curve = new EquityCurve(0, 1_000);
    for (const [time, equity] of [
      [1, 1_300],
      [2, 900],
      [3, 1_100],
      [4, 1_400],
      [5, 1_150],
    ] as const) {
      curve.set(time, equity);
    }
    curve.finish(9);
    expect(curve.lines().equity.value).toEqual([1_000, 1_300, 900, 1_100, 1_400, 1_150, 1_150]);
    expect(curve.lines().drawdown.value).toEqual([0, 0, 400, 200, 0, 250, 250]);
  });

  it('splits P&L by UTC day, including idle days', () => {
    const curve = new EquityCurve(DAY / 2, 100);
    curve.set(0.9 * DAY, 130);
    curve.set(1.1 * DAY, 120);
    curve.set(4 * DAY, 150);
    expect(curve.finish(6.5 * DAY)).toEqual([30, -10, 0, 0, 30, 0, 0]);
  });

  it('adds no day for a run that ends at midnight, unless the equity changes then', () => {
    const idle = new EquityCurve(0, 100);
    idle.set(0.5 * DAY, 130);
    expect(idle.finish(3 * DAY)).toEqual([30, 0, 0]);
    const changed = new EquityCurve(0, 100);
    changed.set(DAY, 130);
    expect(changed.finish(DAY)).toEqual([0, 30]);
  });
});

describe('sharpeRatio', () => {
  it('is undefined below 30 returns and without variance', () => {
    expect(sharpeRatio(Array.from({ length: 29 }, (_, index) => index))).toBeUndefined();
    expect(sharpeRatio(Array.from({ length: 40 }, () => 1))).toBeUndefined();
  });

  it('is mean over standard deviation', () => {
    const returns = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 3 : -1));
    expect(sharpeRatio(returns)).toBeCloseTo(1 / Math.sqrt((30 * 4) / 29), 12);
  });
});

describe('FillSample', () => {
  const fill = (time: number) =>
    ({ time, sign: 1, price: 5_000, shares: 1, liquidity: 'maker', basis: 'queue', inside: false }) as const;

  it('contains all fills up to its limit, and every k-th fill beyond it', () => {
    const sample = new FillSample(2_000);
    for (let time = 0; time < 2_000; time += 1) sample.add(fill(time));
    expect([sample.storedEvery, sample.fills.length]).toEqual([1, 2_000]);
    for (let time = 2_000; time < 20_000; time += 1) sample.add(fill(time));
    expect(sample.storedEvery).toBe(16);
    expect(sample.fills.map(({ time }) => time)).toEqual(Array.from({ length: 1_250 }, (_, index) => index * 16));
  });
});
