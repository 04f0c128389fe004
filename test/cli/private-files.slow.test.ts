/** Permissions of files that the programs create, under several umasks. */
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Harness } from '../venues/service/harness.ts';
import { ended, halfspread, newFolder, ROOT, waitForStderr } from './halfspread.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';

vi.setConfig({ hookTimeout: 60_000 });

let harness: Harness;
let market = '';
beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  market = await harness.market(1);
  await placeDistantOrders(harness, market);
});
afterAll(() => harness.close());

const before = process.umask();
afterEach(() => void process.umask(before));

/** Paths below a folder with their modes, without the files of the test. */
function modesBelow(folder: string, own: readonly string[]): readonly (readonly [path: string, mode: string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !own.includes(name))
    .map((name) => {
      const found = statSync(join(folder, name));
      return [name, `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`];
    });
}

describe.each(['022', '000'])('under umask %s', (text) => {
  const umask = Number.parseInt(text, 8);

  it('a bot that records and logs creates no file that others may read', async () => {
    process.umask(umask);
    const live = new LiveFixture(harness, `markets: { ids: ["${market}"] }\nrecord: { raw: true }`);
    const opened = await live.run();
    await waitForQuotes(opened);
    const running = modesBelow(live.folder, ['bot.yaml']);
    expect(await stopAndClose(opened)).toBe(0);
    const after = modesBelow(live.folder, ['bot.yaml']);
    const names = [...running, ...after].map(([name]) => name.replace(/.*\//, '').replace(/^[^.]*/, ''));
    for (const end of ['.db', '.db-intents', '.db-wal', '.db-shm', '.db.lock', '.db.lock.json']) {
      expect(names).toContain(end);
    }
    for (const end of ['.steps', '.frames', '.tape', '.tape.partial', '.tape.partial.list']) {
      expect(names.some((name) => name.endsWith(end))).toBe(true);
    }
    const loose = [...running, ...after].filter(([, mode]) => !['file 600', 'folder 700'].includes(mode));
    expect(loose).toEqual([]);
  });

  it('a venue creates no file that others may read', async () => {
    const folder = newFolder();
    const child = spawn(
      'sh',
      ['-c', `umask ${text}; exec "$@"`, 'sh', process.execPath, join(ROOT, 'bin/halfspread.js')].concat([
        ...['serve', '--port', '0', '--db', 'venue.db', '--log', 'info'],
      ]),
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    await Promise.all([
      waitForStderr(child, "operators' token"),
      new Promise((done) => child.stdout.once('data', done)),
    ]);
    const running = modesBelow(folder, []);
    expect(running.map(([name]) => name)).toEqual(expect.arrayContaining(['venue.db', 'venue.db-wal', 'venue.db-shm']));
    const end = ended(child);
    child.kill('SIGTERM');
    await end;
    expect([...running, ...modesBelow(folder, [])].filter(([, mode]) => mode !== 'file 600')).toEqual([]);
  });
});

describe('halfspread doctor', () => {
  it('names files of a bot and of a venue that others may read, with the command that restricts them', async () => {
    const live = new LiveFixture(harness, `markets: { ids: ["${market}"] }`);
    const doctor = (...more: readonly string[]) => halfspread(['doctor', 'bot.yaml', ...more], live.folder);
    const opened = await live.run();
    await stopAndClose(opened);
    expect((await doctor()).stdout).toMatch(/ok +files +only their owner can read them/);
    chmodSync(live.paths.db, 0o640);
    const venue = join(live.folder, "a venue's.db");
    copyFileSync(live.paths.db, venue);
    chmodSync(venue, 0o644);
    const { stdout } = await doctor('--venue-db', "a venue's.db");
    expect(stdout).toContain(`other users can access ${live.paths.db} (640), ${venue} (644)`);
    expect(stdout).toContain(`-> Run: chmod 600 ${live.paths.db} '${live.folder}/a venue'\\''s.db'`);
  });
});

describe('a bot with a database that its group may read', () => {
  it('logs a warning at its start', async () => {
    const live = new LiveFixture(harness, `markets: { ids: ["${market}"] }`);
    await stopAndClose(await live.run());
    chmodSync(live.paths.db, 0o640);
    await stopAndClose(await live.run());
    expect(live.logged).toContainEqual(
      expect.objectContaining({ file: live.paths.db, mode: '640', msg: expect.stringContaining('chmod 600') }),
    );
  });
});
