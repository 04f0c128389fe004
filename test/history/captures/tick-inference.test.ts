import { describe, expect, it } from 'vitest';
import { TickInference } from '../../../src/history/captures/tick-inference.ts';

function infer(stated: readonly number[], prices: readonly number[]): TickInference {
  const inference = new TickInference();
  for (const tick of stated) inference.addTick(tick);
  for (const price of prices) inference.addPrice(price);
  return inference;
}

describe('the inferred tick of a market', () => {
  it('is one cent without a stated tick, or finer where prices are finer', () => {
    expect(infer([], []).tickBps).toBe(100);
    expect(infer([], [500, 1_000]).tickBps).toBe(100);
    expect(infer([], [5_200, 5_250]).tickBps).toBe(50);
    expect(infer([], [5_200, 5_201]).tickBps).toBe(1);
  });

  it('is the finest stated tick, or finer where prices are finer', () => {
    expect(infer([1_000], [2_000]).tickBps).toBe(1_000);
    expect(infer([100, 10], [5_200]).tickBps).toBe(10);
    expect(infer([100], [5_250]).tickBps).toBe(50);
  });

  it('is finer after a price off the stated tick, which is reported', () => {
    const inference = infer([100], [5_200]);
    expect([inference.addPrice(5_300), inference.addPrice(5_250), inference.addPrice(5_350)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('fits a price on the tick that is stated after a finer price', () => {
    const inference = infer([], [5_250]);
    inference.addTick(100);
    expect(inference.addPrice(5_300)).toBe(true);
  });
});
