import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LIMIT_KEYS, LIMIT_UNITS, LIMITS, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { check, expectEdges, take } from './check-text.ts';

describe('the risk section', () => {
  it('converts the default of each limit to integers', () => {
    const defaults = riskSchema.parse({});
    const limits = riskLimits(defaults);
    expect(limits).toMatchObject({
      maxOrder: 500_000_000,
      dailyLoss: 250_000_000,
      maxOpenOrders: 100,
      maxFeeBps: 1_000,
    });
    for (const key of LIMIT_KEYS) {
      const { field, fallback, unit } = LIMITS[key];
      const preset = defaults[key];
      expect(preset, key).toBe(fallback);
      const none = Number.POSITIVE_INFINITY;
      expect(limits[field], key).toBe(preset === 'none' ? none : preset * LIMIT_UNITS[unit].scale);
    }
  });

  it('accepts `none` for no limit', () => {
    expect(riskLimits(riskSchema.parse({ max_order: 'none' })).maxOrder).toBe(Number.POSITIVE_INFINITY);
  });

  it('parses two decimals of shares and dollars exactly', () => {
    const { maxOrder, dailyLoss } = riskLimits(riskSchema.parse({ max_order: 0.29, daily_loss_usd: 1.15 }));
    expect([maxOrder, dailyLoss]).toEqual([290_000, 1_150_000]);
  });

  it.each([
    { max_ordr: 5 },
    { max_order: -1 },
    { max_order: 0.001 },
    { max_order: 'no' },
    { max_open_orders: 1.5 },
    { max_order: Number.NaN },
    { price_collar_bps: null },
    { max_fee_bps: 1_001 },
    { max_fee_bps: -1 },
    { max_fee_bps: 'none' },
  ])('refuses %o', (section) => {
    expect(riskSchema.safeParse(section).success).toBe(false);
  });

  it('describes each key with unit and default for editors', () => {
    const { properties = {} } = z.toJSONSchema(riskSchema, { io: 'input' });
    for (const [key, schema] of Object.entries(properties)) {
      const { default: preset, description } = schema as z.core.JSONSchema.BaseSchema;
      const meaning = key === 'max_fee_bps' ? ", the API's maximum." : '; `none` for no limit.';
      expect(description?.endsWith(` Default ${preset}${meaning}`), key).toBe(true);
    }
  });
});

describe('the limits on one order', () => {
  it('max_order applies to each quote and take separately', () => {
    expectEdges({ max_order: 100 }, {}, [
      ['bid 99.99 @ 5800'],
      ['bid 100 @ 5800'],
      ['bid 100.01 @ 5800', 'MAX_ORDER 100/100.01'],
      ['ask 100.01 @ 6200', 'MAX_ORDER 100/100.01'],
    ]);
    expect(check({ max_order: 100 }, {}, take('YES', 'BUY', 6100, 100)).at(-1)).toBe('take BUY YES 100 @ 6100');
    expect(check({ max_order: 100 }, {}, take('YES', 'BUY', 6100, 100.01)).at(-1)).toBe('MAX_ORDER 100/100.01');
  });
});
