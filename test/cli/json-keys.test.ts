/** Checks that docs/json.md documents every key that commands print with `--json`. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../src/cli/commands.ts';
import { OPERATOR_COMMANDS } from '../../src/server/index.ts';
import { MARKET_COMMANDS } from '../../src/server/operators/market-commands.ts';
import { newFolder, ROOT } from './halfspread.ts';
import { expectAllDocumented, expectNamed, sectionsOfPage } from './json-page.ts';
import { serving } from './serving.ts';
import { runInProcess } from './trading.ts';

const TAPE = join(ROOT, 'config/tapes/betfair-1.200806927.tape');
const RECORDING = join(ROOT, 'test/fixtures/betfair/1.197931751.gz');

describe('docs/json.md', () => {
  it('names every key that `tape info`, `tape check`, `import betfair` and `import polymarket` print, at any depth', async () => {
    for (const command of ['info', 'check']) {
      const { stdout } = await runInProcess(['tape', command, TAPE, '--json']);
      expectAllDocumented('tape', JSON.parse(stdout));
    }
    const folder = newFolder();
    copyFileSync(TAPE, join(folder, 'a.tape'));
    writeFileSync(join(folder, 'b.tape'), 'none');
    const listed = await runInProcess(['tape', 'list', folder, '--json']);
    expectAllDocumented('tape', JSON.parse(listed.stdout));
    const joined = await runInProcess(['tape', 'join', TAPE, '--out', join(folder, 'c.tape'), '--json']);
    expectAllDocumented('tape', JSON.parse(joined.stdout));
    const stats = await runInProcess(['tape', 'stats', TAPE, '--json']);
    expectAllDocumented('tape', JSON.parse(stats.stdout));
    for (const [venue, recording] of [
      ['betfair', RECORDING],
      ['polymarket', join(ROOT, 'test/fixtures/captures/polymarket.jsonl')],
    ] as const) {
      const { code, stdout } = await runInProcess(['import', venue, recording, '--json'], newFolder());
      expect(code).toBe(0);
      expectAllDocumented('import', JSON.parse(stdout), ['tape']);
    }
  });

  it('refers to docs/backtesting.md, which names every key that `backtest` prints, at any depth', async () => {
    const { code, stdout } = await runInProcess(['backtest', 'config/backtest.yaml', '--json', '--no-report']);
    expect(code).toBe(0);
    const page = readFileSync(join(ROOT, 'docs/backtesting.md'), 'utf8');
    const [, section = ''] = /^## The numbers of `--json`$([\s\S]*?)^## /m.exec(page) ?? [];
    expectNamed(section, JSON.parse(stdout));
  });

  it('names every key that operator commands print, and every command whose result is not a market', async () => {
    const { operate, stop } = await serving(['--db', ':memory:', '--seed', '--log', 'silent'], newFolder());
    const result = async (command: string, args: object = {}): Promise<unknown> => {
      const answer = Object(await operate(command, args));
      expect(answer, command).toMatchObject({ ok: true });
      return answer.result;
    };
    await result('put-category', { slug: 'tests', name: 'Tests' });
    const market = Object(
      await result('create-market', {
        question: 'Does it rain?',
        rules: 'As measured.',
        category: 'tests',
        resolution_date: '2100-01-01T00:00:00Z',
      }),
    );
    const printed = {
      market: market,
      'put-category': await result('put-category', { slug: 'tests', name: 'Tests' }),
      'put-topic': await result('put-topic', { slug: 'rain', name: 'Rain', category: 'tests' }),
      markets: await result('markets'),
      catalogue: await result('catalogue'),
      actions: await result('actions'),
      mode: await result('mode', { mode: 'NORMAL' }),
      notice: await result('notice', { message: 'soon' }),
      snapshot: await result('snapshot'),
    };
    const { config, ...status } = Object(await result('status'));
    for (const each of [...Object.values(printed), status]) expectAllDocumented('venue', each);
    // docs/configuration.md documents the settings of `configure`.
    const settings = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    for (const key of Object.keys(config)) expect(settings).toContain(`\`exchange.${key}\``);
    const named = sectionsOfPage().get('venue') ?? '';
    const others = Object.keys(OPERATOR_COMMANDS).filter((name) => !Object.hasOwn(MARKET_COMMANDS, name));
    expect(others.filter((name) => !named.includes(`\`${name}\``))).toEqual([]);
    await stop('SIGTERM');
  }, 120_000);

  it('names each command with --json except backtest, which has its own page', () => {
    const text = [...sectionsOfPage()].map(([title, section]) => `${title}\n${section}`).join('\n');
    const withJson = GROUPS.flatMap(([, commands]) => commands)
      .flatMap((spec) => [spec, ...(spec.commands ?? [])])
      .filter(({ options = {} }) => '--json' in options)
      .map(({ name }) => name);
    expect(withJson.length).toBeGreaterThan(10);
    const missing = withJson.filter((name) => name !== 'backtest' && !new RegExp(`\\b${name}\\b`).test(text));
    expect(missing).toEqual([]);
  });
});
