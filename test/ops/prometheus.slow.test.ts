/** Debian's Prometheus checks the rules and scrapes a bot that trades. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { afterThisTest } from '../cleanup.ts';
import { newFolder } from '../cli/halfspread.ts';
import { endAll, openVenue, TestBot, until } from '../cli/trading.ts';
import { freePort } from '../free-port.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const RULES = join(import.meta.dirname, '../../ops/prometheus');
const boardSchema = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});
const targetsSchema = z.object({
  data: z.object({ activeTargets: z.array(z.object({ health: z.string(), lastError: z.string() })) }),
});
const querySchema = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

describe('the rules of ops/prometheus', () => {
  it('are valid, and pass their tests', () => {
    const promtool = (...given: string[]): string =>
      execFileSync('promtool', given, { cwd: RULES, encoding: 'utf8', timeout: 120_000 });
    expect(promtool('check', 'config', 'prometheus.yml')).toMatch(/SUCCESS: .*\n\n.*rules found/s);
    expect(promtool('test', 'rules', 'rules.test.yml')).toContain('SUCCESS');
  });

  it('and the expressions of the Grafana board are valid for Prometheus', () => {
    const board = readFileSync(join(RULES, '../grafana/provisioning/dashboards/bots.json'), 'utf8');
    const { panels } = boardSchema.parse(JSON.parse(board));
    const rules = panels
      .flatMap(({ targets }) => targets)
      .map(({ expr }, at) => ({ record: `panel:${at}`, expr: expr.replaceAll('$bot', '.*') }));
    expect(rules.length).toBeGreaterThan(20);
    const file = join(newFolder(), 'board.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules }] }));
    const checked = execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8', timeout: 120_000 });
    expect(checked).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});

describe('Prometheus', () => {
  let url = '';
  let close: () => Promise<void> = async () => {};
  beforeAll(async () => {
    ({ url, close } = await openVenue());
  });
  afterAll(async () => {
    await close();
    endAll();
  });

  it('scrapes a bot that trades, without an error', async () => {
    const bot = new TestBot(url, 'metrics: { port: 0 }');
    const run = await bot.run();
    const client = await bot.client();
    await until(async () => (await client.countOpenOrders()) === 8, 'eight orders at the venue');
    const port = /metrics on port (\d+)/.exec(run.output())?.[1] ?? '';
    const folder = newFolder();
    const config = `global: { scrape_interval: 1s }\nscrape_configs:\n  - job_name: halfspread\n    static_configs: [{ targets: ["127.0.0.1:${port}"] }]\n`;
    writeFileSync(join(folder, 'prometheus.yml'), config);
    const address = `127.0.0.1:${await freePort()}`;
    const given = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${address}`];
    const prometheus = spawn('prometheus', given, { cwd: folder, stdio: 'ignore' });
    const ended = once(prometheus, 'exit');
    afterThisTest.add(async () => {
      prometheus.kill('SIGTERM');
      await ended;
    });
    const api = async (path: string): Promise<unknown> => (await fetch(`http://${address}/api/v1/${path}`)).json();
    const sampleOf = async (query: string): Promise<number> => {
      const { data } = querySchema.parse(await api(`query?query=${encodeURIComponent(query)}`));
      return Number(data.result[0]?.value[1] ?? Number.NaN);
    };
    await until(
      () =>
        sampleOf('halfspread_bot_open_orders').then(
          (open) => open === 8,
          () => false,
        ),
      'Prometheus has the orders',
    );
    expect(targetsSchema.parse(await api('targets')).data.activeTargets).toEqual([{ health: 'up', lastError: '' }]);
    expect(await sampleOf('halfspread_bot_order_send_seconds_count')).toBeGreaterThan(0);
    expect(await sampleOf('halfspread_bot_journal_write_seconds_count')).toBeGreaterThanOrEqual(8);
    expect(await sampleOf('halfspread_bot_order_answer_seconds_count')).toBeGreaterThanOrEqual(8);
    expect(await sampleOf('count(halfspread_bot_market_quoted == 1)')).toBe(4);
    expect(await sampleOf('halfspread_bot_database_bytes')).toBeGreaterThan(0);
    expect(await sampleOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    run.child.kill('SIGTERM');
    await run.end;
  });
});
