/** Changed rows of a bot's file. */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { FileFault } from '../../../src/domain/index.ts';
import { BOT_CHECKSUMS } from '../../../src/store/bot/bot-checksums.ts';
import { checkBotFile, isBotFile, SqliteStore } from '../../../src/store/index.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotLife, copyOf } from './bot-life.ts';
import { smallBot, started, traded } from './small-bot.ts';

const file = databaseFiles();
let good = '';
beforeAll(async () => {
  good = await smallBot(file);
});

/** Changes a copy with SQL. */
function edited(sql: string): string {
  const name = file();
  copyFileSync(good, name);
  const connection = new Database(name);
  expect(connection.prepare(sql).run().changes, sql).toBeGreaterThan(0);
  connection.close();
  return name;
}

async function met(name: string): Promise<unknown> {
  try {
    await started(name);
    return undefined;
  } catch (cause) {
    return cause;
  }
}

function faults(name: string): readonly string[] {
  const { structure, steps, rows, log } = checkBotFile(name);
  return [...structure, ...steps, ...rows, ...log];
}

// The single row of these tables has a fixed key.
const FIXED = ['bot.id', 'balance.id'];
const columns = Object.entries(BOT_CHECKSUMS).flatMap(([table, { sums }]) =>
  [...new Set(Object.entries(sums).flatMap(([sum, of]) => [sum, ...of]))]
    .map((column) => [table, column] as const)
    .filter((names) => !FIXED.includes(names.join('.'))),
);
// Only daily reports read these sums, and no order has an unused number.
const outOfReach = (table: string, column: string): boolean =>
  table === 'pruned' || `${table}.${column}` === 'signed.order_no';

describe('a changed row of a bot’s file', () => {
  it('is not reported for an intact file, and the check does not modify the file', async () => {
    const [before, files] = [readFileSync(good), readdirSync(dirname(good))];
    expect(faults(good)).toEqual([]);
    expect(readFileSync(good).equals(before)).toBe(true);
    expect(readdirSync(dirname(good))).toEqual(files);
    expect(await met(edited('UPDATE bot SET epoch = epoch'))).toBe(undefined);
  });

  it.each(columns)('is reported by `journal check` and by every reader: %s.%s', async (table, column) => {
    const connection = new Database(good, { readonly: true });
    const all = connection.prepare<[], number | string | null>(`SELECT ${column} FROM ${table}`).pluck().all();
    connection.close();
    expect(all.length, table).toBeGreaterThan(0);
    const value = all.find((one) => one !== null) ?? 0;
    const other = typeof value === 'number' ? `coalesce(${column}, 0) + 1000000` : `coalesce(${column}, '') || 'x'`;
    const last = `rowid = (SELECT max(rowid) FROM ${table})`;
    // The table `pruned` has no row numbers.
    const where = table === 'pruned' ? `day = (SELECT max(day) FROM pruned) AND outcome = 'YES'` : last;
    const name = edited(`UPDATE ${table} SET ${column} = ${other} WHERE ${where}`);
    const found = faults(name).join('\n');
    expect(found).toMatch(new RegExp(`table ${table}, row .*: its checksum is wrong`));
    if (outOfReach(table, column)) return;
    const fault = await met(name);
    expect(fault).toBeInstanceOf(FileFault);
    expect(String(fault)).toMatch(
      /(table|snapshot) .*Put back a good copy of the file\. `npx halfspread journal check/,
    );
  });

  it.each([
    ['UPDATE steps SET at = at + 1 WHERE seq = (SELECT max(seq) FROM steps)', /step \d+: its bytes are step \d+ of/],
    ['UPDATE steps SET seq = seq + 1 WHERE seq = (SELECT max(seq) FROM steps)', /step \d+: its bytes are step \d+ of/],
    ["UPDATE steps SET bytes = x'01' WHERE seq = (SELECT max(seq) FROM steps)", /step \d+: its bytes are not those/],
    ["UPDATE snapshots SET bytes = x'01' WHERE seq = (SELECT max(seq) FROM snapshots)", /snapshot \d+: its bytes are/],
    ['DELETE FROM bot', /table bot: its row is missing/],
    [
      "UPDATE commit_stamp SET stamp = x'00'",
      /table commit_stamp: its row is missing or has another id, or its checksum is wrong/,
    ],
  ])('is reported by `journal check`: %s', (sql, message) => {
    expect(faults(edited(sql)).join('\n')).toMatch(message);
  });

  it.each([
    ['DELETE FROM bot', /table bot: its row is missing/],
    ['DELETE FROM snapshots', /table snapshots: it is empty, although steps were stored/],
    ['DELETE FROM steps WHERE seq >= (SELECT max(seq) FROM snapshots)', undefined],
  ])('makes a start fail with its position: %s', async (sql, message) => {
    const fault = await met(edited(sql));
    if (message === undefined) expect(fault).toBe(undefined);
    else expect(String(fault)).toMatch(message);
  });

  it('is looked for up to the last durable step, which may be in the log', async () => {
    const name = file();
    const life = BotLife.open({ file: name, boot: 'first', snapshotEvery: 15 });
    traded(life, 3);
    const copy = copyOf(name, file());
    const { lastStep, waiting } = checkBotFile(copy);
    expect(waiting).toBeGreaterThan(0);
    expect(lastStep).toBe(life.seq - 1);
    await life.store.close(1);
  });

  it('is looked for only in files of bots', async () => {
    const venue = file();
    await SqliteStore.open({ file: venue }).close();
    expect([isBotFile(good), isBotFile(venue), isBotFile(file())]).toEqual([true, false, false]);
    expect(() => checkBotFile(venue)).toThrow('it is not the database of a venue or a bot');
  });
});
