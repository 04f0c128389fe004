import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ema, TimeEma } from '../../../src/strategy/index.ts';

describe('the exponential moving average of samples', () => {
  it('is 4, 6, 9 for 4, 8, 12 over 3 periods, because each new value weighs one half', () => {
    const ema = new Ema({ periods: 3 });
    expect(ema.value).toBeUndefined();
    expect([4, 8, 12].map((value) => ema.update(value))).toEqual([4, 6, 9]);
    expect(ema.value).toBe(9);
  });

  it('equals the weighted sum of all samples', () => {
    const samples = fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 30 }), ([first = 0, ...rest], periods) => {
        const ema = new Ema({ periods });
        for (const value of [first, ...rest]) ema.update(value);
        const weight = 2 / (periods + 1);
        const weightAfter = (age: number): number =>
          Array<number>(age)
            .fill(1 - weight)
            .reduce((product, factor) => product * factor, 1);
        const sum = rest.reduce(
          (total, value, index) => total + value * weight * weightAfter(rest.length - 1 - index),
          first * weightAfter(rest.length),
        );
        expect(ema.value).toBeCloseTo(sum, 6);
      }),
    );
  });

  it.each([0, 1.5, Number.NaN, -3])('refuses %s periods', (periods) => {
    expect(() => new Ema({ periods })).toThrow(/periods.*a whole number, at least 1/);
  });
});

describe('the exponential moving average over time', () => {
  it('is half-way after one half-life and three quarters of the way after two', () => {
    const ema = new TimeEma({ halfLifeMs: 1_000 });
    expect(ema.at(0)).toBeUndefined();
    ema.observe(0, 5_000);
    ema.observe(60_000, 6_000);
    expect(ema.at(60_000)).toBe(5_000);
    expect(ema.at(61_000)).toBeCloseTo(5_500, 9);
    expect(ema.at(62_000)).toBeCloseTo(5_750, 9);
  });

  it('does not depend on how often an unchanged value is observed', () => {
    const moves = fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 9_999 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(moves, (steps) => {
        const once = new TimeEma({ halfLifeMs: 700 });
        const often = new TimeEma({ halfLifeMs: 700 });
        let time = 0;
        for (const [wait, value] of steps) {
          once.observe(time, value);
          often.observe(time, value);
          often.observe(time + Math.floor(wait / 2), value);
          time += wait;
        }
        expect(often.at(time)).toBeCloseTo(once.at(time) ?? Number.NaN, 6);
      }),
    );
  });

  it('equals the integral of the value weighted by its age', () => {
    const ema = new TimeEma({ halfLifeMs: 2_000 });
    const path = [
      [0, 4_000],
      [500, 4_600],
      [1_700, 4_100],
      [4_000, 5_000],
    ] as const;
    for (const [time, value] of path) ema.observe(time, value);
    const now = 5_000;
    const rate = Math.LN2 / 2_000;
    let sum = 4_000 * Math.exp(-rate * now);
    for (const [index, [start, value]] of path.entries()) {
      const end = path[index + 1]?.[0] ?? now;
      sum += value * (Math.exp(-rate * (now - end)) - Math.exp(-rate * (now - start)));
    }
    expect(ema.at(now)).toBeCloseTo(sum, 6);
  });
});
