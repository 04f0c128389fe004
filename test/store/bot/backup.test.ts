import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BOT_MIGRATIONS } from '../../../src/store/bot/bot-tables.ts';
import { BotReader, BotStore, backUpBot, checkBotFile, restoreBot, SqliteStore } from '../../../src/store/index.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, changeFile, NAME, placedOrders, signedRecord } from './bot-harness.ts';

const file = databaseFiles();
const NO_MARK = (): void => undefined;
const NOTE = { at: 1_767_225_600_000, killFile: null };

function trade(bot: BotHarness, orders: number): void {
  for (let count = 0; count < orders; count += 1) {
    const step = bot.apply({ kind: 'place', order: 1, amount: 1, market: 0 });
    bot.store.addSigned((step?.commands ?? []).flatMap(placedOrders).map(signedRecord));
    bot.apply({ kind: 'accepted', order: bot.lastOrder, amount: 1, market: 0 });
    bot.apply({ kind: 'filled', order: bot.lastOrder, amount: 0, market: 0 });
  }
}

/** Writes the database of a bot that ended, with 20 orders. */
async function writeUsed(): Promise<string> {
  const name = file();
  const bot = BotHarness.open({ file: name });
  trade(bot, 20);
  await bot.store.close(1);
  return name;
}

function fillsIn(name: string): number {
  const reader = BotReader.open(name);
  const { length } = reader.fills(100);
  reader.close();
  return length;
}

/** Files whose names start with that of a file. */
function filesOf(name: string): readonly string[] {
  return readdirSync(dirname(name)).filter((found) => found.startsWith(basename(name)));
}

