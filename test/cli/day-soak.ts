/**
 * A simulated day of a live bot, compressed: `npm run soak:day -- [hours] [speed]`. A venue replays a synthetic tape of
 * `hours` at `speed`, and a bot quotes on it. At the end their accounts are equal and no order is open.
 *
 * Memory is judged as in test/server/load-soak.ts: the heap after collections may rise by at most 5 % of its mean, or 8
 * MB if that is more, over the last two thirds. From the resident set, the growth of SQLite's caches is subtracted.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { wallClock } from '../../src/clock/index.ts';
import { type BotStatus, requestBot } from '../../src/ops/index.ts';
import { keyOf, openSigningTools, queryVenue } from '../server/trader.ts';
import { floorsOf, type Sample, trendOf } from '../server/trend.ts';
import { killPrograms, Program } from './child-program.ts';
import { KillCheck } from './kill-check.ts';

const [hours = 24, speed = 144] = process.argv.slice(2).map(Number);
const SECONDS = (hours * 3_600) / speed;
const MESSAGES_PER_SECOND = 1;
/** Rows of a synthetic tape per message, on average. The tape lasts a little longer than `hours`. */
const ROWS_PER_MESSAGE = 1.3;
/** Factor of the run's duration that covers the longer tape. */
const DURATION_FACTOR = 1.03;
const MB = 1_048_576;
/** Upper bound of SQLite's caches: two connections of a venue, one of a bot (src/store). */
const CACHES_MB = 192;
const TIMEOUT_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'day-'));
const notes = join(import.meta.dirname, 'memory-notes.mjs');
const env = (name: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_OPTIONS: `--import=${notes}`,
  MEMORY_NOTES: join(folder, `${name}.memory`),
  XDG_STATE_HOME: folder,
  SOAK_KEY: `0x${'1'.padStart(64, '7')}`,
});
process.once('exit', killPrograms);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

writeFileSync(
  join(folder, 'day.yaml'),
  `events: ${Math.ceil(hours * 3_600 * MESSAGES_PER_SECOND * ROWS_PER_MESSAGE)}\nmessages_per_second: ${MESSAGES_PER_SECOND}\n`,
);
const generator = new Program(['tape', 'generate', 'day.yaml', '--out', 'day.tape'], folder);
if ((await generator.ended) !== 0) throw new Error(generator.output);

const venueArgs = ['serve', '--port', '0', '--db', 'venue.db', '--log', 'warn', '--replay', 'day.tape'];
const venue = new Program(
  [...venueArgs, '--speed', String(speed), '--credit-cents', '100000000'],
  folder,
  env('venue'),
);
if (!(await venue.waitForOutput(/listening on \S+\n/))) throw new Error(`the venue did not start: ${venue.output}`);
const url = /listening on (\S+)\n/.exec(venue.output)?.[1] ?? '';
const { markets } = await queryVenue(url, undefined, '{ markets(input: { first: 1 }) { edges { node { id } } } }', {});
writeFileSync(
  join(folder, 'bot.yaml'),
  [
    `venue: { url: "${url}" }`,
    'account: { key: { env: SOAK_KEY } }',
    `markets: { ids: [${markets.edges[0].node.id}] }`,
    'strategy: ladder',
    'params: { bid_spread: 60, ask_spread: 60, order_amount: 20, order_levels: 3, order_level_spread: 50, order_refresh_time: 0.1, max_position: 300 }',
    'risk: { daily_loss_usd: none, max_drawdown_usd: none }',
    'kill_switch: { errors: none }',
    'log: { level: warn }',
  ].join('\n'),
);
const bot = new Program(['run', 'bot.yaml', '--json'], folder, env('bot'));
if (!(await bot.waitForOutput(/trading \d+ market/))) throw new Error(`the bot did not start: ${bot.output}`);
const clock = wallClock();
const request = (command: 'status' | 'positions'): Promise<unknown> =>
  requestBot(join(folder, 'bot.sock'), { command, args: {} }, clock);
