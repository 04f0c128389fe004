/**
 * The long form of fuzz.test.ts: `node test/server/polymarket/fuzz-soak.ts [minutes] [seed]`.
 *
 * Starts a new venue with a new seed every 2,000 requests and 200 sockets. Ends at the first fault and prints its seed.
 */
import { wallClock } from '../../../src/clock/index.ts';
import { fuzzPolymarket } from './fuzz.ts';

const [minutes = '10', first = '1000'] = process.argv.slice(2);
const clock = wallClock();
const end = clock.now() + Number(minutes) * 60_000;
let requests = 0;
let placed = 0;
for (let seed = Number(first); clock.now() < end; seed += 1) {
  const tally = await fuzzPolymarket({ seed, requests: 2_000, sockets: 200 });
  requests += 2_000;
  placed += tally.placed;
  if (tally.faults.length > 0) {
    console.error(`seed ${seed}`, ...tally.faults);
    process.exitCode = 1;
    break;
  }
}
const rss = Math.round(process.memoryUsage().rss / 1e6);
console.log(`${requests} requests fuzzed, ${placed} orders placed, ${rss} MB`);
