/**
 * Runs the properties over long random sequences: `npm run soak:exchange -- [seed] [commands] [length]`. The defaults
 * are a random seed, 200,000 commands, and at most 600 commands a sequence (half of it on average). A failure prints
 * its seed, its path and the smallest failing sequence.
 */
import fc from 'fast-check';
import { PROPERTIES } from './properties.ts';

const [seed = Math.floor(Math.random() * 2 ** 31), commands = 200_000, length = 600] = process.argv
  .slice(2)
  .map(Number);

console.log(`seed ${seed}, ${commands} commands in sequences of up to ${length}`);
for (const [name, property] of Object.entries(PROPERTIES)) {
  const runs = Math.max(1, Math.round((2 * commands) / length / Object.keys(PROPERTIES).length));
  const start = performance.now();
  fc.assert<unknown[]>(property(length), { seed, numRuns: runs });
  console.log(`${runs} sequences, ${((performance.now() - start) / 1000).toFixed(1)} s: ${name}`);
}
