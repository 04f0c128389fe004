/** `node --expose-gc compiled-program.ts`: trains, collects all garbage, continues, and prints its progress. */
import { setTimeout as pause } from 'node:timers/promises';
import { compileEarly } from '../../../src/app/v8-flags.ts';
import { Warmup } from '../../../src/app/warmup/warmup.ts';
import { wallClock } from '../../../src/clock/index.ts';
import { openSigningTools } from '../../server/trader.ts';

compileEarly();
const { signer, messages } = await openSigningTools();
const log = { debug() {}, info() {}, warn: console.error, error: console.error };
const warmup = new Warmup({ clock: wallClock(), log, signer, messages });
await warmup.train(3_000);
await pause(200);
process.stdout.write('trained\n');
for (let round = 0; round < 3; round += 1) {
  globalThis.gc?.();
  await pause(20);
}
process.stdout.write('collected\n');
