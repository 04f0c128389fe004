/**
 * Mixed load on a venue for minutes or hours, to see whether its memory stays where it is:
 * `node test/server/load-soak.ts [minutes] [seed]`. The short form is test/server/load.test.ts.
 *
 * The verdict: a line through what the collector leaves each minute, after the first third, may not rise by more than 5 % of its
 * middle over what was measured, or 8 MB if that is more. The process as a whole may grow, besides, by what SQLite's caches took in of
 * a database that grew: what is in it stays there, and the caches have a bound of their own.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Load } from './load.ts';
import { Served } from './served.ts';
import { openPen } from './trader.ts';
import { floorsOf, type Sample, trendOf } from './trend.ts';

const [minutes = '10', seed = '1'] = process.argv.slice(2);
const SECONDS = 60 * Number(minutes);
const SAMPLE_SECONDS = 2;
const SETTINGS =
  'chain: { model: manual }\nresolver: { model: manual }\ncredit_cents: 1000000000\n' +
  'exchange: { max_bet_per_market: 1000000000000, max_exposure_per_market: 1000000000000 }\n';
const BATCH = 200;
/** Of both connections (src/store/sqlite). */
const CACHES_MB = 192;

const folder = mkdtempSync(join(tmpdir(), 'loaded-'));
writeFileSync(join(folder, 'venue.yaml'), SETTINGS);
const venue = await Served.start(['--db', 'venue.db', '--config', 'venue.yaml'], folder);
const markets = [await venue.market('Will it hold?'), await venue.market('Will it grow?')];
const pen = await openPen();
const load = new Load({ url: venue.url, pen, markets, seed: Number(seed), traders: 4, subscribers: 20 });
await load.start();

const begun = performance.now();
const seconds = (): number => (performance.now() - begun) / 1_000;
const heaps: Sample[] = [];
const sizes: Sample[] = [];
const files: Sample[] = [];
const working = (async () => {
  while (seconds() < SECONDS && load.faults.length === 0) await load.work(BATCH);
})();
let told = 0;
console.log('minute   RSS MB  heap MB  buffers MB  operations  messages  open sockets');
while (seconds() < SECONDS && load.faults.length === 0) {
  await new Promise((resolve) => setTimeout(resolve, 1_000 * SAMPLE_SECONDS));
  const memory = await venue.memory();
  heaps.push({ at: seconds(), value: memory.heap });
  sizes.push({ at: seconds(), value: memory.rss });
  files.push({ at: seconds(), value: statSync(join(folder, 'venue.db')).size / 1_048_576 });
  if (seconds() < 60 * (told + 1)) continue;
  told += 1;
  const { message = 0, ...rest } = load.counts;
  const operations = Object.entries(rest).reduce(
    (sum, [what, count]) => (what.startsWith('closed') ? sum : sum + count),
    0,
  );
  const columns = [memory.rss, memory.heap, memory.external].map((value) => value.toFixed(1).padStart(9)).join('');
  console.log(
    `${String(told).padStart(6)}${columns}  ${String(operations).padStart(10)}${String(message).padStart(10)}${String(load.sockets).padStart(14)}`,
  );
}
await working;
const value = await venue.metrics();
console.log(
  `left out for slow readers ${value('halfspread_stream_left_out_total')}, closed for it ${value('halfspread_stream_slow_closed_total')}, ` +
    `commands ${value('halfspread_commands_total')}, open orders ${value('halfspread_open_orders')}`,
);
console.log(JSON.stringify(load.counts));
await load.stop();
await venue.end();
rmSync(folder, { recursive: true });

let isFlat = load.faults.length === 0;
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
