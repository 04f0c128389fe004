/**
 * The long form of fuzz.test.ts and graphql/executors.slow.test.ts: `node test/server/soak.ts [minutes] [seed]`.
 *
 * Each round has a new seed, compares our executors with graphql-js and sends fuzzed requests over HTTP. The soak ends
 * at the first difference or fault and prints its seed.
 */
import { wallClock } from '../../src/clock/index.ts';
import { fuzz } from './fuzz.ts';
import { compareExecutors } from './graphql/compare-executors.ts';

const [minutes = '10', first = '1000'] = process.argv.slice(2);
const clock = wallClock();
const end = clock.now() + Number(minutes) * 60_000;
let compared = 0;
let requests = 0;
let slowest = 0;
for (let seed = Number(first); clock.now() < end; seed += 1) {
  const faults = { wrongValueIn: seed % 3 === 0 ? 0 : 40, throwIn: seed % 2 === 0 ? 0 : 4 };
  const { differences, ...tally } = await compareExecutors({ seed, documents: 500, faults });
  const fuzzed = await fuzz({ seed, requests: 500 });
  compared += tally.compared;
  requests += fuzzed.requests;
  slowest = Math.max(slowest, fuzzed.slowest);
  if (differences.length + fuzzed.faults.length > 0) {
    console.error(`seed ${seed}`, ...differences, ...fuzzed.faults);
    process.exitCode = 1;
    break;
  }
}
const rss = Math.round(process.memoryUsage().rss / 1e6);
console.log(`${compared} answers compared, ${requests} requests fuzzed, slowest ${Math.round(slowest)} ms, ${rss} MB`);
