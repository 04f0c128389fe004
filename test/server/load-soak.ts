/**
 * Mixed load on a venue for minutes or hours, to see whether its memory stays where it is:
 * `node test/server/load-soak.ts [minutes] [seed] [rate] [folder]`. The short form is test/server/load.slow.test.ts.
 *
 * Without a rate (operations a second) it works as fast as it can. The folder keeps the database and
 * memory.csv (seconds, then MB: RSS, heap, buffers, database file); without one they are thrown away.
 *
 * The verdict: a line through what the collector leaves each minute, after the first third, may not rise by more than 5 % of its
 * middle over what was measured, or 8 MB if that is more. The process as a whole may grow, besides, by what SQLite's caches took in of
 * a database that grew: what is in it stays there, and the caches have a bound of their own. At the end the venue is killed and started
 * again: its state has to have the hash that it had.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Load } from './load.ts';
import { Served } from './served.ts';
import { openSigningTools } from './trader.ts';
import { floorsOf, type Sample, trendOf } from './trend.ts';

const [minutes = '10', seed = '1', rate = 'Infinity', kept] = process.argv.slice(2);
const SECONDS = 60 * Number(minutes);
const SAMPLE_SECONDS = 2;
const SETTINGS =
  'chain: { model: manual }\nresolver: { model: manual }\ncredit_cents: 1000000000\n' +
  'exchange: { max_bet_per_market: 1000000000000, max_exposure_per_market: 1000000000000 }\n';
const RATE = Number(rate);
/** Done before the rate is looked at again. */
const BATCH = Math.max(1, Math.min(200, Math.floor(RATE / 4)));
/** Who was not let run for so long was held from outside, and connections that broke by it are no fault of the venue. */
const HELD_SECONDS = 5;
/** Of both connections (src/store/sqlite). */
const CACHES_MB = 192;

const folder = kept ?? mkdtempSync(join(tmpdir(), 'loaded-'));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'venue.yaml'), SETTINGS);
const ARGS = ['--db', 'venue.db', '--config', 'venue.yaml'];
const venue = await Served.start(ARGS, folder);
const markets = [await venue.market('Will it hold?'), await venue.market('Will it grow?')];
const tools = await openSigningTools();
const load = new Load({ url: venue.url, tools, markets, seed: Number(seed), traders: 4, subscribers: 20 });
await load.start();

const begun = performance.now();
const heaps: Sample[] = [];
const sizes: Sample[] = [];
const files: Sample[] = [];
let beat = 0;
let heldAt = Number.NEGATIVE_INFINITY;
let heldSeconds = 0;
const excused: string[] = [];
setInterval(feel, 500).unref();
const working = (async () => {
  for (let due = 0; !isOver(); ) {
    await load.work(BATCH);
    due = Math.max(due + BATCH / RATE, seconds() - 1);
    const early = 1_000 * (due - seconds());
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  }
})();
let reported = 0;
console.log('minute   RSS MB  heap MB  buffers MB  file MB  operations  messages  open sockets');
while (!isOver()) {
  await new Promise((resolve) => setTimeout(resolve, 1_000 * SAMPLE_SECONDS));
  const memory = await venue.memory().catch(() => venue.memory());
  heaps.push({ at: seconds(), value: memory.heap });
  sizes.push({ at: seconds(), value: memory.rss });
  files.push({ at: seconds(), value: statSync(join(folder, 'venue.db')).size / 1_048_576 });
  const row = [seconds(), memory.rss, memory.heap, memory.external, files.at(-1)?.value ?? 0];
  appendFileSync(join(folder, 'memory.csv'), `${row.map((number) => number.toFixed(2)).join(',')}\n`);
  if (seconds() < 60 * (reported + 1)) continue;
  reported += 1;
  const { message = 0, ...rest } = load.counts;
  const operations = Object.entries(rest).reduce(
    (sum, [what, count]) => (what.startsWith('closed') ? sum : sum + count),
    0,
  );
  const file = files.at(-1)?.value ?? 0;
  const columns = [memory.rss, memory.heap, memory.external, file]
    .map((value) => value.toFixed(1).padStart(9))
    .join('');
  console.log(
    `${String(reported).padStart(6)}${columns}  ${String(operations).padStart(10)}${String(message).padStart(10)}${String(load.sockets).padStart(14)}`,
  );
}
await working;
const value = await venue.metrics();
console.log(
  `left out for slow readers ${value('halfspread_stream_left_out_total')}, closed for it ${value('halfspread_stream_slow_closed_total')}, ` +
    `commands ${value('halfspread_commands_total')}, open orders ${value('halfspread_open_orders')}`,
);
console.log(JSON.stringify(load.counts));
console.log(`held for ${heldSeconds.toFixed(0)} s; went wrong right after that: ${excused.length} ${excused[0] ?? ''}`);
await load.stop();
const { stateHash, engineSeq } = await venue.operate('status');
await venue.kill();
const again = await Served.start(ARGS, folder, { token: venue.token });
const found = await again.operate('status');
await again.end();
if (kept === undefined) rmSync(folder, { recursive: true });
const isSame = found.stateHash === stateHash;
console.log(
  `state ${stateHash} at ${engineSeq}, killed; ${found.stateHash} at ${found.engineSeq}: ${isSame ? 'the same' : 'ANOTHER'}`,
);

let isFlat = load.faults.length === 0 && isSame;
for (const fault of load.faults.slice(0, 5)) console.error(`fault: ${fault}`);
const stretch = Math.max(4 * SAMPLE_SECONDS, Math.min(60, SECONDS / 20));
const late = (samples: readonly Sample[]): readonly Sample[] => samples.filter(({ at }) => at > SECONDS / 3);
const [grownFrom = 0, grownTo = 0] = [late(files)[0]?.value, late(files).at(-1)?.value];
// Reader and writer have a cache each.
const cached = Math.min(CACHES_MB, 2 * (grownTo - grownFrom));
console.log(`the database grew from ${grownFrom.toFixed(0)} to ${grownTo.toFixed(0)} MB in the last two thirds`);
for (const [name, samples, besides] of [
  ['heap', heaps, 0],
  ['RSS', sizes, cached],
] as const) {
  const { perHour, mean } = trendOf(floorsOf(late(samples), stretch));
  const rise = (perHour * (SECONDS * 2)) / 3 / 3_600;
  const isGood = rise <= besides + Math.max(8, 0.05 * mean);
  isFlat &&= isGood;
  console.log(
    `${name}: ${mean.toFixed(1)} MB, ${perHour >= 0 ? '+' : ''}${perHour.toFixed(1)} MB an hour after the first third: ${isGood ? 'flat' : 'GROWS'}`,
  );
}
process.exitCode = isFlat ? 0 : 1;

function isOver(): boolean {
  feel();
  if (clock() < heldAt + 2 * HELD_SECONDS) excused.push(...load.faults.splice(0));
  return seconds() >= SECONDS || load.faults.length > 0;
}

/** Without those in which the load was held: an hour of load is an hour of work. */
function seconds(): number {
  feel();
  return clock() - heldSeconds;
}

function clock(): number {
  return (performance.now() - begun) / 1_000;
}

function feel(): void {
  const now = clock();
  if (now - beat > HELD_SECONDS) {
    heldAt = now;
    heldSeconds += now - beat;
  }
  beat = now;
}
