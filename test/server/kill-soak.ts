/** The long form of kill.slow.test.ts: `node test/server/kill-soak.ts [kills] [seed]`. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killRun } from './kill-run.ts';

const [kills = '50', seed = '1'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'killed-'));
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const { acknowledged, cancelled, unknown, duplicates, torn, fromSnapshot } = await killRun({
  kills: Number(kills),
  seed: Number(seed),
  folder,
  sha256,
});
rmSync(folder, { recursive: true });
console.log(
  `${kills} kills: ${acknowledged} acknowledged orders, all stored; ${cancelled} acknowledged cancels, all stored; ${unknown} orders without an answer, of which ${duplicates} were stored; ` +
    `${fromSnapshot} starts from a snapshot, ${torn} kills during a snapshot`,
);
