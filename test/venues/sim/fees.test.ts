import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted, InputFault, microShares, microUsd, priceBps, SHARE } from '../../../src/domain/index.ts';
import { type FeeModel, noFees, takerFees, withCommission } from '../../../src/venues/sim/index.ts';

const M = counted.market(0);
const bodies: [string, FeeModel][] = [
  ['none', noFees()],
  ['taker', takerFees(200)],
  ['none with commission', withCommission(noFees(), 500)],
  ['taker with commission a market', withCommission(takerFees(1_000), [500, 0])],
];

describe.each(bodies)('the fee model %s', (_name, fees) => {
  const lots = fc.integer({ min: 1, max: 10_000_000 });
  const price = fc.integer({ min: 1, max: 9_999 });

  it('never takes more from parts, or at a better price, than was reserved', () => {
    fc.assert(
      fc.property(lots, lots, price, price, (one, other, limit, better) => {
        const fee = (count: number, at: number): number => fees.takerFee(microShares(count * 10_000), priceBps(at));
        const paid = Math.min(limit, better);
        const reserved = fee(one + other, limit) + (one + other) * limit;
        expect(fee(one, limit) + fee(other, paid) + one * limit + other * paid).toBeLessThanOrEqual(reserved);
      }),
    );
  });

  it('answers whole micro-USD, never negative; commission only on winnings', () => {
    fc.assert(
      fc.property(lots, price, fc.integer({ min: -1e12, max: 1e12 }), (count, at, pnl) => {
        const fee = fees.takerFee(microShares(count * 10_000), priceBps(at));
        const commission = fees.commission(microUsd(pnl), M);
        expect(Number.isSafeInteger(fee) && fee >= 0).toBe(true);
        expect(Number.isSafeInteger(commission) && commission >= 0).toBe(true);
        expect(commission).toBeLessThanOrEqual(Math.max(0, pnl));
      }),
    );
  });

  it('says what it assumes', () => {
    expect(fees.assumption).toMatch(/^Fees: .*\.$/);
  });
});

describe('the worked fees of models 8', () => {
  it('taker fees round down', () => {
    expect(takerFees(200).takerFee(microShares(100 * SHARE), priceBps(6_000))).toBe(480_000);
    expect(takerFees(70).takerFee(microShares(1_230_000), priceBps(6_150))).toBe(2_038);
    expect(noFees().takerFee(microShares(100 * SHARE), priceBps(6_000))).toBe(0);
  });

  it('commission rounds up, by market where the tape says so', () => {
    expect(withCommission(noFees(), 500).commission(microUsd(17_712_000), M)).toBe(885_600);
    expect(withCommission(noFees(), 500).commission(microUsd(1), M)).toBe(1);
    const byMarket = withCommission(takerFees(200), [500, 200]);
    expect([0, 1, 2].map((no) => byMarket.commission(microUsd(10_000), counted.market(no)))).toEqual([500, 200, 0]);
    expect(byMarket.takerFee(microShares(100 * SHARE), priceBps(6_000))).toBe(480_000);
    expect(byMarket.rateBps).toBe(200);
    expect(byMarket.assumption).toContain('2 to 5 %');
  });

  it.each([-1, 1_001, 0.5])('a taker rate of %d bps is refused', (rate) => {
    expect(() => takerFees(rate)).toThrow(InputFault);
  });
  it.each([-1, 10_001, 0.5])('a commission of %d bps is refused', (rate) => {
    expect(() => withCommission(noFees(), [0, rate])).toThrow(InputFault);
  });
});
