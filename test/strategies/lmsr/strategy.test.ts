import { describe, expect, it } from 'vitest';
import { runMatch } from '../recorded-match.ts';

/** The last two hours of the recorded match, with its end. */
function run(params: object) {
  return runMatch({
    strategy: 'lmsr',
    params: { order_amount: 10, max_position: 1_000, ...params },
    from: '2022-07-11T12:45:00Z',
  });
}

describe('lmsr on the recorded match', () => {
  it('never loses more than max_loss_usd', async () => {
    const result = await run({ max_loss_usd: 20, quote_spread_bps: 0 });
    expect(result.fills.count).toBeGreaterThan(20);
    expect(result.maxDrawdownMicros).toBeGreaterThan(0);
    expect(result.pnl.totalMicros).toBeGreaterThanOrEqual(-20_000_000);
  });

  it('quotes around the mid with anchor mid', async () => {
    const result = await run({ b: 300, anchor: 'mid', max_position: 100 });
    expect(result.fills.count).toBeGreaterThan(20);
    expect(result.maxInventoryShares).toBeLessThanOrEqual(100_000_000);
  });
});
