/**
 * Puts mixed load on a venue for minutes or hours and checks that its memory does not grow:
 * `node test/server/load-soak.ts [minutes] [seed] [rate] [folder]`. The short form is test/server/load.slow.test.ts.
 *
 * Without a rate (operations per second) it runs at full speed. The folder receives the database and
 * memory.csv (seconds, then MB: RSS, heap, buffers, database file). Without a folder both are deleted.
 *
 * The check uses the lowest sample of each minute after the first third. Their trend may rise by at most 5 % of the
 * mean over the measured time, or by 8 MB if that is more. RSS may also rise by the growth of SQLite's page caches,
 * which are bounded. At the end the venue is killed and started again. Its state must have the same hash.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Load } from './load.ts';
import { ServeProcess } from './serve-process.ts';
import { openSigningTools } from './trader.ts';
import { floorsOf, type Sample, trendOf } from './trend.ts';

const [minutes = '10', seed = '1', rate = 'Infinity', keptFolder] = process.argv.slice(2);
const SECONDS = 60 * Number(minutes);
const SAMPLE_SECONDS = 2;
const SETTINGS =
  'chain: { model: manual }\nresolver: { model: manual }\ncredit_cents: 1000000000\n' +
  'exchange: { max_bet_per_market: 1000000000000, max_exposure_per_market: 1000000000000 }\n';
const RATE = Number(rate);
/** Operations between two checks of the rate. */
const BATCH = Math.max(1, Math.min(200, Math.floor(RATE / 4)));
/** A longer pause of this process means that the machine suspended it. Connections lost by that are not faults. */
const MAX_PAUSE_SECONDS = 5;
/** Page caches of both connections (src/store/sqlite). */
const CACHES_MB = 192;

const folder = keptFolder ?? mkdtempSync(join(tmpdir(), 'loaded-'));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'venue.yaml'), SETTINGS);
const ARGS = ['--db', 'venue.db', '--config', 'venue.yaml'];
const venue = await ServeProcess.start(ARGS, folder);
const markets = [await venue.market('Will it hold?'), await venue.market('Will it grow?')];
const tools = await openSigningTools();
const load = new Load({ url: venue.url, tools, markets, seed: Number(seed), traders: 4, subscribers: 20 });
await load.start();

const begun = performance.now();
const heaps: Sample[] = [];
const sizes: Sample[] = [];
const files: Sample[] = [];
let lastRunAt = 0;
let lastPauseAt = Number.NEGATIVE_INFINITY;
let pausedSeconds = 0;
const ignoredFaults: string[] = [];
setInterval(notePauses, 500).unref();
const working = (async () => {
  for (let dueAt = 0; !isOver(); ) {
    await load.work(BATCH);
    dueAt = Math.max(dueAt + BATCH / RATE, seconds() - 1);
    const waitMs = 1_000 * (dueAt - seconds());
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
})();
let reportedMinutes = 0;
console.log('minute   RSS MB  heap MB  buffers MB  file MB  operations  messages  open sockets');
while (!isOver()) {
  await new Promise((resolve) => setTimeout(resolve, 1_000 * SAMPLE_SECONDS));
  const memory = await venue.memory().catch(() => venue.memory());
  heaps.push({ at: seconds(), value: memory.heap });
  sizes.push({ at: seconds(), value: memory.rss });
  files.push({ at: seconds(), value: statSync(join(folder, 'venue.db')).size / 1_048_576 });
  const row = [seconds(), memory.rss, memory.heap, memory.external, files.at(-1)?.value ?? 0];
  appendFileSync(join(folder, 'memory.csv'), `${row.map((number) => number.toFixed(2)).join(',')}\n`);
  if (seconds() < 60 * (reportedMinutes + 1)) continue;
  reportedMinutes += 1;
  const { message = 0, ...rest } = load.counts;
  const operations = Object.entries(rest).reduce(
    (sum, [name, count]) => (name.startsWith('closed') ? sum : sum + count),
    0,
  );
  const file = files.at(-1)?.value ?? 0;
  const columns = [memory.rss, memory.heap, memory.external, file]
    .map((value) => value.toFixed(1).padStart(9))
    .join('');
  console.log(
    `${String(reportedMinutes).padStart(6)}${columns}  ${String(operations).padStart(10)}${String(message).padStart(10)}${String(load.sockets).padStart(14)}`,
  );
}
await working;
const value = await venue.metrics();
console.log(
  `messages skipped for slow readers ${value('halfspread_stream_left_out_total')}, slow readers closed ${value('halfspread_stream_slow_closed_total')}, ` +
    `commands ${value('halfspread_commands_total')}, open orders ${value('halfspread_open_orders')}`,
);
console.log(JSON.stringify(load.counts));
console.log(
  `paused for ${pausedSeconds.toFixed(0)} s; ignored faults after pauses: ${ignoredFaults.length} ${ignoredFaults[0] ?? ''}`,
);
await load.stop();
const { stateHash, engineSeq } = await venue.operate('status');
await venue.kill();
const again = await ServeProcess.start(ARGS, folder, { token: venue.token });
const found = await again.operate('status');
await again.end();
if (keptFolder === undefined) rmSync(folder, { recursive: true });
const isSame = found.stateHash === stateHash;
console.log(
  `state before the kill ${stateHash} at ${engineSeq}, after ${found.stateHash} at ${found.engineSeq}: ${isSame ? 'same' : 'DIFFERENT'}`,
);

let isFlat = load.faults.length === 0 && isSame;
for (const fault of load.faults.slice(0, 5)) console.error(`fault: ${fault}`);
const intervalSeconds = Math.max(4 * SAMPLE_SECONDS, Math.min(60, SECONDS / 20));
const late = (samples: readonly Sample[]): readonly Sample[] => samples.filter(({ at }) => at > SECONDS / 3);
const [sizeBefore = 0, sizeAfter = 0] = [late(files)[0]?.value, late(files).at(-1)?.value];
// Reader and writer each have a cache.
const cached = Math.min(CACHES_MB, 2 * (sizeAfter - sizeBefore));
console.log(`the database grew from ${sizeBefore.toFixed(0)} to ${sizeAfter.toFixed(0)} MB in the last two thirds`);
for (const [name, samples, allowedMb] of [
  ['heap', heaps, 0],
  ['RSS', sizes, cached],
] as const) {
  const { perHour, mean } = trendOf(floorsOf(late(samples), intervalSeconds));
  const rise = (perHour * (SECONDS * 2)) / 3 / 3_600;
  const isGood = rise <= allowedMb + Math.max(8, 0.05 * mean);
  isFlat &&= isGood;
  console.log(
    `${name}: ${mean.toFixed(1)} MB, ${perHour >= 0 ? '+' : ''}${perHour.toFixed(1)} MB per hour after the first third: ${isGood ? 'flat' : 'GROWS'}`,
  );
}
process.exitCode = isFlat ? 0 : 1;

function isOver(): boolean {
  notePauses();
  if (clock() < lastPauseAt + 2 * MAX_PAUSE_SECONDS) ignoredFaults.push(...load.faults.splice(0));
  return seconds() >= SECONDS || load.faults.length > 0;
}

/** Seconds of load, without pauses. */
function seconds(): number {
  notePauses();
  return clock() - pausedSeconds;
}

function clock(): number {
  return (performance.now() - begun) / 1_000;
}

function notePauses(): void {
  const now = clock();
  if (now - lastRunAt > MAX_PAUSE_SECONDS) {
    lastPauseAt = now;
    pausedSeconds += now - lastRunAt;
  }
  lastRunAt = now;
}
