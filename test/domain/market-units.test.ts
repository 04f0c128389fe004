import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cents, dollars, shares, toCents, toDollars, toShares } from '../../src/domain/index.ts';

describe('shares()', () => {
  it('rounds down to the lot of 0.01 share', () => {
    expect([shares(10), shares(0.5), shares(0), shares(1.239), shares(0.009)]).toEqual([10e6, 5e5, 0, 1_230_000, 0]);
  });

  it('is exact for every number with two decimals', () => {
    const lots = fc.integer({ min: 0, max: 100_000_000_000 });
    fc.assert(fc.property(lots, (count) => shares(count / 100) === count * 10_000));
    expect([shares(1.15), shares(0.29), shares(0.1 + 0.2)]).toEqual([1_150_000, 290_000, 300_000]);
  });

  it.each([-1, -0.01, Number.NaN, Number.POSITIVE_INFINITY, 1e9 + 0.01])('refuses %d', (count) => {
    expect(() => shares(count)).toThrow(`shares: expected a number of shares from 0 to 1000000000, got ${count}`);
  });

  it('converts back to the same number of shares', () => {
    expect([toShares(shares(12.34)), toShares(-3_000_000)]).toEqual([12.34, -3]);
  });
});

describe('cents()', () => {
  it('is exact for every price from 0.01 to 99.99 cents', () => {
    expect([cents(55), cents(55.5), cents(0.01), cents(99.99)]).toEqual([5_500, 5_550, 1, 9_999]);
    for (let bps = 1; bps < 10_000; bps += 1) expect(cents(bps / 100)).toBe(bps);
    expect([toCents(cents(55.5)), toCents(-120.5)]).toEqual([55.5, -1.205]);
  });

  it.each([0, 100, -5, 55.555, 0.001, Number.NaN])('refuses %d instead of rounding', (count) => {
    const text = `cents: expected a price from 0.01 to 99.99 cents, a multiple of 0.01, got ${count}`;
    expect(() => cents(count)).toThrow(text);
  });
});

describe('dollars()', () => {
  it('rounds down to the micro-dollar, also below zero', () => {
    expect([dollars(25), dollars(0.1 + 0.2), dollars(-0.5)]).toEqual([25_000_000, 300_000, -500_000]);
    expect([dollars(0.0000019), dollars(-0.0000011)]).toEqual([1, -2]);
    expect([toDollars(dollars(25.5)), toDollars(dollars(-1))]).toEqual([25.5, -1]);
  });

  it.each([Number.NaN, 1e10, Number.NEGATIVE_INFINITY])('refuses %d', (count) => {
    expect(() => dollars(count)).toThrow(`dollars: expected an amount below nine billion dollars, got ${count}`);
  });
});
