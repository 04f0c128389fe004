/**
 * Exports a tape as Parquet, and restores the tape from the export. The file's metadata contains the manifest.
 *
 * Row groups have at most 131,072 rows, compressed by zstd. `tx` (exchange) and `rx` (receipt) are UTC timestamps.
 * `shares` is a double: micro-shares, or the ms of a placing delay. Other columns are int32 (docs/tape-format.md).
 */
import { fsyncSync, writeFileSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ParquetWriter, Writer } from 'hyparquet-writer';
import { FileFault, InputFault, pathProblem } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { BLOCK_ROWS, type Block, copyRows, FLAG, makeBlock, type TapeManifest } from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';
import { parseManifest, toManifestJson } from '../tape-manifest.ts';
import { getHead, TapeWriter } from '../tape-writer.ts';
import { expectExport, writeExport } from './partial-file.ts';

const MANIFEST_KEY = 'halfspread.manifest';
const GROUP_ROWS = 4 * BLOCK_ROWS;
const BUFFER_BYTES = 4 * 1_048_576;

const required = { repetition_type: 'REQUIRED' } as const;
const time = { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', ...required } as const;
const int32 = { type: 'INT32', ...required } as const;
const SCHEMA = [
  { name: 'root', num_children: 8 },
  { name: 'tx', ...time },
  { name: 'rx', ...time },
  { name: 'market', ...int32 },
  { name: 'kind', ...int32 },
  { name: 'side', ...int32 },
  { name: 'price', ...int32 },
  { name: 'shares', type: 'DOUBLE', ...required } as const,
  { name: 'flags', ...int32 },
];
const COLUMNS: readonly string[] = SCHEMA.slice(1).map(({ name }) => name);
const INVARIANT = 'Invariant: ';
const REMEDY = 'Export the tape again with `npx halfspread tape export`';
/** Maximum number of rows in a group. `exportParquet` writes at most 131,072. */
const MAX_GROUP_ROWS = 1_048_576;

/** Writes a tape as Parquet in 25 MB of memory. @throws FileFault for a damaged tape or a failed write */
export async function exportParquet(
  tape: TapeFile,
  path: string,
  onProgress?: (fraction: number) => void,
): Promise<void> {
  // Imported here, so that other commands do not load the package.
  const parquetWriter = await import('hyparquet-writer');
  await writeExport(tape, path, async (feed, fd) => {
    const writer = withFileOutput(new parquetWriter.ByteWriter(BUFFER_BYTES), fd);
    const parquet = new parquetWriter.ParquetWriter({
      writer,
      schema: SCHEMA,
      codec: 'ZSTD',
      compressors: {
        ZSTD: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
      },
      kvMetadata: [{ key: MANIFEST_KEY, value: JSON.stringify(toManifestJson(tape.manifest)) }],
      createdBy: 'halfspread',
    });
    const group = makeBlock(GROUP_ROWS);
    const block = makeBlock(BLOCK_ROWS);
    let rows = 0;
    for (let count = feed.fill(block); count > 0; count = feed.fill(block)) {
      if (group.count + count > GROUP_ROWS) await writeGroup(parquet, group);
      copyRows(block, 0, count, group, group.count);
      group.count += count;
      rows += count;
      onProgress?.(rows / tape.manifest.rows);
    }
    await writeGroup(parquet, group);
    await parquet.finish();
    fsyncSync(fd);
  });
}

interface GroupColumn {
  readonly name: string;
  readonly data: BigInt64Array | Int32Array | Float64Array;
  readonly encoding?: 'PLAIN';
}

/** Writes a group of rows and empties it. */
async function writeGroup(parquet: ParquetWriter, group: Block): Promise<void> {
  const { count, tx, rx, market, kind, side, price, shares, flags } = group;
  if (count === 0) return;
  const toInt32Column = (name: string, column: Uint8Array | Uint16Array): GroupColumn => ({
    name,
    data: Int32Array.from(column.subarray(0, count)),
  });
  const columnData: GroupColumn[] = [
    // Times rarely repeat, so a dictionary would need more space.
    { name: 'tx', data: BigInt64Array.from(tx.subarray(0, count), BigInt), encoding: 'PLAIN' },
    { name: 'rx', data: BigInt64Array.from(rx.subarray(0, count), BigInt), encoding: 'PLAIN' },
    toInt32Column('market', market),
    toInt32Column('kind', kind),
    toInt32Column('side', side),
    toInt32Column('price', price),
    { name: 'shares', data: shares.slice(0, count) },
    toInt32Column('flags', flags),
  ];
  await parquet.write({ columnData, rowGroupSize: GROUP_ROWS });
  group.count = 0;
}

/** Makes a buffer writer move its content to a file after each group and at the end. */
function withFileOutput(writer: Writer & { index: number }, fd: number): Writer {
  const flush = (): void => {
    writeFileSync(fd, new Uint8Array(writer.buffer, 0, writer.index));
    writer.index = 0;
  };
  writer.flush = flush;
  writer.finish = flush;
  return writer;
}

/** Restores a tape from the file that `exportParquet` wrote. @throws FileFault for a damaged file */
export async function restoreFromParquet(source: string, path: string): Promise<TapeManifest> {
  expectExport(source);
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await import('hyparquet');
  const { checkPages } = await import('../parquet-pages.ts');
  const fault = (problem: string, cause?: unknown): FileFault =>
    new FileFault(source, undefined, problem, REMEDY, { cause });
  // Only errors of the Parquet reader mean a damaged file. Errors of our own code must stay what they are.
  const read = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (cause) {
      throw fault(describeReadError(cause), cause);
    }
  };
  let writer: TapeWriter | undefined;
  try {
    const file = await read(() => asyncBufferFromFile(source));
    const metadata = await read(() => parquetMetadataAsync(file));
    const text = metadata.key_value_metadata?.find(({ key }) => key === MANIFEST_KEY)?.value;
    if (text === undefined) throw fault('this is not an export of a tape: its metadata has no manifest');
    const manifest = checkManifest(await read(async () => parseJson(text)), fault);
    writer = new TapeWriter(path);
    let start = 0;
    for (const group of metadata.row_groups) {
      const count = Number(group.num_rows);
      if (!(count >= 0 && count <= MAX_GROUP_ROWS))
        throw fault(`a group of ${count} rows; the limit is ${MAX_GROUP_ROWS}`);
      const columns = COLUMNS.map(() => new Float64Array(count));
      const [rowStart, rowEnd] = [start, start + count];
      await read(() => checkPages(file, group, COLUMNS));
      await read(() =>
        parquetRead({
          file,
          metadata,
          columns: [...COLUMNS],
          rowStart,
          rowEnd,
          compressors: { ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: length }) },
          parsers: { timestampFromMilliseconds: Number },
          onChunk: ({ columnName, columnData, rowStart: at }) => {
            const column = columns[COLUMNS.indexOf(columnName)];
            if (column === undefined) return;
            // hyparquet hides errors, so this must not throw. A typed array ignores writes beyond its end.
            for (let row = 0; row < columnData.length; row += 1) column[at - rowStart + row] = Number(columnData[row]);
          },
        }),
      );
      writeRows(columns, count, writer);
      start = rowEnd;
    }
    return writer.finish(getHead(manifest), {
      check: ({ contentHash }) => {
        if (contentHash !== manifest.contentHash) throw fault('the content hash of the rows differs from the manifest');
      },
    });
  } catch (cause) {
    // The writer refuses invalid rows of the file with a RangeError "Invariant: …".
    const isInvalidRow = cause instanceof RangeError && cause.message.startsWith(INVARIANT);
    throw isInvalidRow ? fault(`its rows are invalid (${cause.message.slice(INVARIANT.length)})`, cause) : cause;
  } finally {
    writer?.abandon();
  }
}

