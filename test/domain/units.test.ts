import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addShares,
  addUsd,
  ascending,
  complement,
  costAt,
  doubled,
  doubleMid,
  durationMs,
  epochMs,
  LOT,
  lotsOf,
  MAX_ORDER_SHARES,
  type MicroUsd,
  microShares,
  microUsd,
  minShares,
  mulDivCeil,
  mulDivFloor,
  negUsd,
  partialCostFloor,
  payoutAt,
  payoutBps,
  priceBps,
  sharesFloor,
  sharesOfLots,
  subShares,
  subUsd,
  timeAfter,
  toDurationMs,
  unchecked,
  valueAtMid,
} from '../../src/domain/index.ts';
import { vectors } from '../spec-vectors.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;
const MAX_LOTS = Math.floor(LARGEST / LOT);
const anyInteger = fc.maxSafeInteger();
const anyLots = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: MAX_LOTS }));
const anyPrice = fc.integer({ min: 1, max: 9999 });

/** Expects the exact result, or an error when it exceeds 2^53. */
function expectExact(answer: bigint, compute: () => number): void {
  if (answer > BigInt(LARGEST) || answer < -BigInt(LARGEST)) expect(compute).toThrow('Invariant');
  else expect(compute()).toBe(Number(answer));
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n ? quotient - 1n : quotient;
}

describe('constructors of units', () => {
  it('accept values in range, and name others in an error', () => {
    expect([priceBps(1), priceBps(9999), payoutBps(0), payoutBps(10_000)]).toEqual([1, 9999, 0, 10_000]);
    for (const bad of [0, 10_000, -1, 52.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => priceBps(bad)).toThrow(
        `price: expected an integer number of basis points from 1 to 9999, got ${bad}`,
      );
    }
    const refusals: [make: (value: number) => number, bad: readonly number[], message: string][] = [
      [payoutBps, [-1, 10_001, 0.5, Number.NaN], 'payout: expected an integer number of basis points from 0 to 10000'],
      [
        microShares,
        [-LOT, 9_999, 1.5, Number.NaN, 2 ** 53],
        'shares: expected a whole number of lots (multiples of 10000 micro-shares), not negative',
      ],
      [microUsd, [0.5, Number.NaN, 2 ** 53], 'money: expected a whole number of micro-USD within 2^53'],
      [epochMs, [0.5, Number.NaN, 2 ** 53], 'time: expected integer milliseconds since 1970'],
      [durationMs, [-1, 0.5, Number.NaN], 'duration: expected whole milliseconds, not negative'],
    ];
    for (const [make, values, message] of refusals) {
      for (const bad of values) expect(() => make(bad)).toThrow(`${message}, got ${bad}`);
    }
    expect([microShares(LOT), microUsd(-5), epochMs(-1), durationMs(0)]).toEqual([LOT, -5, -1, 0]);
  });

  it('of durations are whole milliseconds for any number of seconds or minutes, and at least 1 above 0', () => {
    expect([toDurationMs(0.0001, 1_000), toDurationMs(0.00001, 60_000), toDurationMs(1.0005, 1_000)]).toEqual([
      1, 1, 1_001,
    ]);
    expect([toDurationMs(0, 1_000), toDurationMs(2, 1_000), toDurationMs(0.5, 60_000)]).toEqual([0, 2_000, 30_000]);
  });

  it('never return a negative zero, whose bits would change a hash', () => {
    for (const zero of [microShares(-0), microUsd(-0), epochMs(-0), durationMs(-0), payoutBps(-0), sharesFloor(-0)]) {
      expect(Object.is(zero, 0)).toBe(true);
    }
  });
});

