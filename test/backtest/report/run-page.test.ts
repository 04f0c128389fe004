import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../src/backtest/report/run-page.ts';
import { sampleRun } from '../sample-run.ts';

const page = await renderReport(sampleRun());

/** Text of a table's cells, row by row. */
function cells(caption: string): readonly (readonly string[])[] {
  const start = page.indexOf(`<caption>${caption}`);
  if (start < 0) throw new Error(`there is no table "${caption}"`);
  const body = page.slice(page.indexOf('<tbody>', start), page.indexOf('</tbody>', start));
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell),
  );
}

/** The first match of a pattern. Expectations on the page itself would print all of it on failure. */
function first(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[0];
}

/** The page without its own scripts, styles and data. */
function markup(text: string): string {
  return text.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '<$1>');
}

function micros(text: string | undefined): number {
  return Number((text ?? '').replace('−', '-').replace(/[,.]/g, ''));
}

describe('the report', () => {
  it('loads no external resource', () => {
    expect(first(markup(page), /https?:\/\/(?!www\.w3\.org\/)/)).toBeUndefined();
    expect(first(page, /<script [^>]*src|@import|url\(|<iframe|<object|<embed/i)).toBeUndefined();
  });

  it('allows only its own scripts by their hashes in the policy', () => {
    const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
    const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(scripts.map((text) => text.slice(0, 60))).toEqual([
      expect.stringContaining('leeoniya/uPlot'),
      expect.stringContaining('Decodes and formats numbers'),
      expect.stringContaining('Own fills on a price chart'),
      expect.stringContaining('Runs in the page of a report'),
    ]);
    const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashes.join(' ')}; img-src data:`;
    expect(first(page, /<meta http-equiv="Content-Security-Policy"[^>]*>/)).toContain(`content="${policy}"`);
  });

  it('splits the P&L twice, and both tables add up to the same total to the last micro-dollar', () => {
    const causes = cells('By cause');
    const parts = causes.slice(0, -1).map(([, amount]) => micros(amount));
    expect(causes.map(([name]) => name)).toEqual([
      'Spread',
      'Inventory',
      'Settlement',
      'Fees',
      'Rewards',
      'Rounding',
      'Total',
    ]);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(micros(causes.at(-1)?.[1]));
    const booked = new Map(cells('By cost basis').map(([name = '', amount]) => [name, micros(amount)]));
    const get = (name: string): number => booked.get(name) ?? Number.NaN;
    expect(get('Realized') + get('Unrealized')).toBe(get('Total'));
    expect(get('of which trading') + get('of which settlement') + get('of which fees')).toBe(get('Realized'));
    expect(get('Total')).toBe(micros(causes.at(-1)?.[1]));
    expect(page.includes('payout with the <em>cost</em>'), 'payout with the <em>cost</em>').toBe(true);
  });

  it('says how the only market ended, or that it was still open', async () => {
    const { result, detail } = sampleRun();
    const [market] = detail.markets;
    if (market === undefined) throw new Error('the sample has no market');
    const leadOf = async (payout: number | undefined) => {
      const text = await renderReport({ result, detail: { ...detail, markets: [{ ...market, payout }] } });
      return first(text, / The market (ended|was)[^<]*/);
    };
    expect(await leadOf(10_000)).toBe(' The market ended: YES (Player One).');
    expect(await leadOf(undefined)).toBe(' The market was still open at the end of the run.');
  });

  it('lists why orders were rejected or refused, most frequent first', () => {
    expect(cells('Why orders were rejected or refused')).toEqual([
      ['CONFLICT', 'venue', '203'],
      ['POST_ONLY_WOULD_CROSS', 'venue', '3'],
      ['MAX_POSITION', 'own risk', '18'],
      ['STALE_BOOK', 'own risk', '2'],
    ]);
  });

  it('has every section', () => {
    for (const part of [
      'Profit and loss over time',
      'Drawdown over time',
      'Inventory over time',
      'Price with own fills',
      'Spread captured and kept',
      'Maker fills by level and side',
      'Fills and P&#38;L by tag',
      'Half-spreads of maker fills, and of the makers on the tape',
      'Read this before you believe it',
      'order_amount',
      'ab'.repeat(32),
      'cd'.repeat(32),
      '1f'.repeat(32),
      '2e'.repeat(32),
      'Latency is constant',
      'risk max_position',
      'halfspread 0.1.0',
    ]) {
      expect(page.includes(part), part).toBe(true);
    }
  });

  it('reports which share of the fills a chart shows', async () => {
    const { result, detail } = sampleRun();
    const markets = detail.markets.map(({ lines, ...market }) => ({
      ...market,
      lines: lines && { ...lines, storedEvery: 2 },
    }));
    expect(await renderReport({ result, detail: { ...detail, markets } })).toMatch(
      /Only 1 in 2 of the \d+ fills is drawn/,
    );
  });

  it('describes every chart in text', () => {
    const drawn = [...page.matchAll(/<svg class="plot"[^>]*role="img"[^>]*aria-label="([^"]*)"/g)];
    const overTime = [...page.matchAll(/<div class="chart"[^>]*aria-label="([^"]*)"/g)];
    const labels = new Set([...drawn, ...overTime].map(([, label = '']) => label));
    expect([drawn.length, overTime.length, labels.size]).toEqual([6, 4, 7]);
    for (const label of labels) expect(label.length).toBeGreaterThan(30);
  });

  it('links to each of its parts and to each market with charts', () => {
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(targets).toContain('equity');
    expect(targets).toContain('assumptions');
    expect(targets.some((id) => id?.startsWith('market-'))).toBe(true);
    for (const id of targets) expect(page.includes(`id="${id}"`), id).toBe(true);
  });

  it('contains nothing about the machine or its speed', async () => {
    const { result, detail } = sampleRun();
    const otherMachine = { ...result, wallMs: 987_654, eventsPerSecond: 3, peakRssMb: 1, report: '/tmp/x.html' };
    expect((await renderReport({ result: otherMachine, detail })) === page).toBe(true);
  });

  it('is the same in every run', async () => {
    expect((await renderReport(sampleRun())) === page).toBe(true);
  });

  it('shows half-spreads against the mark, and below them against the recorded mid', () => {
    const [, main = '', other = ''] = page.split(
      /<caption>(?=Half-spreads of maker|The same against the recorded mid)/,
    );
    expect(main).toContain('72.4');
    expect(other).toMatch(/70\.4[\s\S]*60\.3/);
    expect(main).not.toContain('70.4');
  });

  it('escapes HTML in the question of a market', async () => {
    const question = `<script>alert("x")</script><img src=x onerror='alert(1)'>&copy; \`"`;
    const hostile = await renderReport(sampleRun({ question }));
    expect(first(markup(hostile), /<script>alert|<img|onerror='/i)).toBeUndefined();
    expect(
      hostile.includes('&#60;script&#62;alert(&#34;x&#34;)&#60;/script&#62;'),
      '&#60;script&#62;alert(&#34;x&#34;)&#60;/script&#62;',
    ).toBe(true);
  });

  it('is complete for a run without a fill', async () => {
    const { result, detail } = sampleRun({ fills: 0 });
    const none = { own: undefined, recorded: undefined };
    const empty = await renderReport({
      result: { ...result, fillsByTag: {}, volumeShare: null },
      detail: {
        ...detail,
        effective: none,
        horizons: detail.horizons.map(({ label }) => ({ label, ...none })),
        levels: [],
        equity: { time: [], value: [] },
        drawdown: { time: [], value: [] },
        capital: { meanInUseMicros: 0, maxInUseMicros: 0, returnPerDollarDay: undefined, sharpe: undefined },
        warnings: [],
      },
    });
    expect(empty.includes('There was no maker fill'), 'There was no maker fill').toBe(true);
    expect(empty.includes('Read this before'), 'Read this before').toBe(false);
    expect(first(markup(empty), /NaN|Infinity|undefined/)).toBeUndefined();
  });

  it('lists only the most traded of many markets, with a note', async () => {
    const { result, detail } = sampleRun({ points: 10, fills: 5 });
    const [market] = detail.markets;
    if (market === undefined) throw new Error('the sample has a market');
    const markets = Array.from({ length: 250 }, (_, index) => {
      return { ...market, question: `Number ${index}?`, fills: index, lines: index < 2 ? market.lines : undefined };
    });
    const many = await renderReport({ result, detail: { ...detail, markets } });
    expect(many.includes('Own trading in the 100 markets with most fills, of 250')).toBe(true);
    expect(many.includes('248 more markets have no charts')).toBe(true);
    expect([...many.matchAll(/>Number (\d+)\?(?:<\/a>)?<\/th>/g)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 100 }, (_, index) => 249 - index),
    );
  });

  it('stays below 400 kB with 2,000 points per line and 2,000 fills', async () => {
    const large = await renderReport(sampleRun({ points: 2_000, fills: 2_000 }));
    expect(large.length).toBeLessThan(400_000);
  });
});
