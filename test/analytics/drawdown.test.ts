import { describe, expect, it } from 'vitest';
import { Drawdown } from '../../src/analytics/equity-curve.ts';

describe('Drawdown', () => {
  it('is the largest decline from an earlier peak, not the difference of the extremes', () => {
    const drawdown = new Drawdown(1_000);
    for (const equity of [1_300, 900, 1_100, 1_400, 1_150]) drawdown.sample(equity);
    expect([drawdown.peak, drawdown.worst]).toEqual([1_400, 400]);
  });

  it('counts a loss from the start', () => {
    const drawdown = new Drawdown(1_000);
    drawdown.sample(400);
    expect([drawdown.peak, drawdown.worst]).toEqual([1_000, 600]);
  });
});
