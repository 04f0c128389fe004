/** Kills a study at random moments. `KILLS` sets how often, `SEED` when. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/index.ts';
import { studyFixture } from '../research/study/study-fixture.ts';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';
import { ended, halfspread, start } from './halfspread.ts';
import { until } from './trading.ts';

const { KILLS = '2', SEED = '7' } = process.env;
const COMMAND = ['optimize', 'study.yaml', '--json', '--quiet'];

const mounted: SmallDisk[] = [];
afterEach(() => {
  for (const disk of mounted.splice(0)) disk.unmount();
});

describe('a study that is killed', () => {
  it('has every trial once and the same result as a study that was not killed', async () => {
    const fixture = studyFixture(2, 3_000);
    fixture.write({ trials: 40, objectives: [{ maximise: 'pnl' }, { minimise: 'drawdown' }] });
    const whole = await halfspread([...COMMAND, '--set', 'file=whole.study'], fixture.folder);
    expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: '' });
    const random = seededRandom(Number(SEED));
    let startOption = '--new';
    for (let kill = 0; kill < Number(KILLS); kill += 1) {
      const child = start([...COMMAND, startOption], fixture.folder);
      const timer = setTimeout(() => child.kill('SIGKILL'), 500 + random.int(4_000));
      const { code } = await ended(child);
      clearTimeout(timer);
      // A study that ended before the kill is started again.
      startOption = code === 0 ? '--new' : '--resume';
    }
    const last = await halfspread([...COMMAND, '--resume'], fixture.folder);
    expect({ code: last.code, stderr: last.stderr }).toEqual({ code: 0, stderr: '' });
    expect(last.stdout).toBe(whole.stdout);
    const database = new Database(join(fixture.folder, 'study.study'), { readonly: true });
    expect(database.prepare('SELECT count(*) FROM trials').pluck().get()).toBe(40);
    expect(database.prepare('SELECT count(*) FROM runs').pluck().get()).toBe(86);
    database.close();
  }, 1_200_000);

  it('cannot be run by two processes', async () => {
    const fixture = studyFixture(2, 3_000);
    fixture.write({ trials: 400 });
    const first = start(COMMAND.slice(0, 2), fixture.folder);
    const end = ended(first);
    const file = join(fixture.folder, 'study.study');
    await until(() => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 60_000, 'trials are stored');
    const second = await halfspread([...COMMAND, '--resume'], fixture.folder);
    expect({ code: second.code, stderr: second.stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/process \d+ on .* uses the file .*study\.study\. Wait until it ends/),
    });
    first.kill('SIGINT');
    const interrupted = await end;
    expect([interrupted.code, interrupted.stderr]).toEqual([130, expect.stringContaining('--resume continues')]);
  }, 120_000);

  it('exits with code 3 and a remedy on a full disk, and continues when there is space', async ({ skip }) => {
    const disk = SmallDisk.mount(1) ?? skip(NO_SMALL_DISK);
    mounted.push(disk);
    const fixture = studyFixture(1);
    fixture.write({ trials: 6, file: join(disk.folder, 'a.study') });
    await halfspread([...COMMAND, '--trials', '1'], fixture.folder);
    const onFull = halfspread([...COMMAND, '--resume'], fixture.folder);
    await disk.keepFull(onFull);
    disk.freeSpace();
    const full = await onFull;
    expect([full.code, full.stderr]).toEqual([
      3,
      expect.stringMatching(/Free disk space|Check that the disk works and has free space/),
    ]);
    const { code, stdout } = await halfspread([...COMMAND, '--resume'], fixture.folder);
    expect([code, JSON.parse(stdout).trials]).toEqual([0, { done: 6, failed: 0 }]);
  }, 120_000);
});
