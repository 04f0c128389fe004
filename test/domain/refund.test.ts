import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microUsd, refunds } from '../../src/domain/index.ts';
import { vectors } from '../spec-vectors.ts';

describe('refunds', () => {
  it.each(vectors.refunds)('reproduce the worked value of the specification: $name', (vector) => {
    const paid = vector.netPaidMicros.map((text) => microUsd(Number(text)));
    expect(refunds(microUsd(Number(vector.collateralMicros)), paid)).toEqual(vector.refundMicros.map(Number));
  });

  it('are the collateral exactly, nothing for who took out, and never more than was paid', () => {
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

  it('crash when the payments are not what the market holds', () => {
    expect(() => refunds(microUsd(5), [microUsd(4)])).toThrow(
      'Invariant: accounts paid 4 micro-USD into a market that holds 5',
    );
  });
});
