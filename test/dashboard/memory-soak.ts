/**
 * Watches a bot whose 50 books move ten times a second with a page and a dashboard, for minutes or hours:
 * `node test/dashboard/memory-soak.ts [minutes]`. The short form is test/dashboard/memory.slow.test.ts.
 *
 * It fails if a heap rises after the first third of the time by more than 5 % of its mean, or 2 MB if that is more.
 * Stored prices are outside of these heaps and have a limit of their own.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { floorsOf, type Sample, trendOf } from '../server/trend.ts';
import { openMovingBot } from './moving-bot.ts';

const [minutes = '60'] = process.argv.slice(2);
const SECONDS = 60 * Number(minutes);
const SAMPLE_SECONDS = 15;
const STRETCH_SECONDS = 60;

const folder = mkdtempSync(join(tmpdir(), 'watched-'));
const notes = join(folder, 'memory.txt');
const bot = await openMovingBot(folder, notes);
const startedAt = performance.now();
const heaps: Sample[] = [];
const seconds = (): number => (performance.now() - startedAt) / 1_000;
console.log('minute  page MB  elements');
while (seconds() < SECONDS) {
  await pause(1_000 * SAMPLE_SECONDS);
  const { mb, nodes } = await bot.pageMemory();
  heaps.push({ at: seconds(), value: mb });
  if (heaps.length % 4 === 0) console.log(`${(seconds() / 60).toFixed(0)}  ${mb.toFixed(2)}  ${nodes}`);
}
const lines = readFileSync(notes, 'utf8').trim().split('\n');
const first = Number(lines[0]?.split(' ')[0]);
const memorySamples = (column: number): readonly Sample[] =>
  lines.map((line) => {
    const values = line.split(' ').map(Number);
    return { at: ((values[0] ?? 0) - first) / 1_000, value: (values[column] ?? 0) / 1e6 };
  });
await bot.close();
const results = [
  isFlat('page, heap', heaps),
  isFlat('dashboard, heap', floorsOf(memorySamples(1), STRETCH_SECONDS)),
  isFlat('dashboard, resident', memorySamples(2), Number.POSITIVE_INFINITY),
];
process.exit(results.every(Boolean) ? 0 : 1);

/** Prints the trend of samples. @param minRiseMb rise that is always allowed */
function isFlat(name: string, samples: readonly Sample[], minRiseMb = 2): boolean {
  const settled = samples.filter(({ at }) => at > SECONDS / 3);
  const { perHour, mean } = trendOf(settled);
  const rise = (perHour * ((settled.at(-1)?.at ?? 0) - (settled[0]?.at ?? 0))) / 3_600;
  const flat = rise <= Math.max(0.05 * mean, minRiseMb);
  console.log(`${name}: ${mean.toFixed(1)} MB, ${perHour.toFixed(2)} MB an hour: ${flat ? 'flat' : 'grows'}`);
  return flat;
}
