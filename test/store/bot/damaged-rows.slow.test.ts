/** Changed rows of a bot's file. */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { FileFault } from '../../../src/domain/index.ts';
import { BOT_CHECKSUMS } from '../../../src/store/bot/bot-checksums.ts';
import { checkBotFile, isBotFile, SqliteStore } from '../../../src/store/index.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, copyOf } from './bot-harness.ts';
import { findingsOf, smallBot, startAndQuery, trade } from './small-bot.ts';

const file = databaseFiles();
let intact = '';
beforeAll(async () => {
  intact = await smallBot(file);
});

/** Changes a copy with SQL. */
function editedCopy(sql: string): string {
  const name = file();
  copyFileSync(intact, name);
  const connection = new Database(name);
  expect(connection.prepare(sql).run().changes, sql).toBeGreaterThan(0);
  connection.close();
  return name;
}

async function faultOf(name: string): Promise<unknown> {
  try {
    await startAndQuery(name);
    return undefined;
  } catch (cause) {
    return cause;
  }
}

// The single row of these tables has a fixed key.
const FIXED = ['bot.id', 'balance.id'];
const columns = Object.entries(BOT_CHECKSUMS).flatMap(([table, { checksums }]) =>
  [...new Set(Object.entries(checksums).flatMap(([sum, of]) => [sum, ...of]))]
    .map((column) => [table, column] as const)
    .filter((names) => !FIXED.includes(names.join('.'))),
);
// Only daily reports read these sums, and no order has an unused number.
const isUnreachable = (table: string, column: string): boolean =>
  table === 'pruned' || `${table}.${column}` === 'signed.order_no';

describe('a changed row of a bot’s file', () => {
  it('is not reported for an intact file, and the check does not modify the file', async () => {
    const [before, files] = [readFileSync(intact), readdirSync(dirname(intact))];
    expect(findingsOf(intact)).toEqual([]);
    expect(readFileSync(intact).equals(before)).toBe(true);
    expect(readdirSync(dirname(intact))).toEqual(files);
    expect(await faultOf(editedCopy('UPDATE bot SET epoch = epoch'))).toBe(undefined);
  });

  it.each(columns)('is reported by `journal check` and by every reader: %s.%s', async (table, column) => {
    const connection = new Database(intact, { readonly: true });
    const all = connection.prepare<[], number | string | null>(`SELECT ${column} FROM ${table}`).pluck().all();
    connection.close();
    expect(all.length, table).toBeGreaterThan(0);
    const value = all.find((found) => found !== null) ?? 0;
    const other = typeof value === 'number' ? `coalesce(${column}, 0) + 1000000` : `coalesce(${column}, '') || 'x'`;
    const last = `rowid = (SELECT max(rowid) FROM ${table})`;
    // The table `pruned` has no row numbers.
    const where = table === 'pruned' ? `day = (SELECT max(day) FROM pruned) AND outcome = 'YES'` : last;
    const name = editedCopy(`UPDATE ${table} SET ${column} = ${other} WHERE ${where}`);
    const found = findingsOf(name).join('\n');
    expect(found).toMatch(new RegExp(`table ${table}, row .*: its checksum is wrong`));
    if (isUnreachable(table, column)) return;
    const fault = await faultOf(name);
    expect(fault).toBeInstanceOf(FileFault);
    expect(String(fault)).toMatch(
      /(table|snapshot) .*Put back a good copy of the file\. `npx halfspread journal check/,
    );
  });

  it.each([
    ['UPDATE steps SET at = at + 1 WHERE seq = (SELECT max(seq) FROM steps)', /step \d+: its bytes contain step \d+/],
    ['UPDATE steps SET seq = seq + 1 WHERE seq = (SELECT max(seq) FROM steps)', /step \d+: its bytes contain step \d+/],
    ["UPDATE steps SET bytes = x'01' WHERE seq = (SELECT max(seq) FROM steps)", /step \d+: its bytes are not those/],
    ["UPDATE snapshots SET bytes = x'01' WHERE seq = (SELECT max(seq) FROM snapshots)", /snapshot \d+: its bytes are/],
    ['DELETE FROM bot', /table bot: its row is missing/],
    [
      "UPDATE commit_stamp SET stamp = x'00'",
      /table commit_stamp: its row is missing or has another id, or its checksum is wrong/,
    ],
  ])('is reported by `journal check`: %s', (sql, message) => {
    expect(findingsOf(editedCopy(sql)).join('\n')).toMatch(message);
  });

  it.each([
    ['DELETE FROM bot', /table bot: its row is missing/],
    ['DELETE FROM snapshots', /table snapshots: it is empty, although steps were stored/],
    ['DELETE FROM steps WHERE seq >= (SELECT max(seq) FROM snapshots)', undefined],
  ])('makes a start fail with its position: %s', async (sql, message) => {
    const fault = await faultOf(editedCopy(sql));
    if (message === undefined) expect(fault).toBe(undefined);
    else expect(String(fault)).toMatch(message);
  });

  it('is looked for up to the last durable step, which may be in the log', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, boot: 'first', snapshotEvery: 15 });
    trade(bot, 3);
    const copy = copyOf(name, file());
    const { lastStep, waiting } = checkBotFile(copy);
    expect(waiting).toBeGreaterThan(0);
    expect(lastStep).toBe(bot.seq - 1);
    await bot.store.close(1);
  });

  it('is looked for only in files of bots', async () => {
    const venue = file();
    await SqliteStore.open({ file: venue }).close();
    expect([isBotFile(intact), isBotFile(venue), isBotFile(file())]).toEqual([true, false, false]);
    expect(() => checkBotFile(venue)).toThrow('it is not the database of a venue or a bot');
  });
});
