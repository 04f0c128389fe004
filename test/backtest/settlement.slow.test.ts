import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { headOf, message, options, row, runScenario } from './scenario.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The ask stays at 60 cents and YES wins after 20 s. */
const MESSAGES = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(2_000, row.bid(5_100, 100)),
  message(9_000, row.bid(5_200, 100)),
  message(20_000, row.resolved(10_000)),
];
const BUYER = { strategy: 'buy-again', latency: { model: 'constant', feed_ms: 50, entry_ms: 80, response_ms: 40 } };

describe('a backtest at a venue that reverses fills', () => {
  it('excludes a reversed fill from every figure and reports it to the strategy', async () => {
    const settlement = { delay_ms: 5_000, reversed_share: 1 };
    const { result, detail } = await runScenario(MESSAGES, { ...BUYER, settlement }, headOf('scenario', 1, 1, 0));
    // Bought at 1.1 s, 6.2 s, 11.4 s and 16.5 s; the last one is final at the end of the market.
    expect(result.fills).toEqual({ count: 1, maker: 0, taker: 1, shares: 10_000_000, reversed: 3 });
    expect(result.pnl.totalMicros).toBe(4_000_000);
    expect(result.fillsByTag).toEqual({ taker: { count: 1, inside: 0, shares: 10_000_000, pnlMicros: 4_000_000 } });
    expect(result.strategies).toMatchObject([
      { name: 'buy-again', fills: 1, shares: 10_000_000, pnlMicros: 4_000_000 },
    ]);
    expect(result.maxInventoryShares).toBe(10_000_000);
    expect(detail.markets[0]).toMatchObject({ fills: 1, pnlMicros: 4_000_000 });
  });

  it('has the result of a venue with final fills when none is reversed', async () => {
    const { result: final } = await runScenario(MESSAGES, BUYER);
    const { result: later } = await runScenario(MESSAGES, { ...BUYER, settlement: { delay_ms: 1_000 } });
    expect(later.fills).toEqual(final.fills);
    expect(later.pnl).toEqual(final.pnl);
  });

  it('adds up on a recorded match and has the same hashes twice', async () => {
    const spec = parseRunSpec({
      strategy: 'ladder',
      params: { bid_spread: 1, ask_spread: 1, order_amount: 50, order_levels: 3, max_position: 500 },
      tapes: [join(ROOT, 'config/tapes/betfair-1.200806927.tape')],
      from: '2022-07-11T11:00:20Z',
      to: '2022-07-11T12:30:00Z',
      report_dir: null,
      settlement: { delay_ms: 7_000, reversed_share: 0.2 },
    });
    const run = () => runBacktest(spec, options(ROOT, { strategyFolders: [join(ROOT, 'strategies')] }));
    const { result, detail } = await run();
    expect(result.fills.reversed).toBeGreaterThan(0);
    expect(result.fills.count).toBe(result.fills.maker + result.fills.taker);
    expect(result.strategies).toMatchObject([{ fills: result.fills.count, makerFills: result.fills.maker }]);
    const byTag = Object.values(result.fillsByTag);
    expect(byTag.reduce((sum, { count }) => sum + count, 0)).toBe(result.fills.count);
    expect(detail.markets.reduce((sum, { fills }) => sum + fills, 0)).toBe(result.fills.count);
    expect((await run()).result.eventLogHash).toBe(result.eventLogHash);
  });
});
