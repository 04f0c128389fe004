import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, options, row } from './scenario.ts';

const MESSAGES = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(5_000, row.print('SELL', 5_100, 10)),
  message(10_000, row.bid(5_400, 50)),
  message(12_000, row.print('BUY', 6_000, 5)),
  message(20_000, row.resolved(10_000)),
];

async function runWithTables() {
  const folder = scratchFolder();
  writeTape(join(folder, 'a.tape'), MESSAGES, headOf('scenario'));
  const quotes = { strategy: 'quoter', params: { bid: 5_200, ask: 5_900, shares: 10 } };
  const spec = parseRunSpec({ tapes: ['a.tape'], report_dir: null, ...quotes });
  const output = join(folder, 'tables');
  const { result } = await runBacktest(spec, { ...options(folder), tables: output });
  const parquet = async (name: string) =>
    await parquetReadObjects({ file: await asyncBufferFromFile(join(output, `${name}.parquet`)) });
  const csv = (name: string) =>
    readFileSync(join(output, `${name}.csv`), 'utf8')
      .trimEnd()
      .split('\n');
  return { result, parquet, csv };
}

describe('the tables of a run', () => {
  it('have every fill, as Parquet and as CSV', async () => {
    const { result, parquet, csv } = await runWithTables();
    const fills = await parquet('fills');
    expect(fills).toHaveLength(result.fills.count);
    expect(fills[0]).toMatchObject({
      market: 'market-1',
      side: 'BUY',
      price_bps: 5_200n,
      liquidity: 'maker',
      mid_before_bps: 5_500,
    });
    const shares = fills.reduce((sum, fill) => sum + Number(fill['shares']), 0);
    expect(shares).toBe(result.fills.shares);
    const [head, first] = csv('fills');
    expect(head).toMatch(/^time,market,order,side,price_bps,shares,/);
    expect(first).toMatch(/^1970-01-01T00:00:05\.000Z,market-1,\d+,BUY,5200,\d+,/);
    expect(csv('fills')).toHaveLength(fills.length + 1);
  });

  it('have the changes of quotes, the equity to its end, and the means of the markouts', async () => {
    const { result, parquet } = await runWithTables();
    const quotes = await parquet('quotes');
    expect(quotes.some(({ bid_bps, ask_bps }) => bid_bps === 5_200n && ask_bps === 5_900n)).toBe(true);
    const equity = await parquet('equity');
    const change = Number(equity.at(-1)?.['equity_micros']) - Number(equity[0]?.['equity_micros']);
    expect(change).toBe(result.pnl.totalMicros);
    const markouts = await parquet('markouts');
    expect(markouts.map(({ horizon }) => horizon)).toEqual([
      'fill',
      ...result.markouts.horizons.map(({ label }) => label),
    ]);
    expect(markouts[0]?.['bps']).toBe(result.markouts.effective?.bps);
  });
});
