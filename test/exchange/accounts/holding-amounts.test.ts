import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOT } from '../../../src/domain/index.ts';
import { removedCost } from '../../../src/exchange/accounts/holding-amounts.ts';

describe('the cost of shares that leave a position', () => {
  it('is rounded down, and the last shares take the whole remaining cost (docs/spec/models.md#cost-basis)', () => {
    expect(removedCost(1_000_000, 1_000_000, 3_000_000)).toBe(333_333);
    expect(removedCost(666_667, 2_000_000, 2_000_000)).toBe(666_667);
    expect(removedCost(0, LOT, 2 * LOT)).toBe(0);
  });

  it('is exact for the largest positions, whose products exceed 2^53', () => {
    const lots = fc.oneof(fc.integer({ min: 1, max: 300_000_000_000 }), fc.integer({ min: 1, max: 100 }));
    const costFraction = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 999_000, max: 1_000_000 }));
    let inexactProducts = 0;
    fc.assert(
      fc.property(lots, lots, costFraction, (a, b, millionths) => {
        const [part, held] = a < b ? [a * LOT, b * LOT] : [b * LOT, a * LOT];
        const cost = Math.floor((held / 1_000_000) * millionths);
        if (!Number.isSafeInteger((cost * part) / LOT)) inexactProducts++;
        expect(BigInt(removedCost(cost, part, held))).toBe((BigInt(cost) * BigInt(part)) / BigInt(held));
      }),
      { numRuns: 2000 },
    );
    expect(inexactProducts).toBeGreaterThan(100);
  });
});
