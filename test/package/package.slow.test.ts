/** Tests the package after it was built, packed and installed into an empty folder. */
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
/** The environment of all commands: `npx` and `#!` lines start the same Node that runs the tests. */
const ENV = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` };
const PORT = 4000 + 10_000 + (process.pid % 10_000);
const VENUE = `http://127.0.0.1:${PORT}`;

const folder = mkdtempSync(join(tmpdir(), 'halfspread-package-'));
const project = join(folder, 'project');
let venue: ChildProcess | undefined;

function execute(command: string, cwd = project, env: NodeJS.ProcessEnv = ENV) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 600_000,
  });
  return { status, stdout, all: `${stdout}${stderr}` };
}

function run(command: string, cwd?: string, env?: NodeJS.ProcessEnv): string {
  const { status, stdout, all } = execute(command, cwd, env);
  expect({ command, status, all: status === 0 ? '' : all }).toEqual({ command, status: 0, all: '' });
  return stdout;
}

beforeAll(() => {
  run('npm run -s build', ROOT);
  run(`npm pack ${join(ROOT, 'package')} && mkdir project`, folder);
}, BUILD_MS);

afterAll(async () => {
  if (venue?.exitCode === null) {
    venue.kill('SIGINT');
    await new Promise((resolve) => venue?.on('exit', resolve));
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('the packed package in an empty folder', () => {
  it('installs within the size limit, without Node or DuckDB', () => {
    run('npm install --prefer-offline --ignore-scripts ../halfspread-*.tgz');
    expect(megabytes(join(project, 'node_modules'))).toBeLessThan(MAX_INSTALLED_MB);
    const names = readdirSync(join(project, 'node_modules'));
    expect(names.filter((name) => name.startsWith('node-linux'))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/halfspread/package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('private');
    expect(manifest.peerDependenciesMeta).toEqual({ '@duckdb/node-api': { optional: true } });
    expect(names).not.toContain('@duckdb');
    expect(manifest).not.toHaveProperty('devDependencies');
  });

  it('contains the systemd unit, Prometheus rules and Grafana dashboard of the bots', () => {
    const files = readdirSync(join(project, 'node_modules/halfspread/ops'), { recursive: true });
    for (const file of [
      'systemd/halfspread@.service',
      'prometheus/rules.yml',
      'grafana/provisioning/dashboards/bots.json',
    ])
      expect(files).toContain(file);
  });

  it('can be published, while the checkout is private', () => {
    expect(run(`npm publish --dry-run --loglevel error ${join(ROOT, 'package')}`, folder)).toMatch(/halfspread@\d/);
    expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).toMatchObject({ private: true });
  });

  it('creates a project whose tests and type check pass', () => {
    const output = run('npm_config_prefer_offline=true npx halfspread init --yes');
    expect(output).toContain('extended package.json');
    run('npx vitest run');
    run('npx tsc --skipLibCheck false --types node');
  });

  it('has declarations of both entry points that pass a strict type check', () => {
    writeFileSync(
      join(project, 'strategies/embedding.ts'),
      "import { backtest } from 'halfspread/embed';\nexport const hash: Promise<string> = backtest({} as never).then((run) => run.result.eventLogHash);\n",
    );
    run('npx tsc');
    writeFileSync(join(project, 'strategies/wrong.ts'), "import { noSuchName } from 'halfspread';\nnoSuchName();\n");
    expect(execute('npx tsc').all).toContain("has no exported member 'noSuchName'");
    rmSync(join(project, 'strategies/wrong.ts'));
  });

  it('runs a backtest of the strategy of the project', () => {
    expect(run('npx halfspread backtest config/backtest.yaml')).toContain('report: reports/');
  });

  it('returns the same event log hash as the checkout for a shipped strategy', () => {
    const installed = run('npx halfspread backtest node_modules/halfspread/config/demo.yaml --json --no-report');
    const source = run('npm run -s halfspread -- backtest config/demo.yaml --json --no-report', ROOT);
    expect(JSON.parse(installed).eventLogHash).toBe(JSON.parse(source).eventLogHash);
  });

  it('optimizes parameters and runs the strategy benchmark in worker threads', () => {
    const study = 'node_modules/halfspread/config/optimize.yaml --trials 2 --set file=../../../a.study';
    expect(JSON.parse(run(`npx halfspread optimize ${study} --json`)).trials).toEqual({ done: 2, failed: 0 });
    const bench = run('npx halfspread bench-strategies --rows 1000 --strategy ladder --regime calm --json');
    expect(JSON.parse(bench)).toHaveLength(4);
  });

  it('loads the same modules through both entry points', () => {
    writeFileSync(
      join(project, 'strategies/same.mjs'),
      "import { Fault } from 'halfspread';\nimport { backtest } from 'halfspread/embed';\ntry {\n  await backtest({});\n} catch (error) {\n  console.log(error instanceof Fault);\n}\n",
    );
    expect(run('node strategies/same.mjs')).toBe('true\n');
    rmSync(join(project, 'strategies/same.mjs'));
  });

  it('prints commands that work after `new strategy`', () => {
    const output = run('npx halfspread new strategy other');
    const commands = [...output.matchAll(/^(?:test|run) it: +(.*)$/gm)].map(([, command = '']) => command);
    expect(commands).toHaveLength(2);
    for (const command of commands) run(command);
  });

  it('runs a bot in paper and live mode on a served venue', async () => {
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
      // On a busy machine the start until the first quote takes 10 s.
      const output = execute(
        `timeout -s INT 30 npx halfspread run config/bot.yaml --set mode=${mode} --set venue.url=${VENUE}`,
        project,
        env,
      );
      expect(output.all).toMatch(/orders +.*\d+ place/);
      expect(output.all).toContain('0 own orders at the venue, verified');
    }
  });
});

const TAPE = 'node_modules/halfspread/config/tapes/betfair-1.200806927.tape';

function megabytes(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size / 2 ** 20;
  return readdirSync(path).reduce((sum, name) => sum + megabytes(join(path, name)), 0);
}
