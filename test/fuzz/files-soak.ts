/**
 * Reads damaged and forged files and opens venues with random settings: `npm run soak:files -- [seconds] [seed]`;
 * defaults: 60 and a random seed. Prints the path, case and error of each failure, and keeps its file.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { anyOpening, openAndClose, prepareFolder } from '../app/serve/opening-fuzz.ts';
import { anyCase, bytesOf, fuzzedFiles, readOrRefuse } from './file-fuzz.ts';

const [seconds = 60, seed = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number);
/** Kinds with fewer cases per round, because importing writes tapes to the disk. */
const IMPORTED = ['betfair', 'csv', 'jsonl', 'parquet', 'polymarket', 'kalshi'];
const folder = mkdtempSync(join(tmpdir(), 'halfspread-files-'));
prepareFolder(folder);
const kinds = fuzzedFiles();
const end = performance.now() + 1_000 * seconds;
const counts = new Map(kinds.map(({ name }) => [name, { read: 0, refused: 0 }]));
const openings = { opened: 0, refused: 0 };
let failures = 0;
console.log(`seed ${seed}, ${seconds} s, files in ${folder}`);
for (let round = 0; performance.now() < end; round += 1) {
  for (const kind of kinds) {
    for (const each of fc.sample(anyCase(kind), {
      numRuns: IMPORTED.includes(kind.name) ? 5 : 100,
      seed: seed + round,
    })) {
      const path = join(folder, `${kind.name}-${failures}`);
      try {
        const outcome = await readOrRefuse(kind, path, bytesOf(kind, each));
        const count = counts.get(kind.name);
        if (count !== undefined) count[outcome] += 1;
      } catch (error) {
        failures += 1;
        console.error(`${path}: ${JSON.stringify(each)}: ${String(error)}`);
      }
    }
  }
  for (const opening of fc.sample(anyOpening, { numRuns: 5, seed: seed + round })) {
    try {
      openings[await openAndClose(folder, opening)] += 1;
    } catch (error) {
      failures += 1;
      console.error(`opening a venue: ${JSON.stringify(opening)}: ${String(error)}`);
    }
  }
}
for (const [name, { read, refused }] of counts) console.log(`${name}: ${read} read, ${refused} refused`);
console.log(`venues: ${openings.opened} opened, ${openings.refused} refused`);
console.log(`${failures} failures, peak memory ${Math.round(process.resourceUsage().maxRSS / 1_000)} MB`);
if (failures > 0) process.exitCode = 1;
