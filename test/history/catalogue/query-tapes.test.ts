import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTapeFolder, queryTapes } from '../../../src/history/index.ts';
import type { Message, Row } from '../../tape/rows.ts';
import { headOf, scratchFolder, writeTape } from '../scratch.ts';
import { buy } from '../tape-messages.ts';

const messageAt = (tx: number, ...rows: Row[]): Message => ({ tx, rx: tx + 5, rows });

function folderOfTapes(): string {
  const folder = scratchFolder();
  const head = headOf(1);
  const markets = head.markets.map((market) => ({ ...market, category: "o'tennis", tags: ['atp', 'men'] }));
  writeTape(join(folder, 'one.tape'), [messageAt(1_000, buy(5_000, 150)), messageAt(2_000, buy(5_100, 50))], {
    ...head,
    markets,
  });
  writeTape(join(folder, 'two.tape'), [messageAt(86_400_000, buy(6_000, 1))], head);
  return folder;
}

const query = (folder: string, sql: string, maxRows = 100) => queryTapes(openTapeFolder(folder), sql, { maxRows });

describe('SQL over tapes', () => {
  it('reads the rows of all tapes, with sizes in shares and codes as words', async () => {
    const folder = folderOfTapes();
    expect(
      await query(
        folder,
        'SELECT tape, kind, side, price, shares, last, inferred, time, received FROM rows ORDER BY time',
      ),
    ).toEqual({
      columns: ['tape', 'kind', 'side', 'price', 'shares', 'last', 'inferred', 'time', 'received'],
      rows: [
        ['one.tape', 'trade', 'bid', 5_000, 1.5, true, false, '1970-01-01 00:00:01', '1970-01-01 00:00:01.005'],
        ['one.tape', 'trade', 'bid', 5_100, 0.5, true, false, '1970-01-01 00:00:02', '1970-01-01 00:00:02.005'],
        ['two.tape', 'trade', 'bid', 6_000, 0.01, true, false, '1970-01-02 00:00:00', '1970-01-02 00:00:00.005'],
      ],
      isComplete: true,
    });
  });

  it('reads the tables of markets and tapes', async () => {
    const folder = folderOfTapes();
    const sql = `SELECT category, tags, sum(shares) AS shares, count(*)::INTEGER AS n FROM rows JOIN markets USING (tape, number) GROUP BY ALL ORDER BY n`;
    expect((await query(folder, sql)).rows).toEqual([
      [null, [], 0.01, 1],
      ["o'tennis", ['atp', 'men'], 2, 2],
    ]);
    expect((await query(folder, 'SELECT tape, rows, "from" FROM tapes ORDER BY tape')).rows).toEqual([
      ['one.tape', 2, '1970-01-01 00:00:01'],
      ['two.tape', 1, '1970-01-02 00:00:00'],
    ]);
  });

  it('returns at most the given number of rows', async () => {
    const { rows, isComplete } = await query(folderOfTapes(), 'SELECT * FROM range(5000)', 3);
    expect([rows.length, isComplete]).toEqual([3, false]);
  });

  it('accepts a query with a semicolon, comments, and texts that look like comments', async () => {
    const folder = folderOfTapes();
    const rowsOf = async (sql: string) => (await query(folder, sql)).rows;
    expect(await rowsOf('SELECT 1; -- note')).toEqual([[1]]);
    expect(await rowsOf('/* a */ SELECT 2 /* b */ ; /* c */')).toEqual([[2]]);
    expect(await rowsOf("SELECT '; -- note', 'it''s /* x */' AS \"a -- b\", $$;--$$;")).toEqual([
      ['; -- note', "it's /* x */", ';--'],
    ]);
    expect(await rowsOf("SELECT E'\\'--', 7 -- E'")).toEqual([["'--", 7]]);
    expect(await rowsOf('SELECT 3 -- note; more')).toEqual([[3]]);
    await expect(query(folder, '-- note')).rejects.toThrow('The query must be one SELECT');
    await expect(query(folder, '/* note */ ;')).rejects.toThrow('The query must be one SELECT');
  });

  it('exports each tape once, and removes the export of a deleted tape', async () => {
    const folder = folderOfTapes();
    await query(folder, 'SELECT 1');
    const exported = readdirSync(join(folder, '.parquet'));
    expect(exported).toHaveLength(2);
    rmSync(join(folder, 'two.tape'));
    await query(folder, 'SELECT 1');
    expect(readdirSync(join(folder, '.parquet'))).toEqual(exported.slice(0, 1));
  });

  it.each([
    ['is empty', ''],
    ['is a comment', '-- all rows'],
    ['has two statements', 'SELECT 1; SELECT 2'],
    ['writes a file', `COPY (SELECT 7) TO 'written.csv'`],
    ['changes a setting', 'SET threads = 1'],
    [
      'hides a second statement behind the limit',
      `SELECT 1) LIMIT 1; COPY (SELECT 7) TO 'written.csv'; SELECT * FROM (SELECT 1`,
    ],
    [
      'hides a second statement in a nested comment',
      `SELECT 1 /* /* */ ); COPY (SELECT 7) TO 'written.csv'; SELECT (1 -- */`,
    ],
  ])('is refused when it %s', async (_, sql) => {
    await expect(query(folderOfTapes(), sql)).rejects.toMatchObject({ code: 'SQL' });
    expect(existsSync('written.csv')).toBe(false);
  });

  it('is refused with the message of DuckDB and the names of the tables, and in a folder without tapes', async () => {
    await expect(query(folderOfTapes(), 'SELECT x FROM rowz')).rejects.toMatchObject({
      code: 'SQL',
      message: expect.stringMatching(/rowz.*The tables are rows, markets and tapes/s),
    });
    await expect(query(scratchFolder(), 'SELECT 1')).rejects.toMatchObject({
      problem: 'there is no tape in this folder',
    });
  });
});
