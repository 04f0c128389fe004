import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { epochMs } from '../../src/domain/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, options, row, runScenario } from './scenario.ts';

const HOUR = 3_600_000;
/** Markets are selected at 6, 11, 16 and 21 s. Only the first market resolves soon. */
const { markets, ...head } = headOf('scenario', 2);
const HEAD = {
  ...head,
  markets: markets.map((market, no) => ({ ...market, scheduledResolution: epochMs(HOUR * (no + 1) + 12_000) })),
};
const MESSAGES = [
  message(1_000, row.open(0), row.bid(5_000, 100, 0), row.ask(6_000, 100, 0)),
  message(1_000, row.open(1), row.bid(5_000, 100, 1), row.ask(6_000, 100, 1)),
  message(4_000, row.print('SELL', 5_000, 50, 0)),
  message(7_000, row.bid(5_000, 110, 0), row.bid(5_000, 110, 1)),
  message(9_000, row.print('SELL', 5_000, 1, 0), row.print('SELL', 5_000, 50, 1)),
  message(12_000, row.bid(5_000, 120, 0), row.bid(5_000, 120, 1)),
  message(14_000, row.print('SELL', 5_000, 2, 0), row.print('SELL', 5_000, 4, 1)),
  message(17_000, row.bid(5_000, 130, 0), row.bid(5_000, 130, 1)),
  message(19_000, row.print('SELL', 5_000, 8, 0)),
  message(22_000, row.resolved(10_000, 0), row.resolved(10_000, 1)),
];
const SPEC = { strategy: 'quoter', params: { bid: 5_100, shares: 100 }, limits: { min_order_shares: 1 } };
const RULES = { every_s: 5, min_volume_usd: 20, leave_hours_before_resolution: 1 };

describe('a backtest with markets.select', () => {
  it('trades each market only while the rules select it', async () => {
    const run = () => runScenario(MESSAGES, { ...SPEC, markets: { select: RULES } }, HEAD);
    const { result, detail } = await run();
    // The first from 6 to 16 s, the second from 11 s on.
    expect(detail.markets.map(({ fills }) => fills)).toEqual([2, 1]);
    expect(result.fills.shares).toBe(7_000_000);
    expect((await run()).result.eventLogHash).toBe(result.eventLogHash);
  });

  it('trades at most the maximum number of markets', async () => {
    const { detail } = await runScenario(MESSAGES, { ...SPEC, markets: { select: { ...RULES, most: 1 } } }, HEAD);
    expect(detail.markets.map(({ fills }) => fills)).toEqual([2, 0]);
  });

  it('passes the selected markets to the instance of scope "run"', async () => {
    const folder = scratchFolder();
    const fixture = join(import.meta.dirname, '../fixtures/backtest/quoter/strategy.ts');
    const source = readFileSync(fixture, 'utf8').replace("name: 'quoter',", "name: 'quoter',\n  scope: 'run',");
    expect(source).toContain("scope: 'run'");
    mkdirSync(join(folder, 'quoter'));
    writeFileSync(join(folder, 'quoter/strategy.ts'), source);
    writeTape(join(folder, 'a.tape'), MESSAGES, HEAD);
    const spec = parseRunSpec({ ...SPEC, tapes: ['a.tape'], report_dir: null, markets: { select: RULES } });
    const { detail } = await runBacktest(spec, options(folder, { strategyFolders: [folder] }));
    expect(detail.markets.map(({ fills }) => fills)).toEqual([2, 1]);
  });

  it.each([
    [
      { category: 'sports' },
      'markets.select.category: expected no value, because the tape of market-1 has no category',
    ],
    [{ tags: ['tennis'] }, 'markets.select.tags: expected no value, because the tape of market-1 has no tags'],
    [
      { max_hours_left: 3 },
      'markets.select.max_hours_left: expected no value, because the tape of market-1 has no scheduled resolution',
    ],
    [
      { rank: 'resolution' },
      'markets.select.rank: expected another rank, because the tape of market-1 has no scheduled resolution',
    ],
  ])('refuses %j on tapes without the required data', async (select, message) => {
    await expect(runScenario(MESSAGES, { ...SPEC, markets: { select } }, headOf('scenario', 2))).rejects.toThrow(
      message,
    );
  });
});
