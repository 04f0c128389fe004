import { describe, expect, it } from 'vitest';
import { MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import { DEFAULT_CONFIG } from '../../../src/exchange/engine/defaults.ts';
import { betLimits } from '../../../src/exchange/quotes/bet-limits.ts';

const DOLLAR = 1_000_000;

describe('bet limits', () => {
  it('of nobody are those of the configuration', () => {
    expect(betLimits(DEFAULT_CONFIG, undefined, 'SELL')).toEqual({
      minBet: 0.1 * DOLLAR,
      maxBet: 100_000 * DOLLAR,
      maxShares: MAX_ORDER_SHARES,
      maxExposure: 1_000_000 * DOLLAR,
      remainingExposure: undefined,
      minOrderShares: 1_000_000,
    });
  });

  it.each([
    ['nothing yet', 0, 100_000, 1_000_000],
    ['less than a bet from the limit', 950_000, 50_000, 50_000],
    ['at the limit', 1_000_000, 0, 0],
    ['over it, as the limit was lowered', 1_200_000, 0, 0],
  ])('of somebody whose exposure is %s', (_name, exposure, maxBet, remaining) => {
    const limits = betLimits(DEFAULT_CONFIG, { exposure: exposure * DOLLAR, available: 0 }, 'BUY');
    expect(limits).toMatchObject({ maxBet: maxBet * DOLLAR, remainingExposure: remaining * DOLLAR });
    expect(limits.maxShares).toBe(MAX_ORDER_SHARES);
  });

  it('of a seller end at what is available, and at the largest order', () => {
    const sold = (available: number) => betLimits(DEFAULT_CONFIG, { exposure: 0, available }, 'SELL').maxShares;
    expect([sold(0), sold(5_000_000), sold(2 * MAX_ORDER_SHARES)]).toEqual([0, 5_000_000, MAX_ORDER_SHARES]);
    expect(betLimits(DEFAULT_CONFIG, { exposure: 0, available: 0 }, undefined).maxShares).toBe(MAX_ORDER_SHARES);
  });
});
