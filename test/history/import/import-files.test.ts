import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type FileImport, type FileImportOptions, importFiles } from '../../../src/history/import/import-files.ts';
import { mappingSchema } from '../../../src/history/import/mapping.ts';
import { scratchFolder } from '../scratch.ts';
import { rowsOfTape } from './tape-rows.ts';

const LEVELS = {
  name: 'levels',
  time: { column: 'ts', format: 'epoch_ms' },
  rows: [{ means: 'level', side: { column: 'side' }, price: { column: 'price' }, size: { column: 'size' } }],
  grid: { tick_bps: 100 },
};
const TRADES = {
  ...LEVELS,
  name: 'trades',
  rows: [{ means: 'trade', side: { column: 'side' }, price: { column: 'price' }, size: { column: 'size' } }],
};
const HEADER = 'ts,side,price,size\n';

interface ImportFixture extends Partial<Omit<FileImportOptions, 'mapping' | 'files'>> {
  /** Contents by file name. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly mapping?: object;
}

async function importing({ files, mapping = LEVELS, ...options }: ImportFixture, folder = scratchFolder()) {
  const mappingFile = join(folder, 'mapping.yaml');
  if (!existsSync(mappingFile)) writeFileSync(mappingFile, JSON.stringify(mapping));
  for (const [name, bytes] of Object.entries(files)) {
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), bytes);
  }
  const made: FileImport = await importFiles({
    format: 'csv',
    files: Object.keys(files).map((name) => join(folder, name)),
    mapping: mappingSchema.parse(mapping),
    mappingFile,
    folder: join(folder, 'out'),
    ...options,
  });
  const rows = made.tapes.map(({ path }) => rowsOfTape(path));
  const reasons = (of: 'dropped' | 'changed') =>
    [...made.counts[of]].map(([reason, { count, places }]) => `${count} x ${reason} (${places.join(', ')})`);
  return { ...made, rows: rows.flat(), dropped: reasons('dropped'), changed: reasons('changed') };
}

describe('an import by a mapping', () => {
  it('names file, line and the nearest column for a column that the file does not have', async () => {
    const mapping = { ...LEVELS, time: { column: 'tss', format: 'epoch_ms' } };
    await expect(importing({ files: { 'a.csv': HEADER }, mapping })).rejects.toThrow(
      'time.column: expected a column of a.csv (did you mean "ts"?): ts, side, price, size, got "tss"',
    );
  });

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
    const { tapes, ...made } = await importing({
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
    const { tapes, rows, dropped } = await importing({ files: { 'a.csv': text, 'b.csv.gz': gzipSync(text) }, mapping });
    expect(tapes[0]?.manifest.markets.map(({ slug }) => slug)).toEqual(['a', 'b']);
    expect([rows.length, dropped]).toEqual([2, []]);
  });

  it('is refused when the metadata names instruments and the rows do not', () => {
    const markets = [{ instrument: 'a' }];
    const of = (market: object) =>
      mappingSchema.safeParse({ ...LEVELS, version: 1, market, markets }).error?.issues ?? [];
    expect(of({}).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'markets: `market.column`, or `market.per_file: true` where each file is an instrument: rows name none',
    ]);
    expect(of({ column: 'id', per_file: true }).map(({ path }) => path)).toEqual([['market', 'per_file']]);
    expect([of({ column: 'id' }), of({ per_file: true })]).toEqual([[], []]);
  });

  it('says which column and why when no row fits', async () => {
    const mapping = { ...LEVELS, time: { column: 'ts', format: 'iso8601' } };
    await expect(importing({ files: { 'a.csv': `${HEADER}1,bid,0.4,1\n2,bid,0.4,2\n` }, mapping })).rejects.toThrow(
      'no row can be used: column "ts": not a time in the format and zone of the mapping (2 rows, first a.csv:2)',
    );
    const jsonl = importing({ files: { 'a.jsonl': '{"ts":1,"side":"bid","size":1}\n' }, format: 'jsonl' });
    await expect(jsonl).rejects.toThrow(
      'no row can be used: column "price": not a number of dollars (1 rows, first a.jsonl:1)',
    );
  });

  it('drops and locates rows that it cannot read', async () => {
    const text = `${HEADER}1,bid,0.40,1\n2,bid,x,1\n3,up,0.41,1\n4,bid,0.42,-1\n5,bid,0.43\n6,bid,1.2,1\n7,ask,0.455,1\n8,bid,0.4`;
    const { rows, dropped, changed } = await importing({ files: { 'a.csv': text } });
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

  it('says that the last cell of a row without a line end may be cut', async () => {
    const { rows, changed } = await importing({ files: { 'a.csv': `${HEADER}1,bid,0.40,16\n2,bid,0.41,1` } });
    expect(rows).toEqual(['1 level bid 4000 16 |', '2 level bid 4100 1 |']);
    expect(changed).toEqual(['1 x last line without a line end: its last cell may be cut (a.csv:3)']);
  });

  it('does not read hexadecimal text as a number', async () => {
    const { dropped } = await importing({ files: { 'a.csv': `${HEADER}1,bid,0.40,1\n2,bid,0.41,0x10\n` } });
    expect(dropped).toEqual(['1 x column "size": not a number of shares (a.csv:3)']);
  });

  it('counts trades with an unknown word as side, but not trades without a side', async () => {
    const text = `${HEADER}1,BUY,0.40,1\n2,Redeem,0.41,1\n3,,0.42,1\n`;
    const { rows, changed } = await importing({ files: { 'a.csv': text }, mapping: TRADES });
    expect(rows).toEqual(['1 trade bid 4000 1 |', '2 trade ? 4100 1 |', '3 trade ? 4200 1 |']);
    expect(changed).toEqual(['1 x trade with an unknown word for its side: its taker counts as unknown (a.csv:3)']);
  });

  it('counts candles without trades', async () => {
    const rows = [{ means: 'candle', close: { column: 'price' }, volume: { column: 'size' }, length_ms: 60_000 }];
    const made = await importing({
      files: { 'a.csv': `${HEADER}1,,0.40,1\n2,,0.41,0\n` },
      mapping: { ...LEVELS, rows },
    });
    expect(made.dropped).toEqual(['1 x candle without trades (a.csv:3)']);
  });

  it('drops local times that daylight saving time skips', async () => {
    const times = ['2026-03-08 01:59:00', '2026-03-08 02:30:00', '2026-03-08 03:00:00'];
    const { rows, dropped } = await importing({
      files: { 'a.csv': `${HEADER}${times.map((time, at) => `${time},bid,0.4${at},1\n`).join('')}` },
      mapping: { ...LEVELS, time: { column: 'ts', zone: 'America/New_York' } },
    });
    expect(rows.map((row) => new Date(Number(row.split(' ')[0])).toISOString())).toEqual([
      '2026-03-08T06:59:00.000Z',
      '2026-03-08T07:00:00.000Z',
    ]);
    expect(dropped).toEqual(['1 x column "ts": not a time in the format and zone of the mapping (a.csv:3)']);
  });

  it('counts and locates levels that do not change the book', async () => {
    const text = `${HEADER}1,bid,0.40,1\n2,bid,0.40,1\n2,bid,0.40,2\n3,ask,0.60,0\n4,bid,0.40,2\n`;
    const { rows, dropped } = await importing({ files: { 'a.csv': text } });
    expect(rows).toEqual(['1 level bid 4000 1 |', '2 level bid 4000 2 |']);
    expect(dropped).toEqual(['3 x level without a change (a.csv:3, a.csv:5, a.csv:6)']);
  });

  it('refuses a truncated file with its last complete line, or keeps the rows before the damage', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at + 1},bid,0.${10 + (at % 80)},${at + 1}`).join('\n');
    const cut = gzipSync(HEADER + lines).subarray(0, 30_000);
    await expect(importing({ files: { 'a.csv.gz': cut } })).rejects.toThrow(
      /a\.csv\.gz, after line \d+: .*unexpected end of file.*`damaged: keep`/,
    );
    const { rows, changed } = await importing({ files: { 'a.csv.gz': cut }, mapping: { ...LEVELS, damaged: 'keep' } });
    expect(rows.length).toBeGreaterThan(1_000);
    expect(changed.join()).toContain('1 x file that is damaged or cut short');
  });

  it('names the file and the entry of an outcome that cannot be used', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'facts.csv');
    writeFileSync(path, 'id,end,at\na,yes,2026-01-01T00:00:00Z\nb,maybe,2026-01-01T00:00:00Z\n');
    const metadata = { file: 'facts.csv', key: 'id', columns: { resolution: 'end', resolved_at: 'at' } };
    const files = { 'a.csv': `${HEADER}1,bid,0.40,1\n` };
    await expect(importing({ files, mapping: { ...LEVELS, metadata } }, folder)).rejects.toThrow(
      `${path}, entry 2: markets of b: resolution: expected yes, no, void or bps, got "maybe". Correct the entry`,
    );
  });

  it('refuses merge-conflict markers, or reads the version that the mapping selects', async () => {
    const files = {
      'a.csv': `${HEADER}1,bid,0.4,1\n<<<<<<< HEAD\n2,bid,0.4,2\n=======\n2,bid,0.4,3\n>>>>>>> other\n3,bid,0.4,4\n`,
    };
    await expect(importing({ files })).rejects.toThrow('a.csv, line 3: a merge-conflict marker');
    const kept = async (conflict_markers: string) =>
      (await importing({ files, mapping: { ...LEVELS, csv: { conflict_markers } } })).rows.map(
        (row) => row.split(' ')[4],
      );
    expect(await kept('keep_first')).toEqual(['1', '2', '4']);
    expect(await kept('keep_second')).toEqual(['1', '3', '4']);
    expect(await kept('keep_both')).toEqual(['1', '3', '4']);
  });

  it('refuses merge-conflict markers also when it keeps the rows before damage', async () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `${at + 1},bid,0.${10 + (at % 80)},${at + 1}\n`).join('');
    const files = { 'a.csv': `${HEADER}${lines}<<<<<<< HEAD\n30001,bid,0.4,1\n` };
    await expect(importing({ files, mapping: { ...LEVELS, damaged: 'keep' } })).rejects.toThrow(
      'a.csv, line 30002: a merge-conflict marker',
    );
  });

  it('refuses merge-conflict markers in JSON lines, with their line', async () => {
    const row = '{"ts":1,"side":"bid","price":0.4,"size":1}\n';
    const text = `${row}<<<<<<< HEAD\n${row}=======\n${row}>>>>>>> other\n`;
    await expect(importing({ files: { 'a.jsonl': text }, format: 'jsonl' })).rejects.toThrow(
      'a.jsonl, line 2: a merge-conflict marker: the file contains two versions. Resolve the conflict',
    );
  });

  it('starts again when the saved state of a killed import is damaged', async () => {
    const folder = scratchFolder();
    const state = join(folder, 'out', '.import-levels');
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'state.json'), '{"key":');
    const { resumedAt, rows } = await importing({ files: { 'a.csv': `${HEADER}1,bid,0.40,1\n` } }, folder);
    expect({ resumedAt, some: rows.length > 0 }).toEqual({ resumedAt: 0, some: true });
  });

  it('recognises interleaved captures and rows that are newest first', async () => {
    const interleaved = Array.from({ length: 40 }, (_, at) => `${at % 2 === 0 ? 100_000 + at : at},bid,0.4,1\n`).join(
      '',
    );
    await expect(importing({ files: { 'a.csv': HEADER + interleaved } })).rejects.toThrow(
      /a\.csv, line 3: time: expected .* Time goes back 20 times in the next 39 rows: two captures seem to be interleaved/,
    );
    const newest = Array.from({ length: 40 }, (_, at) => `${(100 - at) * 10_000},bid,0.4,1\n`).join('');
    await expect(importing({ files: { 'a.csv': HEADER + newest } })).rejects.toThrow(
      'newest first. Set `time.order: newest_first`',
    );
    const once = `${HEADER}100000,bid,0.4,1\n1,bid,0.4,2\n2,bid,0.4,3\n`;
    await expect(importing({ files: { 'a.csv': once } })).rejects.toThrow(
      'a second capture seems to begin here'.slice(2),
    );
  });

  it('sorts unordered rows, also when they do not fit into memory', async () => {
    const lines = Array.from(
      { length: 450_000 },
      (_, at) => `${1 + ((at * 7_919) % 450_000)},bid,0.4,${1 + ((at * 7_919) % 450_000)}`,
    );
    const mapping = { ...LEVELS, time: { ...LEVELS.time, order: 'any' } };
    const { tapes, rows } = await importing({ files: { 'a.csv': `${HEADER}${lines.join('\n')}\n` }, mapping });
    expect(tapes[0]?.manifest.rows).toBe(450_000);
    expect(rows[449_999]).toBe('450000 level bid 4000 450000 |');
  }, 30_000);

  it('merges files by time and drops rows that another file also has', async () => {
    const files = {
      'b.csv': `${HEADER}2,buy,0.4,1\n2,buy,0.4,1\n3,buy,0.4,9\n`,
      'a.csv': `${HEADER}1,buy,0.4,5\n2,buy,0.4,1\n`,
    };
    const { rows, dropped } = await importing({ files, mapping: TRADES });
    expect(rows).toEqual([
      '1 trade bid 4000 5 |',
      '2 trade bid 4000 1',
      '2 trade bid 4000 1 |',
      '3 trade bid 4000 9 |',
    ]);
    expect(dropped).toEqual(['1 x row that another file has, too (a.csv:3)']);
  });

  it('drops a trade with the id of an earlier trade', async () => {
    const mapping = { ...TRADES, rows: [{ ...TRADES.rows[0], id: 'id' }] };
    const files = { 'a.csv': 'ts,side,price,size,id\n1,buy,0.4,5,x\n1,buy,0.4,5,y\n2,buy,0.4,5,x\n' };
    const { rows, dropped, counts } = await importing({ files, mapping });
    expect(rows).toHaveLength(2);
    expect(dropped).toEqual(['1 x trade with the id of an earlier trade (a.csv:4)']);
    expect(counts.trades.read).toBe(2);
  });

  it('reads each time in its own zone, and drops a time without a zone', async () => {
    const mapping = { ...LEVELS, time: { column: 'ts', format: 'yyyy-MM-dd HH:mm:ss zzz' } };
    const files = {
      'a.csv': `${HEADER}2026-03-08 12:00:00 EST,bid,0.4,1\n2026-03-08 13:30:00 EDT,bid,0.4,2\n2026-03-08 17:45:00,bid,0.4,2\n`,
    };
    const { rows, counts, dropped } = await importing({ files, mapping });
    expect(rows.map((row) => new Date(Number(row.split(' ')[0])).toISOString())).toEqual([
      '2026-03-08T17:00:00.000Z',
      '2026-03-08T17:30:00.000Z',
    ]);
    expect([...counts.zones]).toEqual(['EST', 'EDT']);
    expect(dropped).toEqual(['1 x column "ts": not a time in the format and zone of the mapping (a.csv:4)']);
  });

  it('gives rows without a time that of the next or the previous row when the mapping says so', async () => {
    const files = { 'a.csv': `${HEADER},bid,0.4,1\n5,bid,0.4,2\n,bid,0.4,3\n9,bid,0.4,4\n,bid,0.4,5\n` };
    const timed = async (missing: string) =>
      (
        await importing({
          files,
          mapping: { ...TRADES, messages: 'row', time: { ...TRADES.time, missing }, rows: [{ ...TRADES.rows[0] }] },
        })
      ).rows.map((row) => `${row.split(' ')[0]}:${row.split(' ')[4]}`);
    expect(await timed('next')).toEqual(['5:1', '5:2', '9:3', '9:4']);
    expect(await timed('previous')).toEqual(['5:2', '5:3', '9:4', '9:5']);
    expect(await timed('drop')).toEqual(['5:2', '9:4']);
  });

  it('drops a line with an unbalanced quote and reads the following lines', async () => {
    const many = Array.from({ length: 1_100 }, (_, at) => `${10 + at},bid,0.4,${at % 2 ? 5 : 6}\n`).join('');
    const text = `${HEADER}1,"bid",0.4,1\n2,"bid,0.41,1\n${many}2000,"bid,0.42,1\n2001,bid,0.43,1\n2002,"bid,0.44,1\n2003,bid,0.45`;
    const { rows, dropped } = await importing({ files: { 'a.csv': text } });
    expect(rows[0]).toBe('1 level bid 4000 1 |');
    expect(rows.slice(-2)).toEqual(['1109 level bid 4000 5 |', '2001 level bid 4300 1 |']);
    expect(rows).toHaveLength(1_102);
    expect(dropped).toEqual([
      '3 x quoted cell without an end (a.csv:3, a.csv:1104, a.csv:1106)',
      '1 x incomplete last line (a.csv:1107)',
    ]);
  });

  it('continues a killed import after its last finished part, with the same tape', async () => {
    const line = (at: number) =>
      `${at * 3},${at % 2 ? 'bid' : 'ask'},0.${at % 2 ? 40 - (at % 7) : 60 + (at % 5)},${at % 11}\n`;
    const text = HEADER + Array.from({ length: 5_000 }, (_, at) => line(at)).join('');
    const whole = await importing({ files: { 'a.csv': text } });
    const folder = scratchFolder();
    let saved = 0;
    const onProgress = () => {
      saved += 1;
      if (saved === 3) throw new Error('stopped');
    };
    const killed = importing({ files: { 'a.csv': text }, partRecords: 1_000, onProgress }, folder);
    await expect(killed).rejects.toThrow('stopped');
    expect(readdirSync(join(folder, 'out', '.import-levels'))).toContain('state.json');
    const resumed = await importing({ files: { 'a.csv': text }, partRecords: 1_000 }, folder);
    expect(resumed.resumedAt).toBe(3_000);
    expect(resumed.tapes[0]?.manifest.contentHash).toBe(whole.tapes[0]?.manifest.contentHash);
    expect(resumed.counts.toJSON()).toEqual(whole.counts.toJSON());
    expect(readdirSync(join(folder, 'out'))).toEqual(['.import-levels.json', 'levels.tape']);
    expect(resumed.tapes[0]?.manifest.source.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  describe('a finished import', () => {
    const TEXT = `${HEADER}1,bid,0.40,1\nx,bid,0.40,2\n`;

    it('is up to date, writes nothing and has the same report', async () => {
      const folder = scratchFolder();
      const first = await importing({ files: { 'a.csv': TEXT } }, folder);
      const { mtimeMs, ino } = statSync(first.tapes[0]?.path ?? '');
      const again = await importing({ files: { 'a.csv': TEXT } }, folder);
      expect([first.isUpToDate, again.isUpToDate]).toEqual([false, true]);
      expect(statSync(again.tapes[0]?.path ?? '')).toMatchObject({ mtimeMs, ino });
      expect([again.tapes, again.counts.toJSON()]).toEqual([first.tapes, first.counts.toJSON()]);
    });

    it('runs again after a change of a file, the mapping or its metadata, and with `force`', async () => {
      const folder = scratchFolder();
      const mapping = { ...LEVELS, metadata: { file: 'facts.csv', key: 'id', columns: { question: 'q' } } };
      const files = { 'a.csv': TEXT };
      const run = async (options: Partial<ImportFixture> = {}) =>
        (await importing({ files, mapping, ...options }, folder)).isUpToDate;
      writeFileSync(join(folder, 'facts.csv'), 'id,q\na,One?\n');
      expect([await run(), await run(), await run({ force: true }), await run()]).toEqual([false, true, false, true]);
      writeFileSync(join(folder, 'facts.csv'), 'id,q\na,Two?\n');
      expect([await run(), await run()]).toEqual([false, true]);
      writeFileSync(join(folder, 'a.csv'), `${TEXT}2,bid,0.41,1\n`);
      expect([await run(), await run()]).toEqual([false, true]);
      writeFileSync(join(folder, 'mapping.yaml'), `${JSON.stringify(mapping)}\n`);
      expect([await run(), await run(), await run({ separate: true })]).toEqual([false, true, false]);
    });

    it('refuses to be overwritten by an import of other files without another name or `force`', async () => {
      const folder = scratchFolder();
      const tape = join(folder, 'out', 'levels.tape');
      const other = { 'b.csv': `${HEADER}5,ask,0.60,1\n` };
      const { rows } = await importing({ files: { 'a.csv': TEXT } }, folder);
      await expect(importing({ files: other }, folder)).rejects.toThrow(
        `${tape}: the tape contains ${join(folder, 'a.csv')}, which this import leaves out. Keep both with \`--set name=…\`, import all files together, or replace the tape with \`--force\``,
      );
      expect(rowsOfTape(tape)).toEqual(rows);
      await importing({ files: other, mapping: { ...LEVELS, name: 'others' } }, folder);
      await importing({ files: other, separate: true }, folder);
      expect(rowsOfTape(tape)).toEqual(rows);
      expect((await importing({ files: { 'a.csv': TEXT, ...other } }, folder)).rows).toHaveLength(2);
      expect((await importing({ files: other, force: true }, folder)).rows).toHaveLength(1);
    });

    it('names the folder that it cannot clear', async () => {
      const folder = `/${'x'.repeat(300)}`;
      await expect(importing({ files: { 'a.csv': `${HEADER}1,bid,0.4,1\n` }, folder })).rejects.toThrow(
        'could not be deleted',
      );
    });

    it('names the file when its state cannot be written', async () => {
      const folder = scratchFolder();
      mkdirSync(join(folder, 'out', '.import-levels.json.partial'), { recursive: true });
      await expect(importing({ files: { 'a.csv': TEXT } }, folder)).rejects.toThrow(
        /\.import-levels\.json: could not be written \(EISDIR.*Check that the folder can be written to/,
      );
    });

    it('runs again when its tape is missing, damaged or replaced', async () => {
      const folder = scratchFolder();
      const run = async () => (await importing({ files: { 'a.csv': TEXT } }, folder)).isUpToDate;
      const tape = join(folder, 'out', 'levels.tape');
      await run();
      rmSync(tape);
      expect([await run(), await run()]).toEqual([false, true]);
      writeFileSync(tape, 'no tape');
      expect([await run(), await run()]).toEqual([false, true]);
      const other = await importing({ files: { 'a.csv': `${HEADER}1,ask,0.60,1\n` } });
      copyFileSync(other.tapes[0]?.path ?? '', tape);
      expect([await run(), await run()]).toEqual([false, true]);
      writeFileSync(join(folder, 'out', '.import-levels.json'), '{');
      expect([await run(), await run()]).toEqual([false, true]);
    });
  });
});
