import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyOpening, type Opening } from './opening-fuzz.ts';

const RUN = join(import.meta.dirname, 'opening-program.ts');
const PLAIN: Opening = {
  file: {},
  chaos: undefined,
  isInFile: false,
  isPortTaken: false,
  hasTape: false,
  seed: false,
  clients: [],
  openMs: 0,
  graceMs: 0,
  closings: 1,
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfspread-opening-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a process that opens and closes venues', () => {
  it('ends by itself after starts that fail', async () => {
    const failing: readonly Partial<Opening>[] = [
      { isPortTaken: true },
      { file: { exchange: { min_heartbeat: 1_000, max_heartbeat: 1 } } },
      { seed: true, file: { exchange: { max_question_length: 1 } } },
    ];
    const openings = failing.map((change) => ({ ...PLAIN, ...change }));
    expect(await outcomes(openings)).toEqual(['refused', 'refused', 'refused']);
  });

  it('ends by itself with any settings and with hanging clients', async () => {
    const openings = fc.sample(anyOpening, 20);
    expect(await outcomes(openings)).toHaveLength(openings.length);
  });
});

/** @throws Error with the output when the process fails, or hangs and is killed */
async function outcomes(openings: readonly Opening[]): Promise<readonly string[]> {
  const path = join(folder, 'openings.json');
  writeFileSync(path, JSON.stringify(openings));
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, path], { timeout: 150_000 }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`, { cause: error });
  });
  return stdout.split('\n').filter((line) => line === 'opened' || line === 'refused');
}
