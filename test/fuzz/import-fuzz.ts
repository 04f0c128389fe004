/** The kinds of files that `halfspread import` reads: rows with a mapping, Parquet, and captures of public streams. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { EXIT } from '../../src/cli/exit-code.ts';
import { FileFault, InputFault } from '../../src/domain/index.ts';
import {
  checkTape,
  type ImportFormat,
  importFiles,
  importKalshi,
  importPolymarket,
  mappingSchema,
  TapeFile,
} from '../../src/history/index.ts';
import type { FuzzedFile } from './file-fuzz.ts';

const CAPTURES = join(import.meta.dirname, '../fixtures/captures');
const MAPPING = mappingSchema.parse({
  name: 'fuzz',
  time: { column: 'ts', format: 'epoch_ms' },
  rows: [
    {
      means: 'level',
      when: { column: 'kind', is: ['level'] },
      side: { column: 'side' },
      price: { column: 'price' },
      size: { column: 'size' },
    },
    {
      means: 'trade',
      side: { column: 'side' },
      price: { column: 'price' },
      size: { column: 'size' },
    },
  ],
  market: { column: 'market' },
  grid: { tick_bps: 100 },
});
const COLUMNS = ['ts', 'market', 'kind', 'side', 'price', 'size'] as const;
const ROWS = Array.from({ length: 40 }, (_, at) => [
  1_700_000_000_000 + at * 10,
  'rain',
  at % 5 === 4 ? 'trade' : 'level',
  at % 2 === 0 ? 'bid' : 'ask',
  at % 2 === 0 ? 0.4 : 0.6,
  at + 1,
]);

/** Returns the kinds of files that importers read. @param change changes the text of a file */
export function importedFiles(change: NonNullable<FuzzedFile['forge']>): readonly FuzzedFile[] {
  const csv = `${COLUMNS.join(',')}\n${ROWS.map((row) => row.join(',')).join('\n')}\n`;
  const jsonl = ROWS.map((row) => JSON.stringify(Object.fromEntries(COLUMNS.map((name, at) => [name, row[at]]))));
  const parquet = (codec: 'SNAPPY' | 'UNCOMPRESSED') => {
    const columnData = COLUMNS.map((name, at) => ({
      name,
      // The writer stores integers in 32 bits, which are too few for times.
      data: ROWS.map((row) => (name === 'ts' ? BigInt(row[at] ?? 0) : row[at])),
    }));
    return Buffer.from(parquetWriteBuffer({ columnData, codec, rowGroupSize: 15 }));
  };
  const capture = (name: string) => [
    Buffer.from(readFileSync(join(CAPTURES, name), 'utf8').split('\n').slice(0, 12).join('\n')),
  ];
  return [
    { ...mappingKind('csv', [Buffer.from(csv)]), forge: change },
    { ...mappingKind('jsonl', [Buffer.from(jsonl.join('\n'))]), forge: change },
    mappingKind('parquet', [parquet('SNAPPY'), parquet('UNCOMPRESSED')]),
    { ...importKind('polymarket', capture('polymarket.jsonl'), importPolymarket), forge: change },
    { ...importKind('kalshi', capture('kalshi.jsonl'), importKalshi), forge: change },
  ];
}

function mappingKind(format: ImportFormat, seeds: readonly Buffer[]): FuzzedFile {
  return importKind(format, seeds, ({ files, folder }) =>
    importFiles({ format, files, folder, mapping: MAPPING, mappingFile: join(folder, 'mapping.yaml') }),
  );
}

type Importer = (options: {
  files: string[];
  folder: string;
  name: string;
}) => Promise<{ tapes: readonly { path: string }[] }>;

function importKind(name: string, seeds: readonly Buffer[], importer: Importer): FuzzedFile {
  const read = async (path: string): Promise<void> => {
    const folder = `${path}-tapes`;
    try {
      const { tapes } = await importer({ files: [path], folder, name: 'fuzz' });
      for (const tape of tapes) checkTape(TapeFile.open(tape.path));
    } catch (fault) {
      // A missing column is a fault of the mapping file, so it is converted to a fault of the data file here.
      if (!(fault instanceof InputFault) || !fault.expected.startsWith('a column of ')) throw fault;
      throw new FileFault(path, 'line 1', fault.message, 'Change the mapping');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return { name, seeds, read, exitCode: EXIT.data };
}
