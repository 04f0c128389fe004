import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commission, costAt, microShares, microUsd, priceBps, refunds, takerFee } from '../../src/domain/index.ts';
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
