/**
 * Many chaos runs of the Polymarket adapter, one seed after the other: `npm run soak:polymarket-adapter -- 300 1`
 * (number of crashes, first seed).
 */
import process from 'node:process';
import { chaosRun, openChaos } from './chaos-run.ts';

const [crashes = '300', first = '1'] = process.argv.slice(2);
const sums = { runs: 0, crashes: 0, fills: 0, reversed: 0, uncertain: 0 };
let failed = 0;
for (let seed = Number(first); sums.crashes < Number(crashes); seed += 1) {
  const harness = await openChaos(seed);
  const { differences, faults, ...tally } = await chaosRun(harness, seed, 150);
  await harness.venue.close();
  sums.runs += 1;
  for (const key of ['crashes', 'fills', 'reversed', 'uncertain'] as const) sums[key] += tally[key];
  if (differences.length + faults.length === 0) continue;
  failed += 1;
  console.log(JSON.stringify({ seed, differences, faults }));
}
console.log(JSON.stringify({ ...sums, failed }));
process.exitCode = failed > 0 ? 1 : 0;
