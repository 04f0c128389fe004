import { describe, expect, it } from 'vitest';
import { PriceSteps } from '../../../src/history/captures/price-steps.ts';

function steps(stated: readonly number[], prices: readonly number[]): PriceSteps {
  const priceSteps = new PriceSteps();
  for (const tick of stated) priceSteps.addTick(tick);
  for (const price of prices) priceSteps.addPrice(price);
  return priceSteps;
}

describe('the steps of a market', () => {
  it('are whole cents without a stated tick, or finer where prices are finer', () => {
    expect(steps([], []).tickBps).toBe(100);
    expect(steps([], [500, 1_000]).tickBps).toBe(100);
    expect(steps([], [5_200, 5_250]).tickBps).toBe(50);
    expect(steps([], [5_200, 5_201]).tickBps).toBe(1);
  });

  it('are the finest stated tick, or finer where prices are finer', () => {
    expect(steps([1_000], [2_000]).tickBps).toBe(1_000);
    expect(steps([100, 10], [5_200]).tickBps).toBe(10);
    expect(steps([100], [5_250]).tickBps).toBe(50);
  });

  it('report the price that is off the stated tick', () => {
    const priceSteps = steps([100], [5_200]);
    expect([priceSteps.addPrice(5_300), priceSteps.addPrice(5_250), priceSteps.addPrice(5_350)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('accept a price on the tick that is stated after a finer price', () => {
    const made = steps([], [5_250]);
    made.addTick(100);
    expect(made.addPrice(5_300)).toBe(true);
  });
});
