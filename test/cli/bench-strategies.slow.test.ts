import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { halfspread, newFolder, ROOT } from './halfspread.ts';

const SMALL = ['bench-strategies', '--rows', '1000', '--regime', 'calm', '--regime', 'jumpy', '--strategy', 'ladder'];

describe('halfspread bench-strategies', () => {
  it('prints the same table with one worker and with two, including the baselines', async () => {
    const page = join(newFolder(), 'a', 'results.md');
    const [oneWorker, twoWorkers] = await Promise.all([
      halfspread([...SMALL, '--json', '--workers', '1', '--markdown', page]),
      halfspread([...SMALL, '--json', '--workers', '2']),
    ]);
    expect({ code: oneWorker.code, stderr: oneWorker.stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^report: .*results\.md\n$/),
    });
    expect(twoWorkers.stdout).toBe(oneWorker.stdout);
    const rows: readonly { regime: string; strategy: string; markets: number; problem: unknown }[] = JSON.parse(
      oneWorker.stdout,
    );
    const names = ['ladder', 'do nothing', 'join the best prices', 'one tick wide'];
    expect(rows.map(({ regime, strategy }) => `${regime} ${strategy}`)).toEqual(
      ['calm', 'jumpy'].flatMap((regime) => names.map((name) => `${regime} ${name}`)),
    );
    expect(rows.every(({ markets, problem }) => markets === 4 && problem === null)).toBe(true);
    expect(readFileSync(page, 'utf8')).toMatch(/^# Results of the benchmark set\n.*\n## jumpy\n\n4 markets\.\n/s);
  }, 120_000);

  it('refuses an unknown strategy and an unknown regime', async () => {
    const strategy = await halfspread(['bench-strategies', '--strategy', 'laddr']);
    expect([strategy.code, strategy.stderr]).toEqual([
      2,
      expect.stringMatching(/--strategy: expected one of .*ladder/),
    ]);
    const regime = await halfspread(['bench-strategies', '--regime', 'wild']);
    expect([regime.code, regime.stderr]).toEqual([
      2,
      expect.stringMatching(/--regime: expected one of recorded, calm/),
    ]);
  });

  it('reproduces a section of docs/strategies/results.md byte for byte', async () => {
    const page = join(newFolder(), 'results.md');
    const { code } = await halfspread(['bench-strategies', '--regime', 'resolution', '--markdown', page]);
    expect(code).toBe(0);
    const shipped = sections(readFileSync(join(ROOT, 'docs/strategies/results.md'), 'utf8'));
    for (const [regime, table] of sections(readFileSync(page, 'utf8')))
      expect(table, 'run `npm run docs:results`').toBe(shipped.get(regime));
  }, 300_000);
});

function sections(page: string): ReadonlyMap<string, string> {
  return new Map(page.split(/^(?=## )/m).map((part) => [part.split('\n', 1)[0] ?? '', part.trimEnd()]));
}
