import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { strategyFiles } from '../../src/cli/actions/strategy-template.ts';
import { typeErrors } from '../type-check.ts';
import { halfspread, newFolder, ROOT } from './halfspread.ts';
import { workspace } from './workspace.ts';

/** Creates an ignored folder inside the project, where `halfspread` resolves to the project. */
function folderInside(): string {
  const reports = join(ROOT, 'reports');
  mkdirSync(reports, { recursive: true });
  return newFolder(reports);
}

describe('halfspread new strategy', () => {
  it('creates a strategy that backtests', async () => {
    const { folder } = workspace();
    const made = await halfspread(['new', 'strategy', 'my-maker'], folder);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(join(folder, 'strategies/my-maker')).toSorted()).toEqual([
      'README.md',
      'my-maker.test.ts',
      'strategy.ts',
    ]);
    const run = await halfspread(
      ['backtest', 'run.yaml', '--json', '--no-report', '--set', 'strategy=my-maker', '--set', 'params={}'],
      folder,
    );
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({ strategy: 'my-maker', params: { half_spread: 100 } });
  });

  it('prints commands that the shell reads as one path when the folder has spaces', async () => {
    const { folder } = workspace();
    const { stdout } = await halfspread(['new', 'strategy', 'my-maker', '--dir', 'my bots'], folder);
    expect(stdout).toContain("npx vitest run 'my bots/my-maker'\n");
    expect(stdout).toContain(`--set strategy='${join(folder, 'my bots/my-maker')}' `);
  });

  it('creates a test that passes and that fails after a change of the strategy', async () => {
    const folder = folderInside();
    await halfspread(['new', 'strategy', 'my-maker', '--dir', folder]);
    const test = () => {
      const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
      return spawnSync(process.execPath, [vitest, 'run', '--root', folder], { encoding: 'utf8', timeout: 150_000 });
    };
    const passed = test();
    expect({ status: passed.status, said: passed.stdout }).toMatchObject({ status: 0 });
    expect(passed.stdout).toMatch(/2 passed/);
    const file = join(folder, 'my-maker/strategy.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace('mid + half_spread', 'mid - half_spread'));
    expect(test().status).toBe(1);
  });

  it('creates files that pass the project’s compiler and linter', () => {
    const files = strategyFiles('my-maker');
    const inProject = Object.entries(files).map(([name, text]) => [`strategies/my-maker/${name}`, text] as const);
    const code = inProject.filter(([path]) => path.endsWith('.ts'));
    expect(typeErrors(Object.fromEntries(code))).toEqual([]);
    for (const [path, text] of code) {
      const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
      const checked = spawnSync(process.execPath, [biome, 'check', '--write', `--stdin-file-path=${path}`], {
        timeout: 120_000,
        cwd: ROOT,
        input: text,
        encoding: 'utf8',
      });
      expect({ path, status: checked.status, text: checked.stdout }).toEqual({ path, status: 0, text });
    }
  });

  it('does not overwrite existing files', async () => {
    const folder = newFolder();
    await halfspread(['new', 'strategy', 'my-maker'], folder);
    const readme = join(folder, 'strategies/my-maker/README.md');
    writeFileSync(readme, 'mine');
    rmSync(join(folder, 'strategies/my-maker/strategy.ts'));
    const { code, stdout, stderr } = await halfspread(['new', 'strategy', 'my-maker'], folder);
    expect(stderr).toMatch(/^error: strategies\/my-maker: already exists\. Choose another name, or remove it first\n$/);
    expect({ code, stdout, readme: readFileSync(readme, 'utf8') }).toEqual({ code: 3, stdout: '', readme: 'mine' });
    expect(existsSync(join(folder, 'strategies/my-maker/strategy.ts'))).toBe(false);
  });
});
