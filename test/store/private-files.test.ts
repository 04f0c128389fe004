import { chmodSync, closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { BotStore, SqliteStore, takeLease } from '../../src/store/index.ts';
import { exposedFiles, sqliteFiles } from '../../src/store/private-files.ts';
import { BotHarness, NAME, placedOrders, signedRecord } from './bot/bot-harness.ts';

const before = process.umask();
afterEach(() => void process.umask(before));

const root = mkdtempSync(join(tmpdir(), 'private-'));
afterAll(() => rmSync(root, { recursive: true }));
const folder = (): string => mkdtempSync(join(root, 'of-'));

/** Names and modes of all files in a folder. */
function modesIn(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(path)
      .toSorted()
      .map((name) => [name, (statSync(join(path, name)).mode & 0o777).toString(8)]),
  );
}

/** A bot with an order in its log that is not in its tables. */
function trade(bot: BotHarness): void {
  const step = bot.apply({ kind: 'place', order: 1, amount: 1, market: 0 }, { untilSigned: true });
  bot.store.addSigned((step?.commands ?? []).flatMap(placedOrders).map(signedRecord));
}

describe.each(['022', '000'])('under umask %s', (text) => {
  const umask = Number.parseInt(text, 8);

  it('the files of a venue are private while it runs', async () => {
    process.umask(umask);
    const place = folder();
    const store = SqliteStore.open({ file: join(place, 'venue.db') });
    store.registry.put({ table: 'setting', key: 'secret', value: 1 });
    await new Promise<void>((done) => store.registry.sync(() => done()));
    const modes = modesIn(place);
    expect(Object.keys(modes)).toEqual(
      expect.arrayContaining(['venue.db', 'venue.db-lock', 'venue.db-shm', 'venue.db-wal']),
    );
    expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
    await store.close();
    expect(new Set(Object.values(modesIn(place)))).toEqual(new Set(['600']));
  });

  it('the files of a bot are private while it trades', async () => {
    process.umask(umask);
    const place = folder();
    const file = join(place, 'bot.db');
    const holder = { pid: 1, host: 'here', since: '2026-11-22T05:00:00.000Z', file };
    const free = takeLease([{ path: `${file}.lock`, resource: 'the file' }], holder);
    const bot = BotHarness.open({ file });
    trade(bot);
    const modes = modesIn(place);
    const names = ['bot.db', 'bot.db-intents', 'bot.db-shm', 'bot.db-wal', 'bot.db.lock', 'bot.db.lock.json'];
    expect(Object.keys(modes)).toEqual(expect.arrayContaining(names));
    expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
    await bot.store.close(1);
    free();
    expect(new Set(Object.values(modesIn(place)))).toEqual(new Set(['600']));
  });
});

describe('a file that others may read', () => {
  it('is made private with the other files of its database when the database is opened', async () => {
    const place = folder();
    const file = join(place, 'bot.db');
    const bot = BotHarness.open({ file });
    trade(bot);
    for (const name of readdirSync(place)) chmodSync(join(place, name), 0o644);
    const reopened = BotStore.open({ file, name: NAME, spec: '{}', thread: false });
    expect(new Set(Object.values(modesIn(place)))).toEqual(new Set(['600']));
    await reopened.close(1);
  });

  it('stays unchanged when only its group may read it, which is deliberate', async () => {
    const file = join(folder(), 'venue.db');
    await SqliteStore.open({ file }).close();
    chmodSync(file, 0o640);
    await SqliteStore.open({ file }).close();
    expect(exposedFiles(sqliteFiles(file))).toEqual([{ path: file, mode: 0o640 }]);
  });

  it('is found by its permissions, and a missing file is ignored', () => {
    const place = folder();
    const [tight, loose] = [join(place, 'tight'), join(place, 'loose')];
    closeSync(openSync(tight, 'w', 0o600));
    closeSync(openSync(loose, 'w', 0o600));
    chmodSync(loose, 0o604);
    expect(exposedFiles([tight, loose, join(place, 'none')])).toEqual([{ path: loose, mode: 0o604 }]);
  });
});
