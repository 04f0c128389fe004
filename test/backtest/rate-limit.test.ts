import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runForResult } from '../../src/backtest/index.ts';
import { options } from './scenario.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WINDOW = { from: '2022-07-11T12:00:00Z', to: '2022-07-11T12:10:00Z' };

/** Runs a ladder that is renewed each second on ten minutes of the recorded match. */
async function runMatch(execution: object) {
  const params = {
    max_position: 300,
    order_amount: 20,
    order_levels: 3,
    order_refresh_time: 1,
    bid_spread: 60,
    ask_spread: 60,
  };
  const tapes = [`${ROOT}config/tapes/betfair-1.200806927.tape`];
  const spec = parseRunSpec({ strategy: 'ladder', params, tapes, report_dir: null, ...WINDOW, execution });
  return await runForResult(spec, options(ROOT, { strategyFolders: [`${ROOT}strategies`] }));
}

describe('a backtest with a rate limit', () => {
  it('places no more orders than the limit allows, and trades', async () => {
    const [unlimited, limited] = [await runMatch({}), await runMatch({ orders_per_second: 0.1, order_burst: 6 })];
    const max = 6 + 0.1 * 600;
    expect(unlimited.orders.placed).toBeGreaterThan(max);
    expect(limited.orders.placed).toBeLessThanOrEqual(max);
    expect(limited.orders.placed).toBeGreaterThan(max / 2);
    expect(limited.fills.count).toBeGreaterThan(0);
  }, 180_000);

  it('has the result of a run without a limit when the limit is never reached', async () => {
    const [unlimited, limited] = [
      await runMatch({}),
      await runMatch({ orders_per_second: 1_000_000, cancels_per_second: 1_000_000 }),
    ];
    expect([limited.stateHash, limited.orders, limited.pnl]).toEqual([
      unlimited.stateHash,
      unlimited.orders,
      unlimited.pnl,
    ]);
  }, 180_000);
});

describe('the section execution', () => {
  it.each([
    [{ orders_per_second: 0 }, /^execution\.orders_per_second: /],
    [{ order_burst: 1.5 }, /^execution\.order_burst: /],
    [{ order_per_second: 1 }, /^execution\.order_per_second: .*did you mean "orders_per_second"/],
  ])('reports the wrong field: %j', (execution, message) => {
    expect(() => parseRunSpec({ strategy: 'ladder', tapes: ['a'], execution })).toThrow(message);
  });
});