/** @throws FileFault for an invalid manifest */
function checkManifest(value: unknown, fault: (problem: string, cause: unknown) => FileFault): TapeManifest {
  try {
    return parseManifest(value);
  } catch (cause) {
    throw cause instanceof InputFault ? fault(`its manifest is invalid (${cause.message})`, cause) : cause;
  }
}

/** Describes the problem for the user, without the internal texts of the Parquet library. */
function describeReadError(cause: unknown): string {
  const isSystemError = cause instanceof Error && 'syscall' in cause;
  if (isSystemError) return pathProblem(cause) ?? `it cannot be read (${cause.message})`;
  return 'the file is damaged, cut short or not a Parquet file';
}

function writeRows(columns: readonly Float64Array[], count: number, { messages }: TapeWriter): void {
  const [tx, rx, market, kind, side, price, shares, flags] = columns;
  let isInMessage = false;
  for (let row = 0; row < count; row += 1) {
    if (!isInMessage) messages.begin(tx?.[row] ?? 0, rx?.[row] ?? 0);
    const flag = flags?.[row] ?? 0;
    messages.row(
      market?.[row] ?? 0,
      kind?.[row] ?? 0,
      side?.[row] ?? 0,
      price?.[row] ?? 0,
      shares?.[row] ?? 0,
      flag & ~FLAG.last,
    );
    isInMessage = (flag & FLAG.last) === 0;
    if (!isInMessage) messages.end();
  }
  // Groups end between messages.
  messages.finish();
}
