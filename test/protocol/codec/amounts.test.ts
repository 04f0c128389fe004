/** Conversion and rounding of money, sizes and prices in the API. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costAt,
  LOT,
  MAX_ORDER_SHARES,
  microShares,
  microUsd,
  payoutBps,
  unchecked,
  ZERO_SHARES,
  ZERO_USD,
} from '../../../src/domain/index.ts';
import {
  averagePrice,
  CENT,
  centsDown,
  centsUp,
  parseMicroShares,
  readCents,
  readShares,
  sharesFloat,
} from '../../../src/protocol/index.ts';

const amounts = fc.maxSafeNat().map(microUsd);
const lots = fc.integer({ min: 0, max: MAX_ORDER_SHARES / LOT });

describe('cents', () => {
  it('are rounded down by centsDown and up by centsUp', () => {
    expect([0, 1, 9_999, 10_000, 10_001].map((micros) => centsDown(microUsd(micros)))).toEqual([0, 0, 0, 1, 1]);
    expect([0, 1, 9_999, 10_000, 10_001].map((micros) => centsUp(microUsd(micros)))).toEqual([0, 1, 1, 1, 2]);
  });

  it('are rounded to the adjacent integer, even where float arithmetic would be wrong', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const exact = BigInt(amount);
        const down = BigInt(centsDown(amount));
        const up = BigInt(centsUp(amount));
        expect(down * 10_000n <= exact && exact < (down + 1n) * 10_000n).toBe(true);
        expect(up * 10_000n >= exact && exact > (up - 1n) * 10_000n).toBe(true);
      }),
    );
  });

  it('throw for negative and inexact amounts', () => {
    for (const amount of [-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1]) {
      expect(() => centsDown(unchecked.usd(amount))).toThrow(/^Invariant: /);
      expect(() => centsUp(unchecked.usd(amount))).toThrow(/^Invariant: /);
    }
  });

  it('are read exactly from arguments and written as the same number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Math.floor(Number.MAX_SAFE_INTEGER / CENT) }), (cents) => {
        const amount = readCents('amountCents', cents);
        expect(amount).toBe(cents * CENT);
        expect([centsDown(amount), centsUp(amount)]).toEqual([cents, cents]);
      }),
    );
  });

  it('are refused as an argument when they are negative or too large', () => {
    for (const cents of [-1, 900_719_925_475, 1.5]) {
      expect(() => readCents('amountCents', cents)).toThrow(/^invalid argument: amountCents: expected whole cents/);
    }
    expect(readCents('amountCents', 900_719_925_474)).toBe(9_007_199_254_740_000);
  });
});

describe('shares', () => {
  it('are read back exactly up to the largest order', () => {
    fc.assert(
      fc.property(lots, (count) => {
        const shares = microShares(count * LOT);
        expect(parseMicroShares('shares', sharesFloat(shares))).toBe(shares);
        expect(readShares('shares', sharesFloat(shares))).toBe(shares);
      }),
    );
  });

  it('can be fractional', () => {
    expect(sharesFloat(microShares(1_230_000))).toBe(1.23);
    expect(readShares('shares', 0.07)).toBe(70_000);
  });

  it.each([-0.01, 0.005, 1.234, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'are refused when they are %d',
    (shares) => {
      expect(() => readShares('shares', shares)).toThrow(
        /^invalid argument: shares: expected a number of shares in whole lots/,
      );
    },
  );

  it('are refused above the largest order in arguments, but not in answers', () => {
    expect(() => readShares('shares', 1_000_000_000.01)).toThrow(
      'invalid argument: shares: expected at most 1000000000 shares, got 1000000000.01',
    );
    expect(parseMicroShares('shares', 2_000_000_000)).toBe(2 * MAX_ORDER_SHARES);
  });
});

describe('averagePrice', () => {
  it('is the trade price when all shares traded at one price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 * 10 ** 8 }), fc.integer({ min: 0, max: 10_000 }), (count, bps) => {
        const shares = microShares(count * LOT);
        expect(averagePrice(costAt(shares, payoutBps(bps)), shares)).toBe(bps);
      }),
    );
  });

  it('is rounded to the nearest basis point, halves up', () => {
    const three = microShares(3 * LOT);
    const two = microShares(2 * LOT);
    expect(averagePrice(microUsd(10), three)).toBe(3);
    expect(averagePrice(microUsd(11), three)).toBe(4);
    expect(averagePrice(microUsd(5), two)).toBe(3);
  });

  it('differs from the exact average by at most half a basis point at any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 * 10 ** 11 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (count, part) => {
          const amount = Math.floor(part * count * 10_000);
          const price = averagePrice(microUsd(amount), microShares(count * LOT));
          const twice = 2n * (BigInt(price ?? -1) * BigInt(count) - BigInt(amount));
          expect(twice <= BigInt(count) && twice > -BigInt(count)).toBe(true);
        },
      ),
    );
  });

  it('is null for zero shares', () => {
    expect(averagePrice(ZERO_USD, ZERO_SHARES)).toBeNull();
  });
});
