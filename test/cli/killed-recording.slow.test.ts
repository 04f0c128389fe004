/** Replays the recording of a killed bot, intact and damaged. */
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStepLog } from '../../src/history/index.ts';
import { halfspread } from './halfspread.ts';
import { endAll, openVenue, TestBot, until, type VenueProcess } from './trading.ts';

vi.setConfig({ hookTimeout: 60_000 });

let venue: VenueProcess;
let folder = '';
let steps = '';
let replayedWhileRunning: Awaited<ReturnType<typeof halfspread>>;
let partsLeft: readonly boolean[] = [];
beforeAll(async () => {
  venue = await openVenue();
  const bot = new TestBot(venue.url, 'watchdog_ms: none\nrecord: kept');
  const { child, end } = await bot.run();
  folder = bot.folder;
  const [name = ''] = readdirSync(join(folder, 'kept')).filter((each) => each.endsWith('.steps'));
  steps = join(folder, 'kept', name);
  await until(() => readStepLog(steps).count > 20, 'steps are on the disk');
  replayedWhileRunning = await halfspread(['replay', steps], folder);
  const tape = steps.replace('.steps', '.tape');
  partsLeft = [`${tape}.partial`, `${tape}.partial.list`].map((file) => existsSync(file));
  child.kill('SIGKILL');
  await end;
});
afterAll(async () => {
  await venue.close();
  endAll();
});

it('a recording can be replayed while the bot runs, and it continues afterwards', () => {
  expect(replayedWhileRunning).toMatchObject({ code: 0 });
  expect(partsLeft).toEqual([true, true]);
});

describe('the recording of a bot that was killed', () => {
  it('is replayed with exit code 0, and the output names the last complete step and the missing end mark', async () => {
    const { count, lastStep } = readStepLog(steps);
    const { code, stdout } = await halfspread(['replay', steps], folder);
    const last = lastStep();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `^no end mark: the bot was killed.* The file has ${count} complete steps; the last is step ${last?.seq} of .*\n${count} of ${count} `,
        ),
      ),
    });
  });

  it('is replayed with exit code 0 when its last step is cut off, and the output has the number of its bytes', async () => {
    const { count } = readStepLog(steps);
    const bytes = readFileSync(steps);
    try {
      truncateSync(steps, bytes.length - 3);
      const { code, stdout } = await halfspread(['replay', steps, '--json'], folder);
      const found = JSON.parse(stdout);
      expect({ code, ...found }).toMatchObject({ code: 0, isEnded: false, steps: count - 1, same: count - 1 });
      expect(found.cutBytes).toBeGreaterThan(0);
    } finally {
      writeFileSync(steps, bytes);
    }
  });

  it.each([
    ['its first line', (start: number) => start >> 1, /^error: \S+\.steps, line 1: the checksum is wrong/],
    [
      'its first step',
      (start: number) => start + 9,
      /^error: \S+\.steps, byte \d+: step 1 is damaged, so the last \d+ bytes of the file/,
    ],
    ['its last byte', (_: number, size: number) => size - 1, /^error: \S+\.steps, byte \d+: step \d+ is damaged/],
  ])(
    'is refused with exit code 3, the position and a remedy when a byte in %s is damaged',
    async (_, positionOf, expected) => {
      const bytes = readFileSync(steps);
      try {
        const damaged = Buffer.from(bytes);
        const at = positionOf(bytes.indexOf(0x0a) + 1, bytes.length);
        damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
        writeFileSync(steps, damaged);
        const { code, stdout, stderr } = await halfspread(['replay', steps], folder);
        expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
        expect(stderr).toMatch(expected);
        expect(stderr).toContain('Put back a good copy of the file');
      } finally {
        writeFileSync(steps, bytes);
      }
    },
  );
});
