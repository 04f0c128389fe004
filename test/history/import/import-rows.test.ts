import { describe, expect, it } from 'vitest';
import type { Cells } from '../../../src/history/import/column-readers.ts';
import { ImportCounts } from '../../../src/history/import/counts.ts';
import { type RowTimes, readTimedRows } from '../../../src/history/import/timed-rows.ts';
import { newReadProgress } from '../../../src/history/lines.ts';
import { HEADER, LEVELS, runImport, TRADES } from './run-import.ts';

describe('an import of rows by a mapping', () => {
  it('names the column and the reason when no row fits', async () => {
    const mapping = { ...LEVELS, time: { column: 'ts', format: 'iso8601' } };
    await expect(runImport({ files: { 'a.csv': `${HEADER}1,bid,0.4,1\n2,bid,0.4,2\n` }, mapping })).rejects.toThrow(
      'no row can be used: column "ts": not a time as time.format and time.zone of the mapping say (2 rows, first a.csv:2)',
    );
    const jsonl = runImport({ files: { 'a.jsonl': '{"ts":1,"side":"bid","size":1}\n' }, format: 'jsonl' });
    await expect(jsonl).rejects.toThrow(
      'no row can be used: column "price": not a number of dollars (1 rows, first a.jsonl:1)',
    );
  });

  it('drops and locates rows that it cannot read', async () => {
    const text = `${HEADER}1,bid,0.40,1\n2,bid,x,1\n3,up,0.41,1\n4,bid,0.42,-1\n5,bid,0.43\n6,bid,1.2,1\n7,ask,0.455,1\n8,bid,0.4`;
    const { rows, dropped, changed } = await runImport({ files: { 'a.csv': text } });
    expect(rows).toEqual(['1 level bid 4000 1 |', '7 level ask 4600 1 |']);
    expect(dropped).toEqual([
      '1 x row with another number of cells than the 4 columns (a.csv:6)',
      '1 x column "price": not a number of dollars (a.csv:3)',
      '1 x column "side": not a word for a bid or an ask (a.csv:4)',
      '1 x negative size (a.csv:5)',
      '1 x price not between 0 and 1 (a.csv:7)',
      '1 x incomplete last line (a.csv:9)',
    ]);
    expect(changed).toEqual(['1 x price rounded to the grid (a.csv:8)']);
  });

  it('reports that the last cell of a row without a line end may be cut', async () => {
    const { rows, changed } = await runImport({ files: { 'a.csv': `${HEADER}1,bid,0.40,16\n2,bid,0.41,1` } });
    expect(rows).toEqual(['1 level bid 4000 16 |', '2 level bid 4100 1 |']);
    expect(changed).toEqual(['1 x last line without a line end: its last cell may be cut (a.csv:3)']);
  });

  it('does not read hexadecimal text as a number', async () => {
    const { dropped } = await runImport({ files: { 'a.csv': `${HEADER}1,bid,0.40,1\n2,bid,0.41,0x10\n` } });
    expect(dropped).toEqual(['1 x column "size": not a number of shares (a.csv:3)']);
  });

  it('counts trades with an unknown word as side, but not trades without a side', async () => {
    const text = `${HEADER}1,BUY,0.40,1\n2,Redeem,0.41,1\n3,,0.42,1\n`;
    const { rows, changed } = await runImport({ files: { 'a.csv': text }, mapping: TRADES });
    expect(rows).toEqual(['1 trade bid 4000 1 |', '2 trade ? 4100 1 |', '3 trade ? 4200 1 |']);
    expect(changed).toEqual(['1 x trade with an unknown word for its side: its taker counts as unknown (a.csv:3)']);
  });

  it('keeps the book of YES when it drops snapshots and books of NO', async () => {
    const market = { column: 'm', outcome: { column: 'o', yes: ['Y'], no: ['N'] }, no_rows: 'drop' };
    const snapshot = {
      means: 'snapshot',
      side: { column: 'side' },
      price: { column: 'price' },
      size: { column: 'size' },
    };
    const csv = 'ts,m,o,side,price,size\n1,a,Y,bid,0.40,1\n2,a,N,ask,0.60,1\n3,a,Y,bid,0.41,1\n';
    const snapshots = await runImport({ files: { 'a.csv': csv }, mapping: { ...LEVELS, market, rows: [snapshot] } });
    const side = (name: string) => ({ column: name, price: 'p', size: 's' });
    const book = { means: 'book', bids: side('b'), asks: side('a') };
    const line = (ts: number, o: string, p: string) => JSON.stringify({ ts, m: 'a', o, b: [{ p, s: '1' }], a: [] });
    const jsonl = `${line(1, 'Y', '0.40')}\n${line(2, 'N', '0.60')}\n${line(3, 'Y', '0.41')}\n`;
    const mapping = { ...LEVELS, market, rows: [book] };
    const books = await runImport({ files: { 'a.jsonl': jsonl }, format: 'jsonl', mapping });
    const rows = ['1 level bid 4000 1 |', '3 level bid 4000 0', '3 level bid 4100 1 |'];
    expect([snapshots.rows, books.rows]).toEqual([rows, rows]);
    expect([snapshots.dropped, books.dropped]).toEqual([['1 x NO row (a.csv:3)'], ['1 x NO row (a.jsonl:2)']]);
  });

  it('counts candles without trades', async () => {
    const rows = [{ means: 'candle', close: { column: 'price' }, volume: { column: 'size' }, length_ms: 60_000 }];
    const made = await runImport({
      files: { 'a.csv': `${HEADER}1,,0.40,1\n2,,0.41,0\n` },
      mapping: { ...LEVELS, rows },
    });
    expect(made.dropped).toEqual(['1 x candle without trades (a.csv:3)']);
  });

  it('drops local times that daylight saving time skips', async () => {
    const times = ['2026-03-08 01:59:00', '2026-03-08 02:30:00', '2026-03-08 03:00:00'];
    const { rows, dropped } = await runImport({
      files: { 'a.csv': `${HEADER}${times.map((time, at) => `${time},bid,0.4${at},1\n`).join('')}` },
      mapping: { ...LEVELS, time: { column: 'ts', zone: 'America/New_York' } },
    });
    expect(rows.map((row) => new Date(Number(row.split(' ')[0])).toISOString())).toEqual([
      '2026-03-08T06:59:00.000Z',
      '2026-03-08T07:00:00.000Z',
    ]);
    expect(dropped).toEqual(['1 x column "ts": not a time as time.format and time.zone of the mapping say (a.csv:3)']);
  });

  it('counts and locates levels that do not change the book', async () => {
    const text = `${HEADER}1,bid,0.40,1\n2,bid,0.40,1\n2,bid,0.40,2\n3,ask,0.60,0\n4,bid,0.40,2\n`;
    const { rows, dropped } = await runImport({ files: { 'a.csv': text } });
    expect(rows).toEqual(['1 level bid 4000 1 |', '2 level bid 4000 2 |']);
    expect(dropped).toEqual(['3 x level without a change (a.csv:3, a.csv:5, a.csv:6)']);
  });

  it('drops a trade with the id of an earlier trade', async () => {
    const mapping = { ...TRADES, rows: [{ ...TRADES.rows[0], id: 'id' }] };
    const files = { 'a.csv': 'ts,side,price,size,id\n1,buy,0.4,5,x\n1,buy,0.4,5,y\n2,buy,0.4,5,x\n' };
    const { rows, dropped, counts } = await runImport({ files, mapping });
    expect(rows).toHaveLength(2);
    expect(dropped).toEqual(['1 x trade with the id of an earlier trade (a.csv:4)']);
    expect(counts.trades.read).toBe(2);
  });

  it('keeps trades of two markets with the same id', async () => {
    const rule = { ...TRADES.rows[0], id: 'id' };
    const mapping = { ...TRADES, market: { column: 'market' }, rows: [rule] };
    const files = { 'a.csv': 'ts,side,price,size,id,market\n1,buy,0.4,5,x,a\n2,buy,0.5,6,x,b\n3,buy,0.4,5,x,a\n' };
    const { counts, dropped } = await runImport({ files, mapping });
    expect(counts.trades.read).toBe(2);
    expect(dropped).toEqual(['1 x trade with the id of an earlier trade (a.csv:4)']);
  });

  it('reads each time in its own zone, and drops a time without a zone', async () => {
    const mapping = { ...LEVELS, time: { column: 'ts', format: 'yyyy-MM-dd HH:mm:ss zzz' } };
    const files = {
      'a.csv': `${HEADER}2026-03-08 12:00:00 EST,bid,0.4,1\n2026-03-08 13:30:00 EDT,bid,0.4,2\n2026-03-08 17:45:00,bid,0.4,2\n`,
    };
    const { rows, counts, dropped } = await runImport({ files, mapping });
    expect(rows.map((row) => new Date(Number(row.split(' ')[0])).toISOString())).toEqual([
      '2026-03-08T17:00:00.000Z',
      '2026-03-08T17:30:00.000Z',
    ]);
    expect([...counts.zones]).toEqual(['EST', 'EDT']);
    expect(dropped).toEqual(['1 x column "ts": not a time as time.format and time.zone of the mapping say (a.csv:4)']);
  });

  it('gives rows without a time the valid time of the next or the previous row, as the mapping sets', async () => {
    const files = {
      'a.csv': `${HEADER},bid,0.4,1\n5,bid,0.4,2\n,bid,0.4,3\nx,bid,0.4,6\n,bid,0.4,7\n9,bid,0.4,4\n,bid,0.4,5\n`,
    };
    const importWith = async (missing: string) =>
      (
        await runImport({
          files,
          mapping: { ...TRADES, messages: 'row', time: { ...TRADES.time, missing }, rows: [{ ...TRADES.rows[0] }] },
        })
      ).rows.map((row) => `${row.split(' ')[0]}:${row.split(' ')[4]}`);
    expect(await importWith('next')).toEqual(['5:1', '5:2', '9:3', '9:7', '9:4']);
    expect(await importWith('previous')).toEqual(['5:2', '5:3', '5:7', '9:4', '9:5']);
    expect(await importWith('drop')).toEqual(['5:2', '9:4']);
  });

  it('drops a row with text between a closing quote and the next delimiter', async () => {
    const text = `${HEADER}1,bid,"0.4",1\n2,bid,"0.4"x2\n3,bid,"0.4",3\n`;
    const { rows, dropped } = await runImport({ files: { 'a.csv': text } });
    expect(rows).toEqual(['1 level bid 4000 1 |', '3 level bid 4000 3 |']);
    expect(dropped).toEqual(['1 x row with another number of cells than the 4 columns (a.csv:3)']);
  });

  it('drops a line with an unbalanced quote and reads the following lines', async () => {
    const many = Array.from({ length: 1_100 }, (_, at) => `${10 + at},bid,0.4,${at % 2 ? 5 : 6}\n`).join('');
    const text = `${HEADER}1,"bid",0.4,1\n2,"bid,0.41,1\n${many}2000,"bid,0.42,1\n2001,bid,0.43,1\n2002,"bid,0.44,1\n2003,bid,0.45`;
    const { rows, dropped } = await runImport({ files: { 'a.csv': text } });
    expect(rows[0]).toBe('1 level bid 4000 1 |');
    expect(rows.slice(-2)).toEqual(['1109 level bid 4000 5 |', '2001 level bid 4300 1 |']);
    expect(rows).toHaveLength(1_102);
    expect(dropped).toEqual([
      '3 x quoted cell without an end (a.csv:3, a.csv:1104, a.csv:1106)',
      '1 x incomplete last line (a.csv:1107)',
    ]);
  });
});

