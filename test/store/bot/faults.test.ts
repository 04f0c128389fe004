import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BOT_MIGRATIONS } from '../../../src/store/bot/bot-tables.ts';
import { BotReader, BotStore, checkBotFile, SqliteStore } from '../../../src/store/index.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, changeFile, NAME, requote } from './bot-harness.ts';

const file = databaseFiles();

/** Writes a file with some steps and closes it. */
async function writeUsed(): Promise<string> {
  const name = file();
  const bot = BotHarness.open({ file: name });
  for (let order = 1; order < 30; order += 1) bot.apply({ kind: 'place', order, amount: 3, market: 0 });
  await bot.store.close(5);
  return name;
}

const open = (name: string) => BotStore.open({ file: name, name: NAME, spec: '{}' });

describe('a file that is removed or replaced while it is open', () => {
  it.each(['', '-intents'])('refuses every later write: bot.db%s', async (ending) => {
    for (const change of [rmSync, replace]) {
      const name = file();
      const bot = BotHarness.open({ file: name });
      bot.apply({ kind: 'place', order: 1, amount: 3, market: 0 });
      bot.store.storeState();
      change(`${name}${ending}`);
      expect(() => bot.store.storeState()).toThrow(
        /bot|db.*: it was removed or replaced while it was in use\. Put back a copy/,
      );
      expect(() => bot.apply({ kind: 'place', order: 2, amount: 3, market: 0 })).toThrow('it was removed or replaced');
      await bot.store.close(5);
      if (ending === '' && change === rmSync) expect(() => open(name)).toThrow(/--accept-loss/);
    }
  });

  function replace(path: string): void {
    writeFileSync(`${path}-other`, readFileSync(path));
    renameSync(`${path}-other`, path);
  }
});

it('a failed checkpoint makes the store refuse every later write', async () => {
  const bot = BotHarness.open({ file: file() });
  const pragma = vi.spyOn(Database.prototype, 'pragma').mockImplementation(() => {
    throw new Error('disk I/O error');
  });
  onTestFinished(() => pragma.mockRestore());
  const fillTables = () => {
    for (let count = 0; count < 2_000; count += 1) requote(bot);
  };
  expect(fillTables).toThrow('disk I/O error');
  expect(() => bot.store.storeState()).toThrow('disk I/O error');
  await bot.store.close(1);
});

describe('an unusable file is refused with a remedy', () => {
  it('when it belongs to another bot', async () => {
    const name = await writeUsed();
    expect(() => BotStore.open({ file: name, name: 'somebody', spec: '{}' })).toThrow(
      `it belongs to "${NAME}", not to "somebody". Name another file, or the account and venue it was made for`,
    );
    await open(name).close(1);
  });

  it('when it belongs to another program or is another kind of file', async () => {
    const foreign = file();
    changeFile(foreign, 'CREATE TABLE a (b)');
    expect(() => open(foreign)).toThrow('it is a database of another program. Name another file');
    expect(() => BotReader.open(foreign)).toThrow('it is a database of another program');
    const venue = file();
    await SqliteStore.open({ file: venue }).close();
    expect(() => open(venue)).toThrow('it is a database of another program');
    const name = await writeUsed();
    expect(() => SqliteStore.open({ file: name })).toThrow('it is a database of another program');
  });

  it('when a later program wrote it', async () => {
    const name = await writeUsed();
    changeFile(name, 'PRAGMA user_version = 99');
    expect(() => open(name)).toThrow(
      `it has version 99, but this program reads versions up to ${BOT_MIGRATIONS.length}. Start the program`,
    );
  });

  it('when its pages are damaged, which `journal check` also reports', async () => {
    const name = await writeUsed();
    const bytes = readFileSync(name);
    writeFileSync(name, bytes.fill(0xa5, 3 * 4_096, 8 * 4_096));
    writeFileSync(`${name}.lock`, '');
    expect(() => checkBotFile(name)).toThrow(/could not be read \(SQLITE_CORRUPT.*Put back a good copy/);
  });

  it('when it is not a database', () => {
    const name = file();
    writeFileSync(name, 'name,price\n'.repeat(1_000));
    expect(() => open(name)).toThrow(/SQLITE_NOTADB.*Put back a good copy of the file, or name another one/);
  });

  it('when a step, or the snapshot, was changed', async () => {
    const name = await writeUsed();
    const broken = file();
    copyFileSync(name, broken);
    changeFile(broken, "UPDATE snapshots SET bytes = x'00ff'");
    expect(() => open(broken).storedRun()).toThrow(
      /snapshot 29: its bytes are not those that were written\. Put back a good copy/,
    );
    const other = file();
    copyFileSync(name, other);
    changeFile(other, "DELETE FROM snapshots WHERE seq > 0; UPDATE steps SET bytes = x'01' WHERE seq = 7");
    const stored = open(other).storedRun();
    if (stored === undefined) throw new Error('no snapshot');
    expect(() => [...stored.steps]).toThrow(/step 7: its bytes are not those/);
  });

  it('when all steps after the snapshot are missing', async () => {
    const name = await writeUsed();
    changeFile(name, 'DELETE FROM snapshots WHERE seq = (SELECT max(seq) FROM snapshots); DELETE FROM steps');
    expect(checkBotFile(name).steps).toEqual([expect.stringMatching(/^steps \d+ to \d+ are missing$/)]);
  });

  it('when bytes were changed, unless the content is unaffected', async () => {
    const name = await writeUsed();
    const bytes = readFileSync(name);
    let received = 0;
    for (let at = 100; at < bytes.length; at += 499) {
      const broken = file();
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      writeFileSync(broken, changed);
      try {
        const store = open(broken);
        const stored = store.storedRun();
        for (const step of stored?.steps ?? []) expect(step.seq).toBeGreaterThan(0);
      } catch (error) {
        received += 1;
        expect(String(error)).toMatch(/FileFault: .*(good copy|another file|the program that wrote it|Start again)/s);
      }
    }
    expect(received).toBeGreaterThan(5);
  });
});
