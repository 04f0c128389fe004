import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, curveFrom, curveQuotes, priceAfter } from '../../../strategies/lmsr/curve.ts';
import { lmsrParams } from '../../../strategies/lmsr/params.ts';

const PARAMS = lmsrParams.parse({ b: 1_000, order_amount: 100, max_position: 1_000, quote_spread_bps: 0 });
const CURVE = curveFrom(PARAMS, 0.6);

const prices = (side: 'bid' | 'ask', bought: number, params = PARAMS) =>
  curveQuotes(params, CURVE, bought).flatMap((quote) => (quote.side === side ? [quote.price] : []));

function expectNear(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [index, value] of expected.entries()) expect(actual[index]).toBeCloseTo(value, 2);
}

describe('the curve of lmsr', () => {
  it('has the levels of the worked example with 0 and with 300 shares bought', () => {
    expectNear(prices('bid', 0), [5_879.24, 5_635.08, 5_387.8]);
    expectNear(prices('ask', 0), [6_119.16, 6_353.76, 6_582.11]);
    expectNear(prices('bid', 300), [5_138.6, 4_888.7, 4_639.37]);
    expectNear(prices('ask', 300), [5_387.8, 5_635.08, 5_879.24]);
    expect(costOf(CURVE, 300)).toBeCloseTo(169.021, 3);
    expect(priceAfter(CURVE, 300)).toBeCloseTo(0.526342, 6);
  });

  it('is shifted outward on both sides by the spread', () => {
    const spread = { ...PARAMS, quote_spread_bps: 50 };
    expectNear(prices('bid', 300, spread).slice(0, 1), [5_088.6]);
    expectNear(prices('ask', 300, spread).slice(0, 1), [5_437.8]);
  });

  it('has the depth that max_loss_usd allows', () => {
    const params = lmsrParams.parse({ max_loss_usd: 500, order_amount: 100, max_position: 1_000 });
    expect(curveFrom(params, 0.6).b).toBeCloseTo(545.678, 3);
  });

  it('never loses more than b ln(1 / p0) or b ln(1 / (1 - p0))', () => {
    const path = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 200 });
    fc.assert(
      fc.property(path, fc.double({ min: 0.02, max: 0.98, noNaN: true }), (steps, start) => {
        const curve = curveFrom(PARAMS, start);
        let [bought, cash] = [0, 0];
        for (const step of steps) {
          for (let level = 0; level < Math.abs(step); level += 1) {
            const side = step > 0 ? 'bid' : 'ask';
            const [quote] = curveQuotes(PARAMS, curve, bought).filter((entry) => entry.side === side);
            if (quote === undefined) break;
            const sign = step > 0 ? 1 : -1;
            bought += sign * 100;
            cash -= (sign * 100 * quote.price) / 10_000;
          }
        }
        // The cost depends only on the shares bought, not on the path.
        expect(-cash).toBeCloseTo(costOf(curve, bought), 6);
        // If YES pays nothing, then if it pays $1.
        expect(cash).toBeGreaterThanOrEqual(1_000 * Math.log(1 - start) - 1e-6);
        expect(cash + bought).toBeGreaterThanOrEqual(1_000 * Math.log(start) - 1e-6);
      }),
      { numRuns: 100 },
    );
  });

  it('bids below and asks above its price, further away with each level', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000, max: 2_000 }), (bought) => {
        const [bids, asks] = [prices('bid', bought), prices('ask', bought)];
        const price = priceAfter(CURVE, bought) * 10_000;
        for (const [index, bid] of bids.entries())
          expect(bid).toBeLessThan(index === 0 ? price : (bids[index - 1] ?? 0));
        for (const [index, ask] of asks.entries())
          expect(ask).toBeGreaterThan(index === 0 ? price : (asks[index - 1] ?? 0));
      }),
    );
  });
});

describe('parameters of lmsr', () => {
  const sizes = { order_amount: 10, max_position: 100 };

  it.each([
    [{ ...sizes }, 'exactly one of b and max_loss_usd'],
    [{ ...sizes, b: 1, max_loss_usd: 1 }, 'exactly one of b and max_loss_usd'],
    [{ ...sizes, max_loss_usd: 1, anchor: 'mid' }, 'b with anchor mid'],
    [{ ...sizes, b: 1, anchor: 'fixed' }, 'a price with anchor fixed'],
    [{ ...sizes, b: 1, anchor_price: 5_000 }, 'a price with anchor fixed'],
  ])('are refused if they contradict each other: %j', (params, problem) => {
    expect(lmsrParams.safeParse(params).error?.issues[0]?.message).toContain(problem);
  });
});
