import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { halfspread, newFolder } from './halfspread.ts';

const WINDOW = ['--set', 'from=2022-07-11T12:00:00Z', '--set', 'to=2022-07-11T12:05:00Z'];

describe('halfspread compare', () => {
  it('compares a configuration with its baselines and with its own stored result, which has no differences', async () => {
    const stored = join(newFolder(), 'stored.json');
    const first = await halfspread(['backtest', 'config/demo.yaml', '--json', '--no-report', ...WINDOW]);
    // Some editors save UTF-8 with a byte order mark.
    writeFileSync(stored, `\uFEFF${first.stdout}`);
    const report = join(newFolder(), 'pages', 'compared.html');
    const { stdout, code } = await halfspread([
      'compare',
      '--report',
      report,
      stored,
      'config/demo.yaml',
      '--baselines',
      '--json',
      ...WINDOW,
    ]);
    expect(code).toBe(0);
    const { runs, differences, sameTapes } = JSON.parse(stdout);
    expect(sameTapes).toBe(true);
    expect(runs.map(({ name }: { name: string }) => name)).toEqual([
      stored,
      'config/demo.yaml',
      'do nothing',
      'join the best prices',
      'one tick wide',
    ]);
    expect(differences[0]).toMatchObject({
      fills: 0,
      shares: 0,
      pnlMicros: 0,
      pairedBy: 'market',
      pairs: 1,
      interval: null,
    });
    expect(runs[2]).toMatchObject({ strategy: 'baseline', fills: 0, pnlMicros: 0 });
    expect(runs[4].fills).toBeGreaterThan(runs[3].fills);
    const page = readFileSync(report, 'utf8');
    expect(page).toContain('<h1>Comparison of 5 runs</h1>');
    expect(page).toContain('join the best prices');
    expect(page).not.toMatch(/<script|NaN|undefined/);
    const piped = await halfspread(['compare', stored, stored]);
    expect(piped.stdout).toContain('effective bps');
    expect(piped.stdout).not.toContain('not shown');
  });

  it('refuses options that change a configuration when every run is a stored result', async () => {
    for (const [effect, ...option] of [
      ['run with baselines', '--baselines'],
      ['changed', '--set', 'params.order_amount=5'],
    ] as const) {
      const { code, stderr } = await halfspread(['compare', 'a.json', 'b.json', ...option]);
      const expected = `the YAML file of a backtest as one of the runs, because a stored result cannot be ${effect},`;
      expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
    }
    const live = await halfspread(['compare', '--live', 'x.steps', '--baselines']);
    expect([live.code, live.stderr]).toEqual([2, expect.stringContaining('no --baselines together with --live')]);
  });

  it('refuses a single run and a file that is not a result, and names the invalid field', async () => {
    const path = join(newFolder(), 'other.json');
    writeFileSync(path, '{"strategy":"ladder","tape":{"name":1}}');
    const wrong = await halfspread(['compare', path, path]);
    expect(wrong.stderr).toContain(`${path}, tape.name: this is not the result of a backtest`);
    expect(wrong.code).not.toBe(0);
    const missing = await halfspread(['compare', join(newFolder(), 'missing.json'), path]);
    expect(missing.stderr).toMatch(/^error: \S+missing\.json: there is no such file or folder\. Name a file/);
    expect(missing.code).toBe(3);
    const single = await halfspread(['compare', 'config/demo.yaml', ...WINDOW]);
    expect(single.stderr).toContain('at least two runs, or one with --baselines');
  });
});

describe('halfspread backtest --sensitivity', () => {
  it('runs every combination of queue, latency and book, and writes a page', async () => {
    const folder = newFolder();
    const { stdout } = await halfspread([
      'backtest',
      'config/demo.yaml',
      '--sensitivity',
      '--out',
      folder,
      '--json',
      '--quiet',
      ...WINDOW,
    ]);
    const cells: readonly { queue: string; latency: number; reactive: boolean; fills: number }[] = JSON.parse(stdout);
    expect(new Set(cells.map(({ queue, latency, reactive }) => `${queue} ${latency} ${reactive}`)).size).toBe(18);
    expect(readFileSync(join(folder, 'sensitivity.html'), 'utf8')).toMatch(
      /<h1>demo\.yaml under other models<\/h1>.*Reactive book.*Immutable book/s,
    );
    const { stdout: single } = await halfspread(['backtest', 'config/demo.yaml', '--json', '--no-report', ...WINDOW]);
    const configured = cells.find(
      ({ queue, latency, reactive }) => queue === 'risk-averse' && latency === 1 && reactive,
    );
    expect(configured?.fills).toBe(JSON.parse(single).fills.count);
  });
});
