import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microUsd, unchecked } from '../../../src/domain/index.ts';
import { type FeeModel, noFees, takerFees, withCommission } from '../../../src/venues/sim/fees.ts';

const MARKET = unchecked.market(0);
const models: [string, FeeModel][] = [
  ['none', noFees()],
  ['taker', takerFees(200)],
  ['none with commission', withCommission(noFees(), 500)],
  ['taker with commission a market', withCommission(takerFees(1_000), [500, 0])],
];

describe.each(models)('the fee model %s', (_name, fees) => {
  it('charges a commission in whole micro-USD, never negative and only on winnings', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (pnl) => {
        const commission = fees.commission(microUsd(pnl), MARKET);
        expect(Number.isSafeInteger(commission) && commission >= 0).toBe(true);
        expect(commission).toBeLessThanOrEqual(Math.max(0, pnl));
      }),
    );
  });

  it('states its assumptions', () => {
    expect(fees.assumption).toMatch(/^Fees: .*\.$/);
  });
});

describe('the worked fees of docs/spec/models.md#fees-commission-rewards', () => {
  it('have the configured rate, or none', () => {
    expect([takerFees(200).rateBps, noFees().rateBps]).toEqual([200, 0]);
  });

  it('round the commission up and use the rate of each market', () => {
    expect(withCommission(noFees(), 500).commission(microUsd(17_712_000), MARKET)).toBe(885_600);
    expect(withCommission(noFees(), 500).commission(microUsd(1), MARKET)).toBe(1);
    const byMarket = withCommission(takerFees(200), [500, 200]);
    expect([0, 1, 2].map((market) => byMarket.commission(microUsd(10_000), unchecked.market(market)))).toEqual([
      500, 200, 0,
    ]);
    expect(byMarket.rateBps).toBe(200);
    expect(byMarket.assumption).toContain('2 to 5 %');
  });
});
