import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { type ImportFormat, importFiles } from '../../../src/history/import/import-files.ts';
import { mappingSchema } from '../../../src/history/import/mapping.ts';
import { sniff } from '../../../src/history/import/sniff.ts';
import { scratchFolder } from '../scratch.ts';
import { rowsOfTape } from './tape-rows.ts';

const fields = { side: { column: 'side' }, price: { column: 'price' }, size: { column: 'size' } };
const MAPPING = mappingSchema.parse({
  name: 'rows',
  time: { column: 'ts', format: 'epoch_ms' },
  rows: [
    { means: 'trade', when: { column: 'type', is: ['trade'] }, ...fields },
    { means: 'snapshot', when: { column: 'type', is: ['book'] }, ...fields },
    { means: 'level_delta', ...fields },
  ],
  market: { column: 'market', outcome: { column: 'outcome', yes: ['Yes'], no: ['No'] } },
  grid: { tick_bps: 50 },
});

const ROW = fc.record({
  step: fc.nat({ max: 3 }),
  type: fc.constantFrom('trade', 'book', 'change'),
  market: fc.constantFrom('a', 'b "quoted", with a comma'),
  outcome: fc.constantFrom('Yes', 'No'),
  side: fc.constantFrom('bid', 'ask', 'neither'),
  price: fc.integer({ min: -5, max: 10_010 }).map((bps) => bps / 10_000),
  size: fc.integer({ min: -2_000, max: 5_000_000 }).map((micro) => micro / 1_000),
});
type Row = Omit<typeof ROW extends fc.Arbitrary<infer R> ? R : never, 'step'> & { readonly ts: number };

const WRITERS: Readonly<Record<ImportFormat, (rows: readonly Row[]) => Uint8Array>> = {
  csv: (rows) => {
    const names = ['ts', 'type', 'market', 'outcome', 'side', 'price', 'size'] as const;
    const quoted = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
    const lines = [names.join(','), ...rows.map((row) => names.map((name) => quoted(row[name])).join(','))];
    return gzipSync(lines.map((line) => `${line}\r\n`).join(''));
  },
  jsonl: (rows) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  parquet: (rows) => {
    const text = (['type', 'market', 'outcome', 'side'] as const).map((name) => ({
      name,
      data: rows.map((row) => row[name]),
      type: 'STRING' as const,
    }));
    const numbers = (['price', 'size'] as const).map((name) => ({
      name,
      data: rows.map((row) => row[name]),
      type: 'DOUBLE' as const,
    }));
    const ts = { name: 'ts', data: rows.map((row) => BigInt(row.ts)), type: 'INT64' as const };
    return new Uint8Array(parquetWriteBuffer({ columnData: [ts, ...text, ...numbers], rowGroupSize: 7 }));
  },
};

describe('formats', () => {
  it('give the same tape and the same counts for the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ROW, { minLength: 1, maxLength: 60 }), async (steps) => {
        let ts = 1_700_000_000_000;
        const first = { ts, type: 'trade', market: 'a', outcome: 'Yes', side: 'bid', price: 0.5, size: 1 } as const;
        const rows: Row[] = [first];
        for (const { step, ...row } of steps) {
          ts += step;
          rows.push({ ...row, ts });
        }
        const folder = scratchFolder();
        const imports = await Promise.all(
          (['csv', 'jsonl', 'parquet'] as const).map(async (format) => {
            const path = join(folder, `rows.${format}`);
            writeFileSync(path, WRITERS[format](rows));
            const out = join(folder, format);
            const { tapes, counts } = await importFiles({
              format,
              files: [path],
              mapping: MAPPING,
              mappingFile: path,
              folder: out,
            });
            const tallies = [...counts.dropped, ...counts.changed].map(([reason, { count, shares }]) => [
              reason,
              count,
              `${shares}`,
            ]);
            return {
              hash: tapes[0]?.manifest.contentHash,
              rows: rowsOfTape(tapes[0]?.path ?? ''),
              tallies,
              records: counts.records,
            };
          }),
        );
        expect(imports[1]).toEqual(imports[0]);
        expect(imports[2]).toEqual(imports[0]);
        expect(imports[0]?.records).toBe(rows.length);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('sort a large Parquet file whose times are integers of 64 bits', async () => {
    const rows = 200_001;
    const path = join(scratchFolder(), 'rows.parquet');
    const column = <Value>(value: (row: number) => Value) => Array.from({ length: rows }, (_, row) => value(row));
    const columnData = [
      { name: 'ts', data: column((row) => BigInt(1_700_000_000_000 + rows - row)), type: 'INT64' as const },
      { name: 'price', data: column((row) => (1 + (row % 98)) / 100), type: 'DOUBLE' as const },
    ];
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData })));
    const mapping = mappingSchema.parse({
      name: 'large',
      time: { column: 'ts', format: 'epoch_ms', order: 'any' },
      rows: [{ means: 'trade', price: { column: 'price' }, size: { constant: 1 } }],
      grid: { tick_bps: 100 },
    });
    const { tapes } = await importFiles({
      format: 'parquet',
      files: [path],
      mapping,
      mappingFile: path,
      folder: scratchFolder(),
    });
    const prints = rowsOfTape(tapes[0]?.path ?? '');
    expect(prints).toHaveLength(rows);
    expect(prints.at(0)).toMatch(/^1700000000001 trade/);
    expect(prints.at(-1)).toMatch(/^1700000200001 trade/);
  }, 60_000);
});

