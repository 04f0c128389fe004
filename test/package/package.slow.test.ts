/** The package as its users get it: built, packed, installed into an empty folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const MAX_INSTALLED_MB = 120;
/** The build alone takes a minute on a busy machine. */
const BUILD_MS = 300_000;
/** The Node that runs the tests, also for `npx` and for what a `#!` line starts. */
const ENV = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` };
const PORT = 4000 + 10_000 + (process.pid % 10_000);
const VENUE = `http://127.0.0.1:${PORT}`;

const folder = mkdtempSync(join(tmpdir(), 'halfspread-package-'));
const project = join(folder, 'project');
let venue: ChildProcess | undefined;

function sh(command: string, cwd = project, env: NodeJS.ProcessEnv = ENV) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 600_000,
  });
  return { status, stdout, all: `${stdout}${stderr}` };
}

function ok(command: string, cwd?: string, env?: NodeJS.ProcessEnv): string {
  const { status, stdout, all } = sh(command, cwd, env);
  expect({ command, status, all: status === 0 ? '' : all }).toEqual({ command, status: 0, all: '' });
  return stdout;
}

beforeAll(() => {
  ok('npm run -s build', ROOT);
  ok(`npm pack ${join(ROOT, 'package')} && mkdir project`, folder);
}, BUILD_MS);

afterAll(async () => {
  if (venue?.exitCode === null) {
    venue.kill('SIGINT');
    await new Promise((resolve) => venue?.on('exit', resolve));
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('the packed package in an empty folder', () => {
  it('installs within its size, without a Node of its own', () => {
    ok('npm install --prefer-offline --ignore-scripts ../halfspread-*.tgz');
    expect(megabytes(join(project, 'node_modules'))).toBeLessThan(MAX_INSTALLED_MB);
    const names = readdirSync(join(project, 'node_modules'));
    expect(names.filter((name) => name.startsWith('node-linux'))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/halfspread/package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('private');
    expect(manifest.peerDependenciesMeta).toEqual({ '@duckdb/node-api': { optional: true } });
    expect(names).not.toContain('@duckdb');
    expect(manifest).not.toHaveProperty('devDependencies');
  });

  it('has what runs a bot as a service and watches it', () => {
    const files = readdirSync(join(project, 'node_modules/halfspread/ops'), { recursive: true });
    for (const file of [
      'systemd/halfspread@.service',
      'prometheus/rules.yml',
      'grafana/provisioning/dashboards/bots.json',
    ])
      expect(files).toContain(file);
  });

  it('is ready to publish, and the checkout is not', () => {
    expect(ok(`npm publish --dry-run --loglevel error ${join(ROOT, 'package')}`, folder)).toMatch(/halfspread@\d/);
    expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).toMatchObject({ private: true });
  });

  it('makes a project whose test and types pass', () => {
    const said = ok('npm_config_prefer_offline=true npx halfspread init --yes');
    expect(said).toContain('extended package.json');
    ok('npx vitest run');
    ok('npx tsc --skipLibCheck false --types node');
  });

  it('has declarations of both entries that a strict compiler accepts', () => {
    writeFileSync(
      join(project, 'strategies/embedding.ts'),
      "import { backtest } from 'halfspread/embed';\nexport const hash: Promise<string> = backtest({} as never).then((run) => run.result.eventLogHash);\n",
    );
    ok('npx tsc');
    writeFileSync(join(project, 'strategies/wrong.ts'), "import { noSuchName } from 'halfspread';\nnoSuchName();\n");
    expect(sh('npx tsc').all).toContain("has no exported member 'noSuchName'");
    rmSync(join(project, 'strategies/wrong.ts'));
  });

  it('backtests the strategy of the project', () => {
    expect(ok('npx halfspread backtest config/backtest.yaml')).toContain('report: reports/');
  });

  it('gives the event log hash of the checkout for a strategy that comes with it', () => {
    const installed = ok('npx halfspread backtest node_modules/halfspread/config/demo.yaml --json --no-report');
    const source = ok('npm run -s halfspread -- backtest config/demo.yaml --json --no-report', ROOT);
    expect(JSON.parse(installed).eventLogHash).toBe(JSON.parse(source).eventLogHash);
  });

  it('searches parameters and runs the benchmark set on threads', () => {
    const study = 'node_modules/halfspread/config/optimize.yaml --trials 2 --set file=../../../a.study';
    expect(JSON.parse(ok(`npx halfspread optimize ${study} --json`)).trials).toEqual({ done: 2, failed: 0 });
    const bench = ok('npx halfspread bench-strategies --rows 1000 --strategy ladder --regime calm --json');
    expect(JSON.parse(bench)).toHaveLength(4);
  });

  it('gives a strategy the very library that the program uses', () => {
    writeFileSync(
      join(project, 'strategies/same.mjs'),
      "import { Fault } from 'halfspread';\nimport { backtest } from 'halfspread/embed';\ntry {\n  await backtest({});\n} catch (error) {\n  console.log(error instanceof Fault);\n}\n",
    );
    expect(ok('node strategies/same.mjs')).toBe('true\n');
    rmSync(join(project, 'strategies/same.mjs'));
  });

  it('prints commands that work after `new strategy`', () => {
    const said = ok('npx halfspread new strategy other');
    for (const [, command = ''] of said.matchAll(/^(?:test|run) it: +(.*)$/gm)) ok(command);
  });

  it('trades on paper and live on a venue that it serves', async () => {
    venue = spawn(
      process.execPath,
      [
        'node_modules/halfspread/bin/halfspread.js',
        'serve',
        '--port',
        `${PORT}`,
        '--replay',
        TAPE,
        '--from',
        '12:00:00Z',
        '--speed',
        '10',
      ],
      { cwd: project, env: ENV, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    await new Promise<void>((resolve, reject) => {
      venue?.stdout?.on('data', (text) => String(text).includes('listening on') && resolve());
      venue?.on('exit', (code) => reject(new Error(`the venue ended with code ${code}`)));
    });
    const env = { ...ENV, HALFSPREAD_KEY: `0x${'1'.repeat(64)}` };
    for (const mode of ['paper', 'live']) {
      // On a busy machine npx, the start and the first quote take 10 s.
      const said = sh(
        `timeout -s INT 30 npx halfspread run config/bot.yaml --set mode=${mode} --set venue.url=${VENUE}`,
        project,
        env,
      );
      expect(said.all).toMatch(/orders +.*\d+ place/);
      expect(said.all).toContain('0 own orders at the venue, verified');
    }
  });
});

const TAPE = 'node_modules/halfspread/config/tapes/betfair-1.200806927.tape';

function megabytes(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size / 2 ** 20;
  return readdirSync(path).reduce((sum, name) => sum + megabytes(join(path, name)), 0);
}
