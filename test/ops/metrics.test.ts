import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { botMetrics, serveMetrics } from '../../src/ops/index.ts';
import { MAX_MARKETS } from '../../src/ops/watch/metrics.ts';
import { afterThisTest } from '../cleanup.ts';
import { LINE, metricsSource, REPORT } from './metrics-source.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');

describe('the metrics of a bot', () => {
  it('match docs/metrics.md in name, type, labels and meaning', async () => {
    const text = await botMetrics(everySeries()).metrics();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    const shown = types.map(([, name = '', type = '']) => {
      const help = new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(text)?.[1];
      const labels = new RegExp(`^${name}\\{(.*)\\} `, 'm').exec(text)?.[1] ?? '';
      const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).join(', ');
      return [name, type, names, help];
    });
    const rows = [...PAGE.matchAll(/^\| `(halfspread_bot_\w+)` \| (\w+) \| ([^|]*) \| ([^|]+) \| [^|]+ \|$/gm)];
    const described = rows.map(([, name, type, labels = '', help = '']) => [
      name,
      type,
      labels.replaceAll('`', '').trim(),
      help.trim(),
    ]);
    expect(described.toSorted()).toEqual(shown.toSorted());
  });

  it('count the age of a quoted book that never arrived from the start of the process', async () => {
    const oldest = async (more: object): Promise<string | undefined> => {
      const markets = [LINE, { ...LINE, bookAgeMs: null, ...more }];
      return seriesValue(
        await botMetrics(metricsSource({ markets })).metrics(),
        'halfspread_bot_oldest_book_age_seconds',
      );
    };
    expect(await oldest({})).toBe('60');
    expect(await oldest({ strategy: null })).toBe('0.04');
    expect(await oldest({ acceptingOrders: false })).toBe('0.04');
  });

  it('show each limit in the market where it is closest to its bound, and omit unbounded limits', async () => {
    const text = await botMetrics(metricsSource()).metrics();
    expect(text.match(/^halfspread_bot_limit_used_ratio.*$/gm)).toEqual([
      'halfspread_bot_limit_used_ratio{limit="max_position"} 0.9',
      'halfspread_bot_limit_used_ratio{limit="max_open_orders"} 1',
    ]);
  });

  it('show quoted sides, P&L by cause, and the number of unknown orders', async () => {
    const text = await botMetrics(metricsSource()).metrics();
    for (const line of [
      'halfspread_bot_market_quoted{market="rain",side="bid"} 1',
      'halfspread_bot_market_quoted{market="rain",side="ask"} 0',
      'halfspread_bot_market_position_shares{market="rain"} 5',
      'halfspread_bot_pnl_today_usd{cause="inventory"} -0.5',
      'halfspread_bot_unknown_orders 2',
      'halfspread_bot_markout_usd{after="5 s"} -0.25',
      'halfspread_bot_markout_shares_total{after="5 s"} 40',
      'halfspread_bot_kill_unverified 0',
    ])
      expect(text).toContain(`${line}\n`);
    const killed = await botMetrics(metricsSource({ mode: 'KILLED', killVerified: null })).metrics();
    expect(seriesValue(killed, 'halfspread_bot_kill_unverified')).toBe('1');
  });

  it('have series for at most 200 of ten thousand markets, and keep these markets while they are open', async () => {
    const all = Array.from({ length: 10_000 }, (_, at) => ({ ...LINE, slug: `m${at}` }));
    let markets = all;
    const registry = botMetrics({ ...metricsSource(), report: () => ({ ...REPORT, markets }) });
    const scrape = async (): Promise<readonly (string | undefined)[]> => {
      const text = await registry.metrics();
      expect(seriesValue(text, 'halfspread_bot_markets')).toBe(String(markets.length));
      expect(seriesValue(text, 'halfspread_bot_markets_without_series')).toBe(String(markets.length - MAX_MARKETS));
      return [...text.matchAll(/^halfspread_bot_market_worth_usd\{market="(\w+)"\}/gm)].map(([, slug]) => slug);
    };
    const first = await scrape();
    expect(first).toHaveLength(MAX_MARKETS);
    markets = all.toReversed();
    expect(new Set(await scrape())).toEqual(new Set(first));
    markets = all.slice(100);
    expect(await scrape()).toHaveLength(MAX_MARKETS);
  });

  it('put the times of orders into buckets', async () => {
    const source = metricsSource();
    source.times.recordSent(10, 10.15, 11.65);
    source.times.recordAnswer(30);
    source.times.recordWrite(0.3);
    const text = await botMetrics(source).metrics();
    for (const line of [
      'halfspread_bot_order_decide_seconds_bucket{le="0.0001"} 0',
      'halfspread_bot_order_decide_seconds_bucket{le="0.0002"} 1',
      'halfspread_bot_order_send_seconds_bucket{le="0.001"} 0',
      'halfspread_bot_order_send_seconds_bucket{le="0.002"} 1',
      'halfspread_bot_order_answer_seconds_bucket{le="0.025"} 0',
      'halfspread_bot_order_answer_seconds_sum 0.03',
      'halfspread_bot_journal_write_seconds_bucket{le="0.0002"} 0',
      'halfspread_bot_journal_write_seconds_bucket{le="0.0005"} 1',
    ])
      expect(text).toContain(`${line}\n`);
  });

  it('are served to Prometheus, and nothing else is', async () => {
    const registry = botMetrics(metricsSource());
    const server = await serveMetrics(registry, 0, '127.0.0.1');
    afterThisTest.add(() => server.close());
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toContain('halfspread_bot_up 1\n');
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
    await expect(serveMetrics(registry, server.port, '127.0.0.1')).rejects.toThrow(/metrics\.port: expected a port/);
  });
});

/** A source with a series for each labelled counter. */
function everySeries(): Parameters<typeof botMetrics>[0] {
  const source = metricsSource();
  const counted = { maker: 1, taker: 1 };
  const counters = Object.create(source.counters, {
    commands: { value: { place: 1 } },
    refused: { value: { STALE_BOOK: 1 } },
    rejected: { value: { BELOW_MIN: 1 } },
    uncertain: { value: 0 },
    reversedFills: { value: 0 },
    volume: { value: 0 },
    fees: { value: 0 },
    everFilled: { value: counted },
  });
  return { ...source, counters };
}

function seriesValue(text: string, name: string): string | undefined {
  return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
}
