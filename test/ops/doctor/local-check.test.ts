import { describe, expect, it } from 'vitest';
import { checkStrategy } from '../../../src/ops/doctor/local-check.ts';
import type { PreflightInput } from '../../../src/ops/doctor/preflight.ts';
import { riskLimits, riskSchema } from '../../../src/risk/index.ts';

/** Status and message of each finding about a strategy with this `order_amount`. */
function findings(maxOrder: number | 'none', orderAmount: number | undefined): readonly string[] {
  const strategy = { names: ['maker'], problem: undefined, doubt: undefined, unreadSignals: undefined, orderAmount };
  const settings: PreflightInput['settings'] = {
    ids: [],
    slugs: [],
    filter: undefined,
    most: 0,
    risk: riskLimits(riskSchema.parse({ max_order: maxOrder })),
    heartbeatMs: undefined,
    clockSkewMs: 0,
    priceIn: () => undefined,
  };
  return checkStrategy({ strategy, settings }).map(({ status, message }) => `${status} ${message}`);
}

describe('doctor', () => {
  it('warns of an order_amount above max_order', () => {
    expect(findings(500, 500)).toEqual(['ok maker, with valid parameters']);
    expect(findings(500, 500.01)).toEqual([
      'warn order_amount 500.01 is above risk.max_order 500: such quotes are refused',
    ]);
  });

  it('does not warn without an order_amount or without max_order', () => {
    expect(findings(0, undefined)).toEqual(['ok maker, with valid parameters']);
    expect(findings('none', 1e9)).toEqual(['ok maker, with valid parameters']);
  });
});
