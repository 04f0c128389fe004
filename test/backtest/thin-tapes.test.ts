/** Tapes without a book (docs/spec/models.md#thin-tapes). */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReplays } from '../../src/app/serve/open-replays.ts';
import { parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { renderReport } from '../../src/backtest/report/run-page.ts';
import { summary } from '../../src/cli/output/summary.ts';
import { replaySchema } from '../../src/config/venue-schema.ts';
import { InputFault } from '../../src/domain/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, options, row, runScenario } from './scenario.ts';

/** A bid of 50 at 5800 from the first trade on; then trades at it and through it. */
const MESSAGES = [
  message(1_000, row.open()),
  message(2_000, row.print('BUY', 6_000, 10)),
  message(60_000, row.print('SELL', 5_800, 20)),
  message(70_000, row.print('SELL', 5_700, 30)),
];
const KEEPER = { strategy: 'trade-keeper', params: { bid: 5_800, shares: 50 } };
const head = (content: 'trades' | 'candles' | undefined) => ({ ...headOf('thin'), content });

describe('a tape of trades', () => {
  it('fills makers by trades strictly through their price without any setting', async () => {
    const { result } = await runScenario(MESSAGES, KEEPER, head('trades'));
    expect(result.fillsByTag).toMatchObject({ through: { count: 1, shares: 30_000_000 } });
    expect(result.models.mark).toBe('last trade');
    expect(result.orderReasons.refused).toEqual({});
  });

  it('adds the share of trades at the price that the user sets', async () => {
    const { result } = await runScenario(
      MESSAGES,
      { ...KEEPER, trades_only: { fill: 'touch', share: 0.25 } },
      head('trades'),
    );
    expect(result.fillsByTag).toMatchObject({ touch: { shares: 5_000_000 }, through: { shares: 30_000_000 } });
  });

  it('is reported with the last trade as its mark in every table', async () => {
    const run = await runScenario(MESSAGES, KEEPER, head('trades'));
    const text = summary(run, { columns: 120, colors: false });
    for (const title of ['P&L by cost, USD', 'P&L by mark, USD', 'half-spreads of maker fills, bps of $1 a share']) {
      expect(text).toContain(`${title}; mark = last trade`);
    }
    const page = await renderReport(run);
    const captions = [...page.matchAll(/<caption>([^<]*)<\/caption>/g)].map(([, caption]) => caption ?? '');
    const marked = captions.filter(
      (caption) => !/^(Fill ratio by level|Maker fills by level|Tapes|Why orders)/.test(caption),
    );
    expect(marked.length).toBeGreaterThan(3);
    for (const caption of marked) expect(caption).toContain('last trade');
    expect(page).not.toContain('mid of everybody');
  });

  it('has a different event log from a tape of candles with the same rows', async () => {
    const hashes = await Promise.all(
      (['trades', 'candles'] as const).map(async (content) => {
        const { result } = await runScenario(MESSAGES.slice(0, 2), KEEPER, head(content));
        return result.eventLogHash;
      }),
    );
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});

describe('a tape of candles', () => {
  it('fills no maker, which a warning reports', async () => {
    const { result, detail } = await runScenario(MESSAGES, KEEPER, head('candles'));
    expect(result.orders.placed).toBe(1);
    expect(result.fills.count).toBe(0);
    expect(result.models.mark).toBe('close of the last candle');
    expect(detail.warnings.join(' ')).toContain('candles only');
  });

  it('refuses settings that would fill makers', async () => {
    const spec = { ...KEEPER, trades_only: { fill: 'through' } };
    await expect(runScenario(MESSAGES, spec, head('candles'))).rejects.toThrow(/trades_only\.fill: expected "none"/);
  });

  it('refuses takers, unless a half-spread is assumed', async () => {
    const taker = { strategy: 'trade-keeper', params: { bid: 6_100, shares: 5, takes: true } };
    const refused = await runScenario(MESSAGES, taker, head('candles'));
    expect(refused.result.orderReasons.rejected).toEqual({ VENUE_MODE: 1 });
    const spec = { ...taker, trades_only: { fill: 'none', assumed_half_spread_bps: 50 } };
    const { result } = await runScenario(MESSAGES, spec, head('candles'));
    expect(result.fills).toMatchObject({ taker: 1, shares: 5_000_000 });
  });
});

describe('tapes of different content', () => {
  it('cannot be used in one run', async () => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), MESSAGES, { ...headOf('a', 1, 1), content: 'trades' });
    writeTape(join(folder, 'b.tape'), MESSAGES, headOf('b', 1, 2));
    const spec = parseRunSpec({ ...KEEPER, tapes: ['a.tape', 'b.tape'], report_dir: null });
    const run = runBacktest(spec, options(folder));
    await expect(run).rejects.toThrow(InputFault);
    await expect(run).rejects.toThrow(/tapes\[1\]: expected a tape of trades, like the first tape/);
  });
});

describe('a venue that replays tapes without a book', () => {
  it('has the same models as a backtest', () => {
    const folder = scratchFolder();
    const path = join(folder, 'a.tape');
    const models = (content: 'trades' | 'candles' | undefined) => {
      writeTape(path, MESSAGES, head(content));
      const [parsed] = replaySchema.parse([{ tape: path }]);
      if (parsed === undefined) throw new Error('no replay');
      return openReplays([{ ...parsed, tape: path, fromField: 'from' }])[0]?.models;
    };
    expect(models('trades')).toMatchObject({ trades_only: { fill: 'through' } });
    expect(models('candles')).toMatchObject({ trades_only: { fill: 'none' } });
    expect(models(undefined)).not.toHaveProperty('trades_only');
  });
});
