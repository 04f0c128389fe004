/** `npm run soak:power-cut -- <rounds> <seed>`: many runs with power cuts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { powerCutRun } from './power-cut-run.ts';

const [rounds = 100, seed = 1] = process.argv.slice(2).map(Number);
const sum = { cuts: 0, behind: 0, entries: 0, refused: 0 };
for (let round = 0; round < rounds; round += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'power-cut-'));
  let files = 0;
  const tally = await powerCutRun(seed + round, () => {
    files += 1;
    return join(folder, `${files}.db`);
  });
  rmSync(folder, { recursive: true });
  for (const name of ['cuts', 'behind', 'entries', 'refused'] as const) sum[name] += tally[name];
}
console.log(JSON.stringify({ rounds, seed, ...sum }));
