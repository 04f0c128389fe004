import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runForResult } from '../../../src/backtest/index.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The last two hours of the recorded match, with its end. */
function run(params: object) {
  const spec = parseRunSpec({
    strategy: 'lmsr',
    params: { order_amount: 10, max_position: 1_000, ...params },
    tapes: ['config/tapes/betfair-1.200806927.tape'],
    from: '2022-07-11T12:45:00Z',
    report_dir: null,
  });
  const machine = { peakRssMb: () => 1 };
  return runForResult(spec, { baseDir: ROOT, strategyFolders: [join(ROOT, 'strategies')], version: 'test', machine });
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