const status = async (): Promise<BotStatus> => JSON.parse(JSON.stringify(await request('status')));

const startedMs = Date.now();
const files: Record<'venue' | 'bot', Sample[]> = { venue: [], bot: [] };
let reports = 0;
console.log(`${hours} hours in ${Math.round(SECONDS)} s`);
while (Date.now() - startedMs < 1_000 * SECONDS * DURATION_FACTOR) {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const at = (Date.now() - startedMs) / 1_000;
  for (const name of ['venue', 'bot'] as const) {
    files[name].push({ at, value: statSync(join(folder, `${name}.db`)).size / MB });
  }
  if (bot.hasEnded || venue.hasEnded) throw new Error(`a program ended by itself: ${bot.output} ${venue.output}`);
  if (at < 60 * (reports + 1)) continue;
  reports += 1;
  const { mode, fills, openOrders, pnl } = await status();
  const [heap, rss] = [memoryOf('bot', 1).at(-1)?.value ?? 0, memoryOf('bot', 2).at(-1)?.value ?? 0];
  const hour = ((at * speed) / 3_600).toFixed(1);
  console.log(
    `hour ${hour}: ${mode}, ${fills} fills, ${openOrders} orders open, P&L $${(pnl / 1e6).toFixed(2)}, bot ${heap.toFixed(1)} MB heap, ${rss.toFixed(0)} MB in all`,
  );
}
// The tape has ended, so trading has stopped.
const tools = await openSigningTools();
const check = new KillCheck({
  url,
  tools,
  key: keyOf(tools, 1),
  db: join(folder, 'bot.db'),
  maxOpenShares: 120,
  maxHeldShares: 1_000,
  status,
  request,
});
await check.waitForAgreement('the day', { timeoutMs: TIMEOUT_MS });
bot.signal('SIGTERM');
const code = await bot.ended;
if (code !== 0) throw new Error(`the bot ended with ${code}: ${bot.output}`);
await check.verifyNoOpenOrders();
venue.signal('SIGTERM');
await venue.ended;
console.log(
  `${check.orders} orders, ${check.fills} fills; cash, shares, cost and fees agree; nothing is open at the end`,
);

let isFlat = true;
for (const name of ['bot', 'venue'] as const) {
  const isInLastPart = ({ at }: Sample): boolean => at > SECONDS / 3 && at < SECONDS;
  const grown = files[name].filter(isInLastPart);
  const file = (grown.at(-1)?.value ?? 0) - (grown[0]?.value ?? 0);
  for (const [label, column, allowance] of [
    ['heap', 1, 0],
    ['RSS', 2, Math.min(CACHES_MB, 2 * file)],
  ] as const) {
    const { perHour, mean } = trendOf(floorsOf(memoryOf(name, column).filter(isInLastPart), Math.max(8, SECONDS / 20)));
    const rise = (perHour * (SECONDS * 2)) / 3 / 3_600;
    const isWithinAllowance = rise <= allowance + Math.max(8, 0.05 * mean);
    isFlat &&= isWithinAllowance;
    console.log(
      `${name}, ${label}: ${mean.toFixed(1)} MB, ${rise >= 0 ? '+' : ''}${rise.toFixed(1)} MB over the last two thirds (its file ${file.toFixed(1)} MB): ${isWithinAllowance ? 'flat' : 'GROWS'}`,
    );
  }
}
rmSync(folder, { recursive: true });
process.exitCode = isFlat ? 0 : 1;

/** Memory samples that a program wrote, in MB. @param column 1 heap, 2 resident set */
function memoryOf(name: 'venue' | 'bot', column: 1 | 2): readonly Sample[] {
  const lines = readFileSync(join(folder, `${name}.memory`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const numbers = line.split(' ').map(Number);
    return { at: ((numbers[0] ?? 0) - startedMs) / 1_000, value: (numbers[column] ?? 0) / MB };
  });
}