describe('rows without a time', () => {
  let timesRead = 0;
  const isMissing = ([cell]: Cells): boolean => cell === '';
  const tx = ([cell]: Cells): number => {
    timesRead += 1;
    return cell === '' ? Number.NaN : Number(cell);
  };
  const times: RowTimes = { column: 'ts', missing: 'next', isMissing, tx, rx: undefined };

  async function readTimes(batches: Iterable<readonly string[]>): Promise<number[]> {
    timesRead = 0;
    const source = {
      file: 'a.csv',
      columns: ['ts'],
      progress: newReadProgress(),
      bytes: 0,
      async *batches() {
        for (const cells of batches) yield { rows: cells.map((cell) => [cell]), lines: cells.map((_, at) => at + 1) };
      },
    };
    const found: number[] = [];
    for await (const batch of readTimedRows(source, times, new ImportCounts())) found.push(...batch.times);
    return found;
  }

  it('get the time of the next batch, also before an invalid time', async () => {
    expect(await readTimes([['5', '', 'x'], ['9']])).toEqual([5, 9, 9]);
  });

  it('get the time of a much later batch, and are read twice at most', async () => {
    const batches = Array.from({ length: 100 }, () => ['', 'x', '']);
    expect(await readTimes([['5', ''], ...batches, ['', '9', '']])).toEqual([5, ...Array(203).fill(9)]);
    expect(timesRead).toBeLessThanOrEqual(2 * 305);
  });

  it('are refused when too many of them wait for a time', async () => {
    const batch: readonly string[] = Array(50_000).fill('');
    await expect(readTimes(Array(5).fill(batch))).rejects.toThrow(
      'a.csv, line 1: more than 200000 rows wait for the time of a later row. Set `time.missing` in the mapping to `drop` or `previous`',
    );
  });
});
