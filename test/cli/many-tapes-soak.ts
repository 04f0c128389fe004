/**
 * Measures peak memory of commands on a folder of tapes larger than memory: `npm run soak:tapes -- [tapes] [rows]`.
 * Default: 100 tapes of 500,000 rows each. Exits with code 1 if a command needs more than 400 MB. Queries are only
 * printed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { DEFAULT_RECIPE, generateTape } from '../../src/history/index.ts';

const [tapes = 100, rows = 500_000] = process.argv.slice(2).map(Number);
const MAX_MB = 400;
const ROOT = resolve(import.meta.dirname, '../..');
/** Prints the process's own peak, as no other process can read it after its end. */
const PEAK = `process.on('exit', () => console.error('peak ' + process.resourceUsage().maxRSS))`;
const folder = mkdtempSync(join(tmpdir(), 'many-tapes-'));
const data = join(folder, 'tapes');
let failed = 0;
try {
  mkdirSync(data);
  for (let seed = 1; seed <= tapes; seed += 1) {
    await generateTape({ ...DEFAULT_RECIPE, seed, events: rows }, join(data, `${seed}.tape`));
  }
  check('backtest without orders', ['backtest', specOf('watcher'), '--json', '--quiet']);
  check('backtest of a busy maker', ['backtest', specOf('requoter'), '--json', '--quiet']);
  check('tape stats', ['tape', 'stats', data, '--json']);
  const sql = 'SELECT kind, count(*), sum(shares) FROM rows GROUP BY ALL';
  check('tape query, with the export', ['tape', 'query', data, sql, '--json'], Number.POSITIVE_INFINITY);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;

function check(label: string, words: readonly string[], maxMb = MAX_MB): void {
  const program = ['--import', `data:text/javascript,${encodeURIComponent(PEAK)}`, join(ROOT, 'bin', 'halfspread.js')];
  const start = performance.now();
  const { stderr } = spawnSync(process.execPath, [...program, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const peakMb = Math.ceil(Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1_024);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const isTooMuch = !(peakMb <= maxMb);
  if (isTooMuch) failed += 1;
  process.stdout.write(
    `${label}: ${peakMb} MB, ${seconds} s${isTooMuch ? `: more than ${maxMb} MB\n${stderr}` : ''}\n`,
  );
}

function specOf(strategy: string): string {
  const path = join(folder, `${strategy}.yaml`);
  writeFileSync(
    path,
    `strategy: ${join(ROOT, 'bench', 'strategies', strategy)}
tapes: [${JSON.stringify(data)}]
queue: { model: power, n: 2 }
capital_usd: 1000000
risk:
  max_open_orders: 100000
  max_position: 1000000
  max_notional_usd: none
  max_total_notional_usd: none
  daily_loss_usd: none
  max_drawdown_usd: none
report_dir: null
`,
  );
  return path;
}
