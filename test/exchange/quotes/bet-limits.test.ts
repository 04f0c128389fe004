import { describe, expect, it } from 'vitest';
import { MAX_ORDER_SHARES, microShares, type Side } from '../../../src/domain/index.ts';
import { DEFAULT_CONFIG } from '../../../src/exchange/engine/defaults.ts';
import { betLimits } from '../../../src/exchange/quotes/bet-limits.ts';

const DOLLAR = 1_000_000;
const MARKET = { minOrderShares: microShares(2_500_000) };

describe('bet limits', () => {
  it('without an account come from configuration and market', () => {
    expect(betLimits(DEFAULT_CONFIG, MARKET, { caller: undefined, side: 'SELL' })).toEqual({
      minBet: 0.1 * DOLLAR,
      maxBet: 100_000 * DOLLAR,
      maxShares: MAX_ORDER_SHARES,
      maxExposure: 1_000_000 * DOLLAR,
      remainingExposure: undefined,
      minOrderShares: 2_500_000,
    });
  });

  it.each([
    ['zero', 0, 100_000, 1_000_000],
    ['less than a bet from the limit', 950_000, 50_000, 50_000],
    ['at the limit', 1_000_000, 0, 0],
    ['over a lowered limit', 1_200_000, 0, 0],
  ])('depend on the exposure of the account: %s', (_name, exposure, maxBet, remaining) => {
    const limits = betLimits(DEFAULT_CONFIG, MARKET, {
      caller: { exposure: exposure * DOLLAR, available: 0 },
      side: 'BUY',
    });
    expect(limits).toMatchObject({ maxBet: maxBet * DOLLAR, remainingExposure: remaining * DOLLAR });
    expect(limits.maxShares).toBe(MAX_ORDER_SHARES);
  });

  it('of a seller are the available shares, at most the largest order', () => {
    const limits = (available: number, side: Side | undefined) =>
      betLimits(DEFAULT_CONFIG, MARKET, { caller: { exposure: 0, available }, side });
    const maxSale = (available: number) => limits(available, 'SELL').maxShares;
    expect([maxSale(0), maxSale(5_000_000), maxSale(2 * MAX_ORDER_SHARES)]).toEqual([0, 5_000_000, MAX_ORDER_SHARES]);
    expect(limits(0, undefined).maxShares).toBe(MAX_ORDER_SHARES);
  });
});
