/** Kills an import at random moments. `KILLS` sets how often, `SEED` when. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/index.ts';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';
import { ended, halfspread, newFolder, start } from './halfspread.ts';
import { until } from './trading.ts';

const { KILLS = '1', SEED = '1' } = process.env;
/** Enough rows for several parts of an import, so that a kill after the first part precedes the end. */
const ROWS = Number(KILLS) > 1 ? 4_500_000 : 3_000_000;
/** Milliseconds that exceed the duration of an import. */
const NEVER = 600_000;
const COMMAND = ['import', 'csv', '--mapping', 'mapping.yaml', 'rows.csv', '--json', '--out'];
const MAPPING = `version: 1
name: killed
grid: { tick_bps: 100 }
time: { column: ts, format: epoch_ms }
rows:
  - means: level
    side: { column: side }
    price: { column: price, unit: bps }
    size: { column: size }
`;

const mounted: SmallDisk[] = [];
afterEach(() => {
  for (const disk of mounted.splice(0)) disk.unmount();
});

describe('an import that is stopped by a kill or by a full disk', () => {
  it('produces the same bytes and the same report after kills as without a kill', async () => {
    const folder = newFolder();
    const random = seededRandom(Number(SEED));
    writeFileSync(join(folder, 'mapping.yaml'), MAPPING);
    writeRows(join(folder, 'rows.csv'), random);
    const begin = process.hrtime.bigint();
    const whole = await halfspread([...COMMAND, 'whole'], folder);
    const wholeMs = Number((process.hrtime.bigint() - begin) / 1_000_000n);
    expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: '' });
    const tape = readFileSync(join(folder, 'whole/killed.tape'));
    const report = JSON.parse(whole.stdout);

    let continued = 0;
    const state = join(folder, 'killed/.import-killed/state.json');
    const run = async (killAfterMs: number, { isAfterPart = false } = {}): Promise<void> => {
      const child = start([...COMMAND, 'killed'], folder);
      const end = ended(child);
      if (isAfterPart) await until(() => existsSync(state), 'a part of the import is saved');
      const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      const { code, stdout, stderr } = await end;
      clearTimeout(timer);
      if (code === null) return;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { counts, resumedAt, tapes } = JSON.parse(stdout);
      if (resumedAt > 0) continued += 1;
      expect([counts, tapes.length]).toEqual([report.counts, 1]);
      expect(readFileSync(join(folder, 'killed/killed.tape')).equals(tape)).toBe(true);
      expect(readdirSync(join(folder, 'killed'))).toEqual(readdirSync(join(folder, 'whole')));
      // The import ended before the kill, so the next one starts from the beginning.
      if (killAfterMs < NEVER) rmSync(join(folder, 'killed'), { recursive: true });
    };
    for (let kill = 0; kill < Number(KILLS); kill += 1) await run(500 + random.int(wholeMs));
    // A kill after the tape is complete would leave nothing to continue.
    rmSync(join(folder, 'killed'), { recursive: true, force: true });
    await run(random.int(300), { isAfterPart: true });
    await run(NEVER);
    expect(continued).toBeGreaterThan(0);
  }, 1_800_000);

  it('exits with code 3 and a remedy on a full disk, and leaves no tape', async ({ skip }) => {
    const disk = SmallDisk.mount(1) ?? skip(NO_SMALL_DISK);
    mounted.push(disk);
    const folder = newFolder();
    writeFileSync(join(folder, 'mapping.yaml'), MAPPING);
    writeRows(join(folder, 'rows.csv'), seededRandom(1), 1_000_000);
    const full = await halfspread([...COMMAND, join(disk.folder, 'out')], folder);
    expect([full.code, full.stderr]).toEqual([3, expect.stringMatching(/ENOSPC.*Check that .* the disk has room/)]);
    expect(readdirSync(join(disk.folder, 'out'))).toEqual(['.import-killed']);
  }, 120_000);
});

function writeRows(path: string, random: ReturnType<typeof seededRandom>, rows = ROWS): void {
  const file = openSync(path, 'w');
  writeSync(file, 'ts,side,price,size\n');
  for (let row = 0; row < rows; ) {
    let text = '';
    for (const end = Math.min(rows, row + 100_000); row < end; row += 1) {
      const isBid = row % 2 === 0;
      text += `${1_700_000_000_000 + row * 2},${isBid ? 'bid' : 'ask'},${(isBid ? 4_900 : 5_000) + 100 * (isBid ? -random.int(9) : random.int(9))},${random.int(500)}\n`;
    }
    writeSync(file, text);
  }
  closeSync(file);
}
