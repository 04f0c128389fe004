import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commission,
  costAt,
  KalshiRounding,
  kalshiTradeFee,
  microShares,
  microUsd,
  polymarketFee,
  priceBps,
  refunds,
  takerFee,
} from '../../src/domain/index.ts';
import { vectors } from '../spec-vectors.ts';

const anyRate = fc.integer({ min: 0, max: 1000 });
const anyLots = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 100_000_000_000 }));
const anyPrice = fc.integer({ min: 1, max: 9999 });

function fee(rate: number, lots: number, price: number): number {
  return takerFee(rate, microShares(lots * 10_000), priceBps(price));
}

describe('takerFee', () => {
  it('is 480,000 for 100 shares at 6000 and 200 bps, and 2,038 for 1.23 at 6150 and 70 (docs/spec/models.md#fees-commission-rewards)', () => {
    expect(fee(200, 10_000, 6000)).toBe(480_000);
    expect(fee(70, 123, 6150)).toBe(2_038);
  });

  it.each(vectors.costs)('equals the worked fee and reserve of $microShares at $priceBps and $feeRateBps', (vector) => {
    const shares = microShares(Number(vector.microShares));
    const paid = takerFee(vector.feeRateBps, shares, priceBps(vector.priceBps));
    expect(paid).toBe(Number(vector.feeMicros));
    expect(costAt(shares, priceBps(vector.priceBps)) + paid).toBe(Number(vector.reserveMicros));
  });

  it('is the exact floor for any size of the product', () => {
    fc.assert(
      fc.property(anyRate, anyLots, anyPrice, (rate, lots, price) => {
        const product = BigInt(rate) * BigInt(lots) * BigInt(price) * BigInt(10_000 - price);
        expect(fee(rate, lots, price)).toBe(Number(product / 100_000_000n));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the exact floor where a double would be one too high', () => {
    expect(Math.floor((999 * 482 * 9518 * 99_999_999_320) / 1e8)).toBe(4_583_088_292_835);
    expect(fee(999, 99_999_999_320, 482)).toBe(4_583_088_292_834);
  });

  it('never exceeds the reserve through better prices or many small fills', () => {
    fc.assert(
      fc.property(
        anyRate,
        anyPrice,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.nat())),
        (rate, limit, fills) => {
          const total = fills.reduce((sum, [lots]) => sum + lots, 0);
          const paid = fills.reduce((sum, [lots, better]) => {
            const price = 1 + (better % limit);
            return sum + lots * price + fee(rate, lots, price);
          }, 0);
          expect(paid).toBeLessThanOrEqual(total * limit + fee(rate, total, limit));
        },
      ),
    );
  });
});

describe('commission', () => {
  it('is 885,600 at 5 % of 17.712000 (docs/spec/models.md#fees-commission-rewards)', () => {
    expect(commission(500, microUsd(17_712_000))).toBe(885_600);
  });

  it('rounds up, and is zero for a loss', () => {
    expect([commission(500, microUsd(1)), commission(500, microUsd(0)), commission(500, microUsd(-5_000_000))]).toEqual(
      [1, 0, 0],
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.maxSafeNat(), (rate, won) => {
        const product = BigInt(rate) * BigInt(won);
        expect(commission(rate, microUsd(won))).toBe(Number((product + 9_999n) / 10_000n));
      }),
    );
  });
});

describe('refunds', () => {
  it.each(vectors.refunds)('reproduce the worked value of the specification: $name', (vector) => {
    const paid = vector.netPaidMicros.map((text) => microUsd(Number(text)));
    expect(refunds(microUsd(Number(vector.collateralMicros)), paid)).toEqual(vector.refundMicros.map(Number));
  });

  it('sum to the collateral, are zero for accounts with net proceeds, and never exceed the payments', () => {
    const amounts = fc.array(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(amounts, (amountsPaid) => {
        const sum = amountsPaid.reduce((total, paid) => total + paid, 0);
        const paid = sum < 0 ? [...amountsPaid, -sum] : amountsPaid;
        const collateral = Math.max(sum, 0);
        const given = refunds(microUsd(collateral), paid.map(microUsd));
        expect(given.reduce((total, amount) => total + amount, 0)).toBe(collateral);
        for (const [account, amount] of given.entries()) {
          expect(amount).toBeGreaterThanOrEqual(0);
          expect(amount).toBeLessThanOrEqual(Math.max(0, paid[account] ?? 0));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('throw when the payments do not match the collateral', () => {
    expect(() => refunds(microUsd(5), [microUsd(4)])).toThrow(
      'Invariant: accounts paid 4 micro-USD into a market that holds 5',
    );
  });
});

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
    const fills = [1, 2, 3].map(() => rounding.nextFee(microUsd(-55_000), microUsd(8_500)));
    expect(fills).toEqual([15_000, 5_000, 15_000]);
  });

  it('also round the proceeds of a sale down', () => {
    // 55,000 - 3,700 = 51,300, of which 50,000 are paid.
    expect(new KalshiRounding(10_000).nextFee(microUsd(55_000), microUsd(3_700))).toBe(5_000);
    expect(new KalshiRounding(100).nextFee(microUsd(55_000), microUsd(3_700))).toBe(3_700);
  });
});
