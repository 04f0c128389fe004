/**
 * A simulated day of a live bot, compressed: `npm run soak:day -- [hours] [speed]`. A venue replays a made-up tape of so many hours
 * at that speed, a bot quotes on it with signed orders, both as people run them; in the end their accounts are compared to the
 * micro-unit and nothing is open.
 *
 * The verdict on memory is that of test/server/load-soak.ts: what the collector leaves may not rise by more than 5 % of its middle
 * over the last two thirds, or 8 MB if that is more; of the process as a whole SQLite's caches of a file that grew are taken off.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { wallClock } from '../../src/clock/index.ts';
import { askBot, type BotStatus } from '../../src/ops/index.ts';
import { keyOf, openSigningTools, queryVenue } from '../server/trader.ts';
import { floorsOf, type Sample, trendOf } from '../server/trend.ts';
import { killPrograms, Program } from './child-program.ts';
import { KillCheck } from './kill-check.ts';

const [hours = 24, speed = 144] = process.argv.slice(2).map(Number);
const SECONDS = (hours * 3_600) / speed;
const MESSAGES_PER_SECOND = 1;
/** Of a made-up tape, on the long run: so it lasts a little longer than it is asked to. */
const ROWS_A_MESSAGE = 1.3;
/** Until the tape is over. */
const PLAYED = 1.03;
const MB = 1_048_576;
/** Of a venue's two connections, and of a bot's one (src/store). */
const CACHES_MB = 192;
const PATIENCE_MS = 120_000;

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
  `events: ${Math.ceil(hours * 3_600 * MESSAGES_PER_SECOND * ROWS_A_MESSAGE)}\nmessages_per_second: ${MESSAGES_PER_SECOND}\n`,
);
const made = new Program(['tape', 'generate', 'day.yaml', '--out', 'day.tape'], folder);
if ((await made.ended) !== 0) throw new Error(made.said);

const venueArgs = ['serve', '--port', '0', '--db', 'venue.db', '--log', 'warn', '--replay', 'day.tape'];
const venue = new Program(
  [...venueArgs, '--speed', String(speed), '--credit-cents', '100000000'],
  folder,
  env('venue'),
);
if (!(await venue.says(/listening on \S+\n/))) throw new Error(`the venue did not start: ${venue.said}`);
const url = /listening on (\S+)\n/.exec(venue.said)?.[1] ?? '';
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
if (!(await bot.says(/trading \d+ market/))) throw new Error(`the bot did not start: ${bot.said}`);
const clock = wallClock();
const ask = (command: 'status' | 'positions'): Promise<unknown> =>
  askBot(join(folder, 'bot.sock'), { command, args: {} }, clock);
const status = async (): Promise<BotStatus> => JSON.parse(JSON.stringify(await ask('status')));

const begun = Date.now();
const files: Record<'venue' | 'bot', Sample[]> = { venue: [], bot: [] };
let received = 0;
console.log(`${hours} hours in ${Math.round(SECONDS)} s`);
while (Date.now() - begun < 1_000 * SECONDS * PLAYED) {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const at = (Date.now() - begun) / 1_000;
  for (const name of ['venue', 'bot'] as const) {
    files[name].push({ at, value: statSync(join(folder, `${name}.db`)).size / MB });
  }
  if (bot.isOver || venue.isOver) throw new Error(`a program ended by itself: ${bot.said} ${venue.said}`);
  if (at < 60 * (received + 1)) continue;
  received += 1;
  const { mode, fills, openOrders, pnl } = await status();
  const [heap, rss] = [memoryOf('bot', 1).at(-1)?.value ?? 0, memoryOf('bot', 2).at(-1)?.value ?? 0];
  const hour = ((at * speed) / 3_600).toFixed(1);
  console.log(
    `hour ${hour}: ${mode}, ${fills} fills, ${openOrders} orders open, P&L $${(pnl / 1e6).toFixed(2)}, bot ${heap.toFixed(1)} MB heap, ${rss.toFixed(0)} MB in all`,
  );
}
// The tape is over: trading has stopped.
const tools = await openSigningTools();
const check = new KillCheck({
  url,
  tools,
  key: keyOf(tools, 1),
  db: join(folder, 'bot.db'),
  mostOpen: 120,
  mostHeld: 1_000,
  status,
  ask,
});
await check.agreement(false, 'the day', PATIENCE_MS);
bot.signal('SIGTERM');
const code = await bot.ended;
if (code !== 0) throw new Error(`the bot ended with ${code}: ${bot.said}`);
await check.nothingLeft();
venue.signal('SIGTERM');
await venue.ended;
console.log(
  `${check.orders} orders, ${check.fills} fills; cash, shares, cost and fees agree; nothing is open at the end`,
);

let isFlat = true;
for (const name of ['bot', 'venue'] as const) {
  const late = ({ at }: Sample): boolean => at > SECONDS / 3 && at < SECONDS;
  const grown = files[name].filter(late);
  const file = (grown.at(-1)?.value ?? 0) - (grown[0]?.value ?? 0);
  for (const [what, column, besides] of [
    ['heap', 1, 0],
    ['RSS', 2, Math.min(CACHES_MB, 2 * file)],
  ] as const) {
    const { perHour, mean } = trendOf(floorsOf(memoryOf(name, column).filter(late), Math.max(8, SECONDS / 20)));
    const rise = (perHour * (SECONDS * 2)) / 3 / 3_600;
    const isGood = rise <= besides + Math.max(8, 0.05 * mean);
    isFlat &&= isGood;
    console.log(
      `${name}, ${what}: ${mean.toFixed(1)} MB, ${rise >= 0 ? '+' : ''}${rise.toFixed(1)} MB over the last two thirds (its file ${file.toFixed(1)} MB): ${isGood ? 'flat' : 'GROWS'}`,
    );
  }
}
rmSync(folder, { recursive: true });
process.exitCode = isFlat ? 0 : 1;

/** What a program has noted of itself. @param column 1 heap, 2 all */
function memoryOf(name: 'venue' | 'bot', column: 1 | 2): readonly Sample[] {
  const lines = readFileSync(join(folder, `${name}.memory`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const numbers = line.split(' ').map(Number);
    return { at: ((numbers[0] ?? 0) - begun) / 1_000, value: (numbers[column] ?? 0) / MB };
  });
}
