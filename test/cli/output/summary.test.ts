import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../src/backtest/report/run-page.ts';
import { summary } from '../../../src/cli/output/summary.ts';
import { formatMicros, microUsd } from '../../../src/domain/index.ts';
import { sampleRun } from '../../backtest/sample-run.ts';

const run = sampleRun();
const text = summary(run, { columns: 100, colors: false });

/** Name and value of each row under a title. */
function section(title: string): readonly (readonly [string, string])[] {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.startsWith(title)) + 1;
  const length = lines.slice(from).findIndex((line) => !line.startsWith('  '));
  return lines.slice(from, from + length).map((line) => [line.slice(2, 28).trim(), line.slice(28).trim()]);
}

/** `-1,234.567891` as micro-dollars. */
function micros(amount: string): number {
  return Number(amount.replaceAll(',', '').replace('.', ''));
}

describe('the summary in a terminal', () => {
  it('keeps the end of a long market name and a space after it', () => {
    const markets = ['one', 'two'].map((end) => ({
      slug: `who-will-win-the-final-of-the-cup-${end}`,
      payout: 10_000,
      fills: 1,
      ownShares: 1_000_000,
      recordedShares: 2_000_000,
      pnlMicros: 3,
      maxInventoryShares: 1_000_000,
    }));
    const long = summary({ ...run, result: { ...run.result, markets } }, { columns: 100, colors: false });
    expect(long).toMatch(/^ {2}who-\S+-one -?\d/m);
    expect(long).toMatch(/^ {2}who-\S+-two -?\d/m);
  });

  it.each(['P&L by cost, USD', 'P&L by mark, USD'])('shows parts that add up to the micro-dollar: %s', (title) => {
    const rows = section(title).map(([name, value]) => [name, micros(value)] as const);
    const parts = rows.slice(0, -1).reduce((sum, [, value]) => sum + value, 0);
    expect(rows.at(-1)).toEqual(['total', parts]);
    expect(parts).toBe(run.result.pnl.totalMicros);
  });

  it('shows the same amounts as the JSON object and the report, to the last digit', async () => {
    const { pnl, split, fillsByTag, maxDrawdownMicros } = run.result;
    const page = (await renderReport(run)).replaceAll('−', '-').replaceAll(',', '');
    const tags = Object.values(fillsByTag).flatMap(({ count, pnlMicros }) => (count > 0 ? [pnlMicros] : []));
    const { realizedMicros, unrealizedMicros } = pnl;
    for (const amount of [realizedMicros, unrealizedMicros, ...Object.values(split), ...tags, maxDrawdownMicros]) {
      const exact = formatMicros(microUsd(amount));
      expect(text.replaceAll(',', '')).toContain(exact);
      expect(page).toContain(exact);
    }
  });

  it('shows why orders were rejected or refused, or nothing when none was', () => {
    const rows = section('ladder on');
    expect(rows).toContainEqual(['rejected by the venue', 'CONFLICT 203, POST_ONLY_WOULD_CROSS 3']);
    expect(rows).toContainEqual(['refused by risk', 'MAX_POSITION 18, STALE_BOOK 2']);
    const paused = { ...run.result, orderReasons: { rejected: {}, refused: { PAUSED: 48, MAX_ORDER: 2 } } };
    const stopped = summary({ ...run, result: paused }, { columns: 100, colors: false });
    expect(stopped).toMatch(/^ {2}refused by risk +MAX_ORDER 2$/m);
    expect(stopped).toMatch(/^ {2}not sent while stopped +PAUSED 48$/m);
    expect(stopped).toMatch(/206 rejected, 2 refused$/m);
    const calm = { ...run.result, orderReasons: { rejected: {}, refused: {} } };
    expect(summary({ ...run, result: calm }, { columns: 100, colors: false })).not.toMatch(/rejected by|refused by/);
  });

  it('shows the return on capital in use, and per day only for a run of at least a day with many returns', () => {
    expect(text).toMatch(/^ {2}return on capital in use +-11\.08 % of \$[\d,.]+ on average$/m);
    const capital = { ...run.detail.capital, sharpe: { value: 1, count: 30, of: 'day' } } as const;
    const many = summary({ ...run, detail: { ...run.detail, capital } }, { columns: 100, colors: false });
    expect(many).toMatch(/^ {2}return on capital in use +-1\.79 % a day of \$[\d,.]+ on average$/m);
    const tape = { ...run.result.tape, from: '2022-07-11T12:47:27.332Z' };
    const short = summary({ ...run, result: { ...run.result, tape } }, { columns: 100, colors: false });
    expect(short).toMatch(/^ {2}return on capital in use +-\d+\.\d\d % of \$[\d,.]+ on average$/m);
  });

  it('reports that no market of the run has a resolution', () => {
    const horizons = run.detail.horizons.map((row) =>
      row.label === 'resolution' ? { label: row.label, own: undefined, recorded: undefined } : row,
    );
    const text = summary({ ...run, detail: { ...run.detail, horizons } }, { columns: 100, colors: false });
    expect(text).toMatch(/^ {2}resolution +no resolution on the tape$/m);
    expect(text).not.toMatch(/resolution +-/);
  });

  it('shows the realized spread next to that of the recorded makers', () => {
    const { effective, horizons } = run.detail;
    const rows = section('half-spreads');
    expect(rows.map(([name]) => name)).toEqual([
      'at the fill',
      ...horizons.map(({ label }) => (label === 'resolution' ? label : `after ${label}`)),
    ]);
    expect(rows[0]?.[1]).toBe(
      `${effective.own?.bps.toFixed(1)}   recorded makers ${effective.recorded?.bps.toFixed(1).padStart(8)}`,
    );
  });
});

describe('the summary of several markets', () => {
  it('shows the largest share of recorded volume in a market, as a maximum', () => {
    const { result, detail } = run;
    const [market] = detail.markets;
    const several = { result, detail: { ...detail, markets: [market, market].flatMap((item) => item ?? []) } };
    const wide = { columns: 120, colors: false };
    expect(several.detail.markets).toHaveLength(2);
    expect(summary(several, wide)).toMatch(/shares, at most [\d.]+ % of recorded volume/);
    expect(summary({ result, detail: { ...detail, markets: detail.markets.slice(0, 1) } }, wide)).not.toContain(
      'at most',
    );
  });
});
