import { describe, expect, it } from 'vitest';
import {
  KalshiRounding,
  kalshiTradeFee,
  microShares,
  microUsd,
  polymarketFee,
  priceBps,
} from '../../src/domain/index.ts';

const shares = (count: number) => microShares(Math.round(count * 1_000_000));

describe("Polymarket's taker fee (docs/spec/models.md#fee-schedules)", () => {
  it.each([
    ['100 shares of a sports market at 60 cents', 500, 100, 6_000, 1_200_000],
    ['the same for a NO share at 40 cents', 500, 100, 4_000, 1_200_000],
    ['4.95 micro-USD are nothing', 500, 0.01, 100, 0],
    ['1,046.2 round up to 1,050', 700, 0.06, 5_300, 1_050],
    ['1,051.995 round down to 1,050', 500, 0.1, 3_010, 1_050],
    ['half a step rounds up: 25 becomes 30', 100, 0.01, 5_000, 30],
    ['less than $0.00001 is nothing', 100, 0.01, 900, 0],
    ['a market without fees', 0, 100, 6_000, 0],
    ['an order of 10 million shares', 1_000, 10_000_000, 5_000, 250_000_000_000],
  ])('is exact: %s', (_name, rate, count, price, micros) => {
    expect(polymarketFee(rate, shares(count), priceBps(price))).toBe(micros);
  });
});

describe("Polymarket's taker fee with another exponent", () => {
  it.each([
    ['exponent 2 at 50 cents: 100 * 0.05 * 0.25^2', 2, 5_000, 312_500],
    ['exponent 2 at 1 cent is rounded to $0.00049', 2, 100, 490],
    ['exponent 0 is the rate alone', 0, 100, 5_000_000],
  ])('is exact: %s', (_name, exponent, price, micros) => {
    expect(polymarketFee(500, shares(100), priceBps(price), exponent)).toBe(micros);
  });
});

describe("Kalshi's fees (docs/spec/models.md#fee-schedules)", () => {
  it.each([
    ['100 contracts at 50 cents for a taker', 700, 100, 5_000, 1_750_000],
    ['the same for a maker who pays a quarter', 175, 100, 5_000, 437_500],
    ['1 contract at 5.5 cents: 3,638.25 rounds up to $0.0037', 700, 1, 550, 3_700],
    ['the smallest fee is $0.0001', 700, 0.01, 100, 100],
  ])('round the trade fee up: %s', (_name, rate, count, price, micros) => {
    expect(kalshiTradeFee(rate, shares(count), priceBps(price))).toBe(micros);
  });

  it('round the balance down, and return a cent when the rounding of an order exceeds a cent', () => {
    const rounding = new KalshiRounding(10_000);
    const fills = [1, 2, 3].map(() => rounding.feeOf(microUsd(-55_000), microUsd(8_500)));
    expect(fills).toEqual([15_000, 5_000, 15_000]);
  });

  it('also round the proceeds of a sale down', () => {
    // 55,000 - 3,700 = 51,300, of which 50,000 are paid.
    expect(new KalshiRounding(10_000).feeOf(microUsd(55_000), microUsd(3_700))).toBe(5_000);
    expect(new KalshiRounding(100).feeOf(microUsd(55_000), microUsd(3_700))).toBe(3_700);
  });
});