describe('a Parquet file', () => {
  const columnData = [{ name: 'ts', data: [1n, 2n], type: 'INT64' as const }];
  const write = (bytes: Uint8Array) => {
    const path = join(scratchFolder(), 'rows.parquet');
    writeFileSync(path, bytes);
    return path;
  };

  it('that is damaged or of another format is refused with its path, and with the error of the reader as cause', async () => {
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
    const text = 'the file is damaged or not a Parquet file. If the file is damaged or cut short, download it again';
    const cut = write(bytes.slice(0, -1));
    const footer = { message: expect.stringContaining('footer != PAR1') };
    await expect(sniff(cut)).rejects.toMatchObject({ message: `${cut}: ${text}`, cause: footer });
    const csv = write(Buffer.from('ts,side\n1,bid\n'));
    const imported = importFiles({ format: 'parquet', files: [csv], folder: scratchFolder(), mapping: MAPPING });
    await expect(imported).rejects.toMatchObject({ message: `${csv}: ${text}`, cause: footer });
    const page = write(bytes.map((byte, at) => (at >= 4 && at < 12 ? 255 : byte)));
    const message = `${page}, after row 0: ${text}`;
    await expect(sniff(page)).rejects.toMatchObject({ message, cause: expect.any(Error) });
  });

  it.each([
    ['size', 6, 0x31],
    ['compressed size', 8, 0x41],
    ['number of values', 10, 0x53],
  ])('whose page has no %s is refused instead of read forever', async (_, at, byte) => {
    const plain = columnData.map((column) => ({ ...column, encoding: 'PLAIN' as const }));
    const path = write(new Uint8Array(parquetWriteBuffer({ columnData: plain, codec: 'UNCOMPRESSED' })).with(at, byte));
    await expect(sniff(path)).rejects.toThrow(`${path}, after row 0: the file is damaged or not a Parquet file`);
    const gaps = { name: 'x', time: MAPPING.time, rows: [{ means: 'gap' }], grid: { tick_bps: 50 } };
    const mapping = mappingSchema.parse(gaps);
    const imported = importFiles({ format: 'parquet', files: [path], folder: scratchFolder(), mapping });
    await expect(imported).rejects.toThrow('after row 0: the file is damaged');
  });

  it('that is encrypted is refused', async () => {
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
    const path = write(Buffer.concat([bytes.subarray(0, -1), Buffer.from('E')]));
    await expect(sniff(path)).rejects.toThrow(`${path}: the file is encrypted. Write it without encryption`);
  });

  it('with a compression that cannot be read is refused with its name', async () => {
    const compressors = { LZO: (bytes: Uint8Array) => bytes };
    const path = write(new Uint8Array(parquetWriteBuffer({ columnData, codec: 'LZO', compressors })));
    const remedy = 'Write the file with Snappy, gzip, Brotli, zstd or no compression';
    await expect(sniff(path)).rejects.toThrow(`${path}, after row 0: the compression LZO is not supported. ${remedy}`);
  });

  it('with an encoding or a type that cannot be read is refused with its name', async () => {
    const plain = columnData.map((column) => ({ ...column, encoding: 'PLAIN' as const }));
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData: plain }));
    // The header of the only page has its encoding at byte 18.
    const withEncoding = (code: number) => write(bytes.with(18, 2 * code));
    const [old, unknown] = [withEncoding(4), withEncoding(20)];
    const remedy = 'Write the file with the encoding PLAIN or RLE_DICTIONARY';
    const problem = `${old}, after row 0: the encoding BIT_PACKED is not supported. ${remedy}`;
    await expect(sniff(old)).rejects.toThrow(problem);
    const gaps = { name: 'x', time: MAPPING.time, rows: [{ means: 'gap' }], grid: { tick_bps: 50 } };
    for (const damaged of ['refuse', 'keep'] as const) {
      const mapping = mappingSchema.parse({ ...gaps, damaged });
      const imported = importFiles({ format: 'parquet', files: [old], folder: scratchFolder(), mapping });
      await expect(imported).rejects.toThrow(problem);
    }
    await expect(sniff(unknown)).rejects.toThrow(
      `${unknown}, after row 0: an unknown encoding: the file is damaged or from a newer writer. ${remedy}, or download it again`,
    );
    const schema = [
      { name: 'root', num_children: 1 },
      { name: 'raw', type: 'BYTE_ARRAY', converted_type: 'BSON', repetition_type: 'REQUIRED' },
    ] as const;
    const raw = [{ name: 'raw', data: [Uint8Array.of(1)] }];
    const bson = write(new Uint8Array(parquetWriteBuffer({ columnData: raw, schema: [...schema] })));
    await expect(sniff(bson)).rejects.toThrow(
      `${bson}, after row 0: the column type BSON is not supported. Write the column as text or numbers`,
    );
  });
});