describe('amounts', () => {
  it.each(vectors.costs)('equal the worked cost of $microShares micro-shares at $priceBps', (vector) => {
    const shares = microShares(Number(vector.microShares));
    const price = priceBps(vector.priceBps);
    expect(costAt(shares, price)).toBe(Number(vector.costMicros));
    expect(costAt(shares, complement(price))).toBe(Number(vector.otherSideOfPairMicros));
    expect(costAt(shares, price) + costAt(shares, complement(price))).toBe(payoutAt(shares, payoutBps(10_000)));
  });

  it('are exact or throw, also when price times shares exceeds 2^53', () => {
    expect(microShares(MAX_ORDER_SHARES) * 9999).toBeGreaterThan(LARGEST);
    fc.assert(
      fc.property(
        anyLots,
        anyPrice,
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 2, max: 19_998 }),
        (lots, price, payout, mark) => {
          const shares = microShares(lots * LOT);
          expectExact(BigInt(lots) * BigInt(price), () => costAt(shares, priceBps(price)));
          expectExact(BigInt(lots) * BigInt(payout), () => payoutAt(shares, payoutBps(payout)));
          expectExact((BigInt(lots) * BigInt(mark)) / 2n, () => valueAtMid(shares, unchecked.mid(mark)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('round half a micro-USD of a value at the mid down', () => {
    expect(valueAtMid(microShares(LOT), unchecked.mid(12_001))).toBe(6_000);
    const lots = 600_000_000_001;
    expect(valueAtMid(microShares(lots * LOT), unchecked.mid(19_997))).toBe(Number((BigInt(lots) * 19_997n) / 2n));
  });

  it('add, subtract and negate exactly or throw', () => {
    fc.assert(
      fc.property(anyInteger, anyInteger, (a, b) => {
        expectExact(BigInt(a) + BigInt(b), () => addUsd(microUsd(a), microUsd(b)));
        expectExact(BigInt(a) - BigInt(b), () => subUsd(microUsd(a), microUsd(b)));
      }),
    );
    expect(Object.is(negUsd(microUsd(0)), 0)).toBe(true);
    expect(negUsd(microUsd(7))).toBe(-7);
    expect(Object.is(subUsd(microUsd(0), microUsd(0)), 0)).toBe(true);
  });

  it('never let a size become negative or inexact', () => {
    expect(subShares(microShares(3 * LOT), microShares(LOT))).toBe(2 * LOT);
    expect(subShares(microShares(LOT), microShares(LOT))).toBe(0);
    expect(() => subShares(microShares(LOT), microShares(2 * LOT))).toThrow(
      'Invariant: cannot subtract 20000 micro-shares from',
    );
    const huge = microShares(MAX_LOTS * LOT);
    expect(() => addShares(huge, huge)).toThrow('Invariant');
    expect(addShares(huge, microShares(0))).toBe(huge);
    expect(minShares(microShares(LOT), huge)).toBe(LOT);
    expect(minShares(huge, microShares(LOT))).toBe(LOT);
  });
});

describe('lots', () => {
  it('convert to shares and back', () => {
    fc.assert(
      fc.property(anyLots, (lots) => {
        expect(lotsOf(sharesOfLots(lots))).toBe(lots);
      }),
    );
    expect(() => sharesOfLots(MAX_LOTS + 1)).toThrow('shares: expected');
    expect(() => sharesOfLots(0.5)).toThrow('shares: expected');
  });

  it('keep every whole number of lots that a double can represent, up to the largest order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_ORDER_SHARES / LOT }), (lots) => {
        expect(sharesFloor(lots / 100)).toBe(lots * LOT);
      }),
      { numRuns: 5_000 },
    );
    expect([0.29, 123_456.78, 0.7 + 0.1, 9_999_999.99].map(sharesFloor)).toEqual([
      290_000, 123_456_780_000, 800_000, 9_999_999_990_000,
    ]);
  });

  it('are rounded down, clamped to 0 and the largest order, and 0 for NaN', () => {
    expect([1.239, 0.0099, -3, Number.NaN, Number.NEGATIVE_INFINITY].map(sharesFloor)).toEqual([1_230_000, 0, 0, 0, 0]);
    expect([1e9 + 1, 1e300, Number.POSITIVE_INFINITY].map(sharesFloor)).toEqual(Array(3).fill(MAX_ORDER_SHARES));
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom(7, 1e3, 1e7, 1e9, 1e12), (value, divisor) => {
        const shares = Math.min(value / divisor, 1e9);
        const cut = sharesFloor(shares) / 1_000_000;
        expect(cut).toBeLessThanOrEqual(shares * (1 + 1e-11) + 1e-10);
        expect(cut).toBeGreaterThan(shares - 0.010_000_1);
      }),
    );
  });
});

describe('mulDivFloor and mulDivCeil', () => {
  it('equal BigInt arithmetic for any size of the product', () => {
    const factor = fc.oneof(anyInteger, fc.integer({ min: -1000, max: 1000 }));
    const divisor = fc.oneof(
      fc.integer({ min: 1, max: 1000 }),
      fc.maxSafeNat().map((value) => value + 1),
    );
    fc.assert(
      fc.property(factor, factor, divisor, (a, b, c) => {
        const product = BigInt(a) * BigInt(b);
        const down = floorDiv(product, BigInt(c));
        fc.pre(down <= BigInt(LARGEST) && down > -BigInt(LARGEST));
        expect(mulDivFloor(a, b, c)).toBe(Number(down));
        expect(mulDivCeil(a, b, c)).toBe(Number(-floorDiv(-product, BigInt(c))) + 0);
      }),
      { numRuns: 5_000 },
    );
  });

  it('are correct where the double quotient comes closest to an integer', () => {
    const product = 9_007_199_254_740_990;
    expect(mulDivFloor(product, 1, product - 1)).toBe(1);
    expect(mulDivFloor(product, 1, product + 1)).toBe(0);
    expect(mulDivFloor(-1, 1, 10_000)).toBe(-1);
    expect(mulDivCeil(-1, 1, 10_000)).toBe(0);
  });

  it('throw when the result exceeds 2^53', () => {
    expect(() => mulDivFloor(LARGEST, LARGEST, 2)).toThrow('Invariant');
    expect(() => mulDivCeil(LARGEST, LARGEST, 2)).toThrow('Invariant');
  });
});

describe('partialCostFloor', () => {
  it('removes floor(1.00 / 3) and then the rest (docs/spec/models.md#cost-basis)', () => {
    const cost = microUsd(1_000_000);
    const first = partialCostFloor(cost, microShares(1_000_000), microShares(3_000_000));
    expect(first).toBe(333_333);
    expect(partialCostFloor(subUsd(cost, first), microShares(2_000_000), microShares(2_000_000))).toBe(666_667);
  });

  it('never removes more than the cost, and removes all of it in any sequence of parts', () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 20 }),
        (total, parts) => {
          let held = parts.reduce((sum, lots) => sum + lots, 0);
          let cost: MicroUsd = microUsd(total);
          for (const lots of parts) {
            const out = partialCostFloor(cost, microShares(lots * LOT), microShares(held * LOT));
            expect(BigInt(out)).toBe((BigInt(cost) * BigInt(lots)) / BigInt(held));
            cost = subUsd(cost, out);
            held -= lots;
          }
          expect(cost).toBe(0);
        },
      ),
    );
  });
});

describe('prices and times', () => {
  it('convert between outcomes and mids', () => {
    expect(complement(priceBps(5250))).toBe(4750);
    expect(doubleMid(priceBps(5800), priceBps(6200))).toBe(12_000);
    expect(doubled(priceBps(5800))).toBe(11_600);
    expect(timeAfter(epochMs(1_000), -1)).toBe(999);
  });

  it('sort ascending as numbers', () => {
    expect([10, 9, 100].sort(ascending)).toEqual([9, 10, 100]);
  });
});
