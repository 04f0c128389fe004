/** Kills a bot, its venue or both: `npm run soak:bot-kill -- [kills] [seed]`. kill.slow.test.ts is the short form. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { botKillRun } from './kill-run.ts';

const [kills = '200', seed = '1'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'bot-killed-'));
const startedMs = Date.now();
const counters = await botKillRun({
  kills: Number(kills),
  seed: Number(seed),
  folder,
  onKill: (line) => console.log(line),
});
rmSync(folder, { recursive: true });
console.log(
  `${kills} rounds of kills in ${Math.round((Date.now() - startedMs) / 1_000)} s: ${JSON.stringify(counters)}`,
);
console.log(
  'after each: orders, cash, shares, cost, fees, the beginning of the day and the kill state as they must be',
);
