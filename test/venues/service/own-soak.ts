/** Chaos runs: `npm run soak:service -- <runs> <first seed> <steps>`. Prints each run; exits with 1 if any failed. */
import process from 'node:process';
import { chaosRun, openChaosHarness } from './chaos-run.ts';

const [runs = 50, first = 1, steps = 120] = process.argv.slice(2).map(Number);
const { harness, close } = await openChaosHarness();
let failed = 0;
for (let seed = first; seed < first + runs; seed += 1) {
  try {
    const tally = await chaosRun({ harness, seed, steps });
    const isGood = tally.differences.length === 0 && tally.faults.length === 0;
    if (!isGood) failed += 1;
    process.stdout.write(`${isGood ? 'ok  ' : 'BAD '} ${JSON.stringify({ seed, ...tally })}\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`BAD  seed ${seed}: ${error instanceof Error ? error.stack : String(error)}\n`);
  }
}
await close();
process.stdout.write(`${runs} runs, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
