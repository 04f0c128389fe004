/**
 * Measures the start of a bot that was killed after a month: `npm run soak:month -- [cycles] [starts] [folder]`.
 *
 * A bot trades briefly on a venue with example markets. month-maker.ts then writes a month to its database (two million
 * requotes are 4.4 million steps, 4 million orders, 250,000 fills) and is killed. Then `halfspread run` starts on the
 * database, is killed with SIGKILL while it quotes, and starts again, `starts` times. The measured time ends when its
 * first new order is signed. At the end bot, database and venue must have the same account. With the folder of an
 * interrupted soak, `cycles` follow its month.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { wallClock } from '../../src/clock/index.ts';
import { type BotStatus, requestBot } from '../../src/ops/index.ts';
import { BotReader } from '../../src/store/index.ts';
import { keyOf, openSigningTools } from '../server/trader.ts';
import { killPrograms, Program } from './child-program.ts';
import { KillCheck } from './kill-check.ts';

const [cycles = 2_000_000, starts = 5] = process.argv.slice(2, 4).map(Number);
const [, , , , lived] = process.argv;
const TIMEOUT_MS = 60_000;
const LIMIT_S = 10;
const AMOUNT = 5;
const LEVELS = 2;
const MAX_POSITION = 60;
const MB = 1e6;

const folder = lived ?? mkdtempSync(join(tmpdir(), 'month-'));
const db = join(folder, 'bot.db');
const env = { ...process.env, SOAK_KEY: `0x${'1'.padStart(64, '7')}`, XDG_STATE_HOME: folder };
process.once('exit', killPrograms);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const config = join(folder, 'bot.yaml');
const port = lived === undefined ? '0' : (/127\.0\.0\.1:(\d+)/.exec(readFileSync(config, 'utf8'))?.[1] ?? '0');
const venue = new Program(['serve', '--port', port, '--db', 'venue.db', '--seed', '--log', 'warn'], folder);
if (!(await venue.waitForOutput(/listening on \S+\n/))) throw new Error(`the venue did not start: ${venue.output}`);
const url = /listening on (\S+)\n/.exec(venue.output)?.[1] ?? '';
writeFileSync(
  config,
  [
    `venue: { url: "${url}" }`,
    'account: { key: { env: SOAK_KEY } }',
    'markets: { filter: { limit: 20 } }',
    'strategy: ladder',
    `params: { bid_spread: 130, ask_spread: 130, order_amount: ${AMOUNT}, order_levels: ${LEVELS}, order_level_spread: 50, order_refresh_time: 0.3, max_order_age: 1, max_position: ${MAX_POSITION} }`,
    `risk: { max_position: ${MAX_POSITION}, daily_loss_usd: 100000, max_drawdown_usd: 100000 }`,
    'watchdog_ms: none',
    'log: { level: info }',
  ].join('\n'),
);
const clock = wallClock();
const request = (command: 'status' | 'positions'): Promise<unknown> =>
  requestBot(join(folder, 'bot.sock'), { command, args: {} }, clock);
const status = async (): Promise<BotStatus> => JSON.parse(JSON.stringify(await request('status')));

if (lived === undefined) {
  const first = await startBot();
  await waitForOrder(0);
  first.signal('SIGTERM');
  if ((await first.ended) !== 0) throw new Error(`the first run failed: ${first.output}`);
}
const tools = await openSigningTools();
const check = new KillCheck({
  url,
  tools,
  key: keyOf(tools, 1),
  db,
  maxOpenShares: AMOUNT * LEVELS,
  maxHeldShares: MAX_POSITION,
  // Orders of the month were never at the venue.
  status,
  request,
  maxSignedOrders: 50_000,
});
await check.ignoreEarlierOrders();
await writeMonth();

const times: number[] = [];
let bot: Program | undefined;
for (let start = 0; start <= starts; start += 1) {
  const before = lastOrder();
  const [startedMs, program] = [Date.now(), await startBot()];
  const trading = Date.now() - startedMs;
  const sent = await waitForOrder(before);
  times.push((sent - startedMs) / 1_000);
  const steps = /"steps":(\d+)/.exec(program.output)?.[1] ?? 'no';
  const description = start === 0 ? 'after the month' : `start ${start}, orders standing`;
  console.log(
    `${description}: ${steps} steps after the snapshot; recovered after ${secondsTo(/"time":(\d+),"steps"/, program, startedMs)} s, ready to trade after ${(trading / 1_000).toFixed(2)} s, first quote after ${(times.at(-1) ?? 0).toFixed(2)} s`,
  );
  bot = program;
  await pause(2_000);
  if (start === starts) break;
  program.signal('SIGKILL');
  await program.ended;
}
await check.waitForAgreement('a month', { timeoutMs: TIMEOUT_MS });
bot?.signal('SIGTERM');
if ((await bot?.ended) !== 0) throw new Error(`the last run failed: ${bot?.output}`);
await check.verifyNoOpenOrders();
venue.signal('SIGTERM');
await venue.ended;
rmSync(folder, { recursive: true });
const worst = Math.max(...times);
console.log(`bot, file and venue agree; the slowest start took ${worst.toFixed(2)} s, the limit is ${LIMIT_S} s`);
process.exitCode = worst < LIMIT_S ? 0 : 1;

/** Writes the month and kills the process that writes it. */
async function writeMonth(): Promise<void> {
  const startedMs = Date.now();
  const maker = spawn(process.execPath, [join(import.meta.dirname, 'month-maker.ts'), db, String(cycles)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => maker.kill('SIGKILL'));
  let last = '';
  for await (const line of createInterface(maker.stdout)) {
    last = line;
    if (Number(line.split(' ')[0]) >= cycles) maker.kill('SIGKILL');
  }
  const [made = 0, steps, orders, fills] = last.split(' ').map(Number);
  if (made < cycles) throw new Error(`the month ended by itself after ${last}`);
  const sizes = ['', '-wal', '-intents'].map((end) => (statSync(`${db}${end}`).size / MB).toFixed(1));
  console.log(
    `a month in ${Math.round((Date.now() - startedMs) / 1_000)} s: ${steps} steps, ${orders} orders, ${fills} fills; killed. MB: ${sizes[0]}, SQLite's log ${sizes[1]}, the log in front ${sizes[2]}`,
  );
}

/** Seconds from a program's start to a line of its log. @param time matches the line's time in its first group */
function secondsTo(time: RegExp, { output }: Program, startedMs: number): string {
  return ((Number(time.exec(output)?.[1] ?? Number.NaN) - startedMs) / 1_000).toFixed(2);
}

async function startBot(): Promise<Program> {
  const program = new Program(['run', 'bot.yaml', '--json'], folder, env);
  if (!(await program.waitForOutput(/trading \d+ market/))) throw new Error(`the bot did not start: ${program.output}`);
  return program;
}

/** Waits for an order with a higher number. @returns the time at which it was sent, ms since 1970 */
async function waitForOrder(after: number): Promise<number> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const orders = read((reader) => reader.orders('open', 1_000)).filter(({ order }) => order > after);
    if (orders.length > 0) return Math.min(...orders.map(({ sentAt }) => sentAt));
    if (Date.now() > end) throw new Error('the bot never quoted');
    await pause(50);
  }
}

function lastOrder(): number {
  return read((reader) => reader.orders('all', 1))[0]?.order ?? 0;
}

function read<T>(query: (reader: BotReader) => T): T {
  const reader = BotReader.open(db);
  try {
    return query(reader);
  } finally {
    reader.close();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
