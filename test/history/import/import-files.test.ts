import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { mappingSchema } from '../../../src/history/import/mapping.ts';
import { scratchFolder } from '../scratch.ts';
import { HEADER, LEVELS, runImport, TRADES } from './run-import.ts';

describe('an import by a mapping', () => {
  it('names file, line and the nearest column for a column that the file does not have', async () => {
    const mapping = { ...LEVELS, time: { column: 'tss', format: 'epoch_ms' } };
    await expect(runImport({ files: { 'a.csv': HEADER }, mapping })).rejects.toThrow(
      'time.column: expected a column of a.csv (did you mean "ts"?): ts, side, price, size, got "tss"',
    );
  });

  it('drops a whole row of best prices if one price or size is invalid', async () => {
    const [bid, ask] = ['bid', 'ask'].map((side) => ({ price: { column: side }, size: { column: `${side}_size` } }));
    const made = await runImport({
      files: { 'a.csv': 'ts,bid,bid_size,ask,ask_size\n1,0.4,1,0.6,2\n2,0.5,3,1.42,4\n3,0.3,-10,0.7,5\n4,0.41,1,,\n' },
      mapping: { ...LEVELS, rows: [{ means: 'top_of_book', bid, ask }] },
    });
    expect(made.dropped).toEqual(['1 x price not between 0 and 1 (a.csv:3)', '1 x negative size (a.csv:4)']);
    expect(made.rows.map((row) => row.split(' ')[0])).not.toContain('2');
    expect(made.rows.map((row) => row.split(' ')[0])).not.toContain('3');
    expect(made.rows.at(-1)).toMatch(/^4 /);
  });

  it('refuses a pipe, which can be read only once', async () => {
    const folder = scratchFolder();
    spawnSync('mkfifo', [join(folder, 'a.csv')]);
    await expect(runImport({ files: { 'a.csv': '' } }, folder)).rejects.toThrow('a.csv: this is a pipe');
  }, 5_000);

  it('makes one book of a file for YES and a file for NO', async () => {
    const mapping = {
      ...LEVELS,
      market: { per_file: true },
      markets: [
        { instrument: 'rain.yes', market: 'rain' },
        { instrument: 'rain_NO', market: 'rain', outcome: 'no' },
      ],
    };
    const rows = '1,bid,0.40,1\n1,ask,0.60,2\n';
    const { tapes, ...made } = await runImport({
      files: { 'rain.yes.csv': HEADER + rows, 'rain_NO.csv': `${HEADER}1,bid,0.40,1\n2,bid,0.45,3\n` },
      mapping,
    });
    expect(tapes[0]?.manifest.markets.map(({ slug }) => slug)).toEqual(['rain']);
    expect(made.rows).toEqual(['1 level bid 4000 1', '1 level ask 6000 1 |', '2 level ask 5500 3 |']);
    expect(made.dropped).toEqual([]);
  });

  it('makes a market of each file and keeps rows that are equal in both', async () => {
    const text = `${HEADER}1,bid,0.40,1\n`;
    const mapping = { ...LEVELS, market: { per_file: true } };
    const { tapes, rows, dropped } = await runImport({ files: { 'a.csv': text, 'b.csv.gz': gzipSync(text) }, mapping });
    expect(tapes[0]?.manifest.markets.map(({ slug }) => slug)).toEqual(['a', 'b']);
    expect([rows.length, dropped]).toEqual([2, []]);
  });

  it('numbers separate tapes whose markets have the same slug', async () => {
    const text = `${HEADER}1,bid,0.40,1\n`;
    const { tapes } = await runImport({
      files: { 'a b.csv': text, 'a-b.csv': text, 'A_b.csv': text },
      mapping: { ...LEVELS, market: { per_file: true } },
      separate: true,
    });
    const names = tapes.map(({ path }) => basename(path));
    expect(names.toSorted()).toEqual(['levels-a-b-2.tape', 'levels-a-b-3.tape', 'levels-a-b.tape']);
  });

  it('is refused when the metadata names instruments and the rows do not', () => {
    const markets = [{ instrument: 'a' }];
    const issuesOf = (market: object) =>
      mappingSchema.safeParse({ ...LEVELS, version: 1, market, markets }).error?.issues ?? [];
    expect(issuesOf({}).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'markets: `market.column`, or `market.per_file: true` if files are instruments: rows have no instrument',
    ]);
    expect(issuesOf({ column: 'id', per_file: true }).map(({ path }) => path)).toEqual([['market', 'per_file']]);
    expect([issuesOf({ column: 'id' }), issuesOf({ per_file: true })]).toEqual([[], []]);
  });

  it('refuses a truncated file with its last complete line, or keeps the rows before the damage', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at + 1},bid,0.${10 + (at % 80)},${at + 1}`).join('\n');
    const cut = gzipSync(HEADER + lines).subarray(0, 30_000);
    await expect(runImport({ files: { 'a.csv.gz': cut } })).rejects.toThrow(
      /a\.csv\.gz, after line \d+: .*unexpected end of file.*`damaged: keep`/,
    );
    const { rows, changed } = await runImport({ files: { 'a.csv.gz': cut }, mapping: { ...LEVELS, damaged: 'keep' } });
    expect(rows.length).toBeGreaterThan(1_000);
    expect(changed.join()).toContain('1 x file that is damaged or cut short');
  });

  it('keeps the rows before the damage of a file that is damaged in its first batch or sorted', async () => {
    const mapping = { ...LEVELS, damaged: 'keep' };
    const rows = '1,bid,0.40,1\n2,bid,0.40,2\n';
    const cut = gzipSync(HEADER + rows, { level: 0 }).subarray(0, -8);
    const files = { 'a.csv': `${HEADER}3,bid,0.40,3\n`, 'b.csv.gz': cut };
    const { rows: kept, changed } = await runImport({ files, mapping });
    expect([kept.length, changed.join()]).toEqual([3, expect.stringContaining('1 x file that is damaged')]);
    const sorted = { ...mapping, time: { ...LEVELS.time, order: 'newest_first' } };
    expect((await runImport({ files, mapping: sorted })).rows).toHaveLength(3);
    const headless = { ...files, 'b.csv.gz': cut.subarray(0, 12) };
    await expect(runImport({ files: headless, mapping })).rejects.toThrow(/b\.csv\.gz, after line 0: /);
  });

  it('names the file and the entry of an outcome that cannot be used', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'facts.csv');
    writeFileSync(path, 'id,end,at\na,yes,2026-01-01T00:00:00Z\nb,maybe,2026-01-01T00:00:00Z\n');
    const metadata = { file: 'facts.csv', key: 'id', columns: { resolution: 'end', resolved_at: 'at' } };
    const files = { 'a.csv': `${HEADER}1,bid,0.40,1\n` };
    await expect(runImport({ files, mapping: { ...LEVELS, metadata } }, folder)).rejects.toThrow(
      `${path}, entry 2: markets of b: resolution: expected yes, no, void or bps, got "maybe". Correct the entry`,
    );
  });

  it('refuses merge-conflict markers, or reads the version that the mapping selects', async () => {
    const files = {
      'a.csv': `${HEADER}1,bid,0.4,1\n<<<<<<< HEAD\n2,bid,0.4,2\n=======\n2,bid,0.4,3\n>>>>>>> other\n3,bid,0.4,4\n`,
    };
    await expect(runImport({ files })).rejects.toThrow('a.csv, line 3: a merge-conflict marker');
    const sizesWith = async (conflict_markers: string) =>
      (await runImport({ files, mapping: { ...LEVELS, csv: { conflict_markers } } })).rows.map(
        (row) => row.split(' ')[4],
      );
    expect(await sizesWith('keep_first')).toEqual(['1', '2', '4']);
    expect(await sizesWith('keep_second')).toEqual(['1', '3', '4']);
    expect(await sizesWith('keep_both')).toEqual(['1', '3', '4']);
  });

  it('refuses merge-conflict markers also when it keeps the rows before damage', async () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `${at + 1},bid,0.${10 + (at % 80)},${at + 1}\n`).join('');
    const files = { 'a.csv': `${HEADER}${lines}<<<<<<< HEAD\n30001,bid,0.4,1\n` };
    await expect(runImport({ files, mapping: { ...LEVELS, damaged: 'keep' } })).rejects.toThrow(
      'a.csv, line 30002: a merge-conflict marker',
    );
  });

  it('refuses merge-conflict markers in JSON lines, with their line', async () => {
    const row = '{"ts":1,"side":"bid","price":0.4,"size":1}\n';
    const text = `${row}<<<<<<< HEAD\n${row}=======\n${row}>>>>>>> other\n`;
    await expect(runImport({ files: { 'a.jsonl': text }, format: 'jsonl' })).rejects.toThrow(
      'a.jsonl, line 2: a merge-conflict marker: the file contains two versions. Resolve the conflict',
    );
  });

  it('names the line whose JSON is nested too deeply, and the row of a Parquet file', async () => {
    const row = '{"ts":1,"side":"bid","price":0.4,"size":1}\n';
    const deep = `{"ts":${'['.repeat(300)}"${'x'.repeat(5_000)}"${']'.repeat(300)}}`;
    await expect(runImport({ files: { 'a.jsonl': `${row}${deep}\n` }, format: 'jsonl' })).rejects.toThrow(
      /a\.jsonl, line 2: JSON that is nested more than 250 levels deep\. Remove the line/,
    );
    const data = [[1], JSON.parse(deep)];
    const columnData = ['ts', 'side', 'price', 'size'].map((name) => ({ name, data, type: 'JSON' as const }));
    const bytes = parquetWriteBuffer({ columnData });
    await expect(runImport({ files: { 'a.parquet': new Uint8Array(bytes) }, format: 'parquet' })).rejects.toThrow(
      /a\.parquet, after row 0: .*JSON that is nested more than 250 levels deep/,
    );
  });

  it('drops a quoted cell with more characters than a line may have', async () => {
    const half = 'x'.repeat(9_000_000);
    const { rows, dropped } = await runImport({
      files: { 'a.csv': `${HEADER}1,bid,0.4,1\n2,bid,0.4,"${half}\n${half}"\n3,bid,0.4,2\n` },
    });
    expect(rows).toEqual(['1 level bid 4000 1 |', '3 level bid 4000 2 |']);
    expect(dropped).toEqual([
      '1 x quoted cell without an end (a.csv:3)',
      '1 x row with another number of cells than the 4 columns (a.csv:4)',
    ]);
  });

  it('drops unbalanced quotes in time that is linear in their lines', async () => {
    const text = `1,a"b,"c,${'x'.repeat(40)}\n`.repeat(3_000);
    const { dropped } = await runImport({ files: { 'a.csv': `${HEADER}${text}1,bid,0.4,1\n` } });
    expect(dropped).toEqual([expect.stringContaining('3000 x quoted cell without an end')]);
  }, 10_000);

  it('recognises interleaved captures and rows that are newest first', async () => {
    const interleaved = Array.from({ length: 40 }, (_, at) => `${at % 2 === 0 ? 100_000 + at : at},bid,0.4,1\n`).join(
      '',
    );
    await expect(runImport({ files: { 'a.csv': HEADER + interleaved } })).rejects.toThrow(
      /a\.csv, line 3: time: expected .* Time goes back 20 times in the next 39 rows: two captures seem to be interleaved/,
    );
    const newest = Array.from({ length: 40 }, (_, at) => `${(100 - at) * 10_000},bid,0.4,1\n`).join('');
    await expect(runImport({ files: { 'a.csv': HEADER + newest } })).rejects.toThrow(
      'newest first. Set `time.order: newest_first`',
    );
    const once = `${HEADER}100000,bid,0.4,1\n1,bid,0.4,2\n2,bid,0.4,3\n`;
    await expect(runImport({ files: { 'a.csv': once } })).rejects.toThrow('second capture seems to begin here');
  });

  it('sorts unordered rows, also when they do not fit into memory', async () => {
    const lines = Array.from(
      { length: 450_000 },
      (_, at) => `${1 + ((at * 7_919) % 450_000)},bid,0.4,${1 + ((at * 7_919) % 450_000)}`,
    );
    const mapping = { ...LEVELS, time: { ...LEVELS.time, order: 'any' } };
    const { tapes, rows } = await runImport({ files: { 'a.csv': `${HEADER}${lines.join('\n')}\n` }, mapping });
    expect(tapes[0]?.manifest.rows).toBe(450_000);
    expect(rows[449_999]).toBe('450000 level bid 4000 450000 |');
  }, 30_000);

  it('merges files by time and drops rows that another file also has', async () => {
    const files = {
      'b.csv': `${HEADER}2,buy,0.4,1\n2,buy,0.4,1\n3,buy,0.4,9\n`,
      'a.csv': `${HEADER}1,buy,0.4,5\n2,buy,0.4,1\n`,
    };
    const { rows, dropped } = await runImport({ files, mapping: TRADES });
    expect(rows).toEqual([
      '1 trade bid 4000 5 |',
      '2 trade bid 4000 1',
      '2 trade bid 4000 1 |',
      '3 trade bid 4000 9 |',
    ]);
    expect(dropped).toEqual(['1 x row that another file has, too (a.csv:3)']);
  });
});