describe('a backup', () => {
  it('of a running bot has the committed steps, and the bot continues and empties its log', async () => {
    const [name, target, restored] = [file(), file(), file()];
    const bot = BotHarness.open({ file: name });
    trade(bot, 20);
    await endOfTurn();
    const report = backUpBot(name, target, NOTE);
    expect(report).toMatchObject({ bot: NAME, orders: 20, fills: 20, lastStep: 60, bytes: statSync(target).size });
    expect(filesOf(target)).toEqual([basename(target)]);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    trade(bot, 5);
    await bot.store.close(1);
    expect(existsSync(`${name}-wal`)).toBe(false);
    expect(fillsIn(name)).toBe(25);
    expect(restoreBot(target, restored, report.sha256, NO_MARK)).toMatchObject({ orders: 20, fills: 20, note: NOTE });
    expect(checkBotFile(restored)).toMatchObject({ structure: [], steps: [], rows: [], log: [], lastStep: 60 });
    expect(fillsIn(restored)).toBe(20);
  });

  it('is refused by a bot as a database, and a restored one starts with a gap after its last step', async () => {
    const [target, restored] = [file(), file()];
    backUpBot(await writeUsed(), target, NOTE);
    expect(() => BotStore.open({ file: target, name: NAME, spec: '{}' })).toThrow(
      'it is a backup. `npx halfspread restore` makes',
    );
    restoreBot(target, restored, undefined, NO_MARK);
    const store = BotStore.open({ file: restored, name: NAME, spec: '{}', thread: false });
    expect(store.gap).toMatchObject({ cause: 'RESTORED', from: expect.any(Number), commits: 0, entries: 0 });
    expect(store.gap?.from).toBeGreaterThan(0);
    await store.close(1);
  });

  it('has the content of a kill file, which a restore stores before the database appears', async () => {
    const [target, restored] = [file(), file()];
    backUpBot(await writeUsed(), target, { ...NOTE, killFile: '{"reason":"WATCHDOG"}' });
    const stored: (string | boolean)[] = [];
    const { note } = restoreBot(target, restored, undefined, (mark) => stored.push(mark, existsSync(restored)));
    expect([note.killFile, ...stored]).toEqual(['{"reason":"WATCHDOG"}', '{"reason":"WATCHDOG"}', false]);
  });

  it('replaces no file, and leaves the file of another backup unchanged', async () => {
    const [name, target] = [await writeUsed(), file()];
    writeFileSync(target, 'mine');
    expect(() => backUpBot(name, target, NOTE)).toThrow('it exists already. Existing files are not replaced');
    expect(readFileSync(target, 'utf8')).toBe('mine');
    const other = file();
    writeFileSync(`${other}.partial`, 'half');
    expect(() => backUpBot(name, other, NOTE)).toThrow(`a killed one left this file. Remove it: rm ${other}.partial`);
    expect(filesOf(other)).toEqual([`${basename(other)}.partial`]);
  });

  it('is refused when its target has an invalid name', async () => {
    const name = await writeUsed();
    expect(() => backUpBot(name, `${file()}${'a'.repeat(300)}`, NOTE)).toThrow(/could not be read \(ENAMETOOLONG/);
  });

  it('of a damaged database fails and leaves nothing', async () => {
    const [name, target] = [await writeUsed(), file()];
    changeFile(name, 'UPDATE fills SET shares = shares + 1 WHERE id = 3');
    expect(() => backUpBot(name, target, NOTE)).toThrow('the copy is damaged: table fills');
    expect(filesOf(target)).toEqual([]);
  });

  it('is refused for a missing file, another program’s, a venue’s, and another version’s', async () => {
    const target = file();
    expect(() => backUpBot(file(), target, NOTE)).toThrow('there is no such file');
    const venue = file();
    await SqliteStore.open({ file: venue }).close();
    expect(() => backUpBot(venue, target, NOTE)).toThrow('it is not the database of a bot');
    for (const version of [BOT_MIGRATIONS.length - 1, 99]) {
      const name = await writeUsed();
      changeFile(name, `PRAGMA user_version = ${version}`);
      expect(() => backUpBot(name, target, NOTE)).toThrow(
        `it has version ${version}, but this program reads version ${BOT_MIGRATIONS.length}`,
      );
    }
    expect(filesOf(target)).toEqual([]);
  });
});

describe('a restore', () => {
  it.each(['', '-wal', '-intents', '-mark'])(
    'is refused when a file of a database exists at the target: "%s"',
    async (end) => {
      const [target, restored] = [file(), file()];
      backUpBot(await writeUsed(), target, NOTE);
      writeFileSync(restored + end, '');
      expect(() => restoreBot(target, restored, undefined, NO_MARK)).toThrow(
        'it exists already. Existing files are not replaced',
      );
      expect(filesOf(restored)).toEqual([basename(restored + end)]);
    },
  );

  it('refuses another kind of file, and a truncated, changed or later backup, and leaves no file', async () => {
    const [name, target, restored] = [await writeUsed(), file(), file()];
    const { sha256, bytes } = backUpBot(name, target, NOTE);
    const alteredCopy = (alter: (copy: string) => void): string => {
      const copy = file();
      copyFileSync(target, copy);
      alter(copy);
      return copy;
    };
    const lengths = [bytes - 8_192, bytes >> 1, 5_000, 100];
    const cuts = lengths.map((length) => alteredCopy((copy) => truncateSync(copy, length)));
    const changed = alteredCopy((copy) => changeFile(copy, 'UPDATE fills SET shares = shares + 1 WHERE id = 3'));
    const later = alteredCopy((copy) => changeFile(copy, 'PRAGMA user_version = 99'));
    expect(() => restoreBot(file(), restored, undefined, NO_MARK)).toThrow('there is no such file');
    expect(() => restoreBot(name, restored, undefined, NO_MARK)).toThrow('it is not a backup of a bot');
    const other = file();
    writeFileSync(other, 'no database at all');
    expect(() => restoreBot(other, restored, undefined, NO_MARK)).toThrow(`${other}: it is not a backup of a bot`);
    for (const cut of cuts) expect(() => restoreBot(cut, restored, undefined, NO_MARK)).toThrow(cut);
    expect(() => restoreBot(changed, restored, undefined, NO_MARK)).toThrow('the copy is damaged: table fills');
    expect(() => restoreBot(changed, restored, sha256, NO_MARK)).toThrow(`not ${sha256}. It was changed or truncated`);
    expect(() => restoreBot(later, restored, undefined, NO_MARK)).toThrow(
      'it has version 99, but this program reads versions up to',
    );
    expect(filesOf(restored)).toEqual([]);
    expect(restoreBot(target, restored, sha256, NO_MARK).orders).toBe(20);
  });

  it('of an earlier version is migrated, and its backup stays unchanged', async () => {
    const [target, restored] = [file(), file()];
    backUpBot(await writeUsed(), target, NOTE);
    // The current version added this table.
    changeFile(target, `DROP TABLE payments; PRAGMA user_version = ${BOT_MIGRATIONS.length - 1}`);
    const before = readFileSync(target);
    expect(restoreBot(target, restored, undefined, NO_MARK)).toMatchObject({ orders: 20, fills: 20 });
    expect(readFileSync(target).equals(before)).toBe(true);
    expect(checkBotFile(restored)).toMatchObject({ structure: [], steps: [], rows: [], log: [] });
    const bot = BotHarness.open({ file: restored });
    trade(bot, 1);
    await bot.store.close(1);
    expect(fillsIn(restored)).toBe(21);
  });

  it.each(['-wal', '-journal'])('and a backup refuse the journal of a killed run: "%s"', async (end) => {
    const [name, target, restored] = [await writeUsed(), file(), file()];
    writeFileSync(`${target}.partial${end}`, '');
    expect(() => backUpBot(name, target, NOTE)).toThrow(`rm ${target}.partial${end}`);
    rmSync(`${target}.partial${end}`);
    backUpBot(name, target, NOTE);
    writeFileSync(`${restored}.partial${end}`, '');
    expect(() => restoreBot(target, restored, undefined, NO_MARK)).toThrow(`rm ${restored}.partial${end}`);
    expect(filesOf(restored)).toEqual([`${basename(restored)}.partial${end}`]);
  });
});
