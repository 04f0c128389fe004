import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet';
import { errorMessage, FileFault } from '../../domain/index.ts';
import { NestingError, parseJson } from '../../network/index.ts';
import { newReadProgress, type ReadProgress } from '../lines.ts';
import { checkPages } from '../parquet-pages.ts';
import { makeExpander } from './jsonl-source.ts';
import type { RowBatch, RowSource } from './row-source.ts';

const BATCH_ROWS = 20_000;
/** Maximum uncompressed size of a row group. The reader holds a whole column in memory. */
const MAX_GROUP_BYTES = 1_073_741_824;
/** Maximum number of rows in a row group. More rows do not fit into `MAX_GROUP_BYTES`. */
const MAX_GROUP_ROWS = 1_000_000_000;

/** Codecs besides Snappy, which hyparquet includes. The length from the file limits the output. */
const COMPRESSORS: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
  ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
};

/** `parseJson` limits the nesting of JSON in cells. */
const PARSERS = { jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && parseJson(Buffer.from(bytes)) };

/** @param columns columns of the mapping; a nested column is a path */
export async function openParquet(
  path: string,
  columns: readonly string[],
  each: string | undefined,
): Promise<RowSource> {
  const progress = newReadProgress();
  const { metadata } = await withFile(path, async (file) => ({ metadata: await readMetadata(path, file) }));
  const fileColumns = listTopColumns(metadata);
  const getTopColumn = (name: string) => name.split('.')[0] ?? '';
  const named = new Set([...columns, ...(each === undefined ? [] : [each])].map(getTopColumn));
  const topColumns = [...named].filter((name) => fileColumns.includes(name));
  return {
    file: basename(path),
    columns: each === undefined ? columns.filter((name) => topColumns.includes(getTopColumn(name))) : columns,
    progress,
    bytes: statSync(path).size,
    batches: () => readBatches(path, metadata, { columns, topColumns, each }, progress),
  };
}

function listTopColumns(metadata: FileMetaData): readonly string[] {
  const names: string[] = [];
  const [root, ...rest] = metadata.schema;
  let at = 0;
  const visit = (count: number, depth: number): void => {
    for (let child = 0; child < count; child += 1) {
      const element = rest[at];
      at += 1;
      if (depth === 0 && element !== undefined) names.push(element.name);
      visit(element?.num_children ?? 0, depth + 1);
    }
  };
  visit(root?.num_children ?? 0, 0);
  return names;
}

/** Reads the first rows. @throws FileFault */
export function readFirstParquetRows(path: string, rows: number): Promise<Record<string, unknown>[]> {
  return withFile(path, async (file) => {
    const metadata = await readMetadata(path, file);
    const rowEnd = Math.min(rows, Number(metadata.num_rows));
    checkGroups(path, metadata);
    let start = 0;
    for (const group of metadata.row_groups) {
      if (start < rowEnd) await refuseDamage(path, start, checkPages(file, group, listTopColumns(metadata)));
      start += Number(group.num_rows);
    }
    return readRows(path, { file, metadata, rowStart: 0, rowEnd });
  });
}

async function* readBatches(
  path: string,
  metadata: FileMetaData,
  { columns, topColumns, each }: { columns: readonly string[]; topColumns: string[]; each: string | undefined },
  progress: ReadProgress,
): AsyncGenerator<RowBatch> {
  const expand = makeExpander(columns, each);
  const handle = await open(path);
  try {
    const file = await toAsyncBuffer(handle);
    let start = 0;
    checkGroups(path, metadata);
    for (const group of metadata.row_groups) {
      const end = start + Number(group.num_rows);
      await refuseDamage(path, start, checkPages(file, group, topColumns));
      for (let from = start; from < end; from += BATCH_ROWS) {
        const to = Math.min(from + BATCH_ROWS, end);
        const rows = await readRows(path, { file, metadata, columns: topColumns, rowStart: from, rowEnd: to });
        if (rows.length !== to - from)
          throw damageFault(path, `after row ${from}`, `the file is damaged: ${rows.length} rows of ${to - from}`);
        const batch: RowBatch = { rows: [], lines: [] };
        for (const [at, row] of rows.entries()) expand(row, from + at + 1, batch);
        yield batch;
      }
      start = end;
      progress.bytes = Math.round((file.byteLength * start) / Math.max(1, Number(metadata.num_rows)));
    }
  } finally {
    await handle.close();
  }
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  progress.sha256 = hash.digest('hex');
}

/** Checks sizes in the metadata, because the reader allocates memory by them. @throws FileFault for impossible sizes */
function checkGroups(path: string, { row_groups: groups }: FileMetaData): void {
  let start = 0;
  for (const { num_rows: rows, columns, total_byte_size: size } of groups) {
    const unpackedSizes = columns.map(({ meta_data: column }) => Number(column?.total_uncompressed_size ?? 0));
    if (Math.max(Number(size), ...unpackedSizes) > MAX_GROUP_BYTES) {
      const remedy = `Write row groups of at most ${MAX_GROUP_BYTES} bytes`;
      throw new FileFault(path, `row ${start}`, `a row group of ${size} bytes`, remedy);
    }
    if (!(Number(rows) >= 0 && Number(rows) <= MAX_GROUP_ROWS))
      throw damageFault(path, `after row ${start}`, `the file is damaged: a row group of ${rows} rows`);
    start += Number(rows);
  }
}

type ReadOptions = Parameters<typeof parquetReadObjects>[0] & { readonly rowStart: number };

function readRows(path: string, options: ReadOptions): Promise<Record<string, unknown>[]> {
  const rows = parquetReadObjects({ ...options, compressors: COMPRESSORS, parsers: PARSERS });
  return refuseDamage(path, options.rowStart, rows);
}

async function refuseDamage<T>(path: string, row: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw damageFault(path, `after row ${row}`, cause);
  }
}

async function readMetadata(path: string, file: AsyncBuffer): Promise<FileMetaData> {
  const end = Buffer.from(await file.slice(Math.max(0, file.byteLength - 4)));
  // The format's end of a file with an encrypted footer.
  if (end.toString('latin1') === 'PARE')
    throw new FileFault(path, undefined, 'the file is encrypted', 'Write it without encryption');
  try {
    return await parquetMetadataAsync(file);
  } catch (cause) {
    throw damageFault(path, undefined, cause);
  }
}

/** Messages of the reader that name what it cannot read, or "undefined" for a code that it does not know. */
const UNSUPPORTED = [
  [/compression codec: (\w+)/, 'compression', 'Write the file with Snappy, gzip, Brotli, zstd or no compression'],
  [/unsupported encoding: (\w+)/, 'encoding', 'Write the file with the encoding PLAIN or RLE_DICTIONARY'],
  [/(bson|interval) not supported/, 'column type', 'Write the column as text or numbers'],
] as const;

/** @param cause the reader's error, which the message does not show, or a text to show */
function damageFault(path: string, where: string | undefined, cause: unknown): FileFault {
  const text = errorMessage(cause);
  for (const [message, feature, remedy] of UNSUPPORTED) {
    const name = message.exec(text)?.[1];
    if (name === undefined) continue;
    // A fault without a cause is not taken for damage.
    if (name !== 'undefined')
      return new FileFault(path, where, `the ${feature} ${name.toUpperCase()} is not supported`, remedy);
    const problem = `an unknown ${feature}: the file is damaged or from a newer writer`;
    return new FileFault(path, where, problem, `${remedy}, or download it again`, { cause });
  }
  const isOwnText = typeof cause === 'string' || cause instanceof NestingError;
  const problem = isOwnText ? text : 'the file is damaged or not a Parquet file';
  return new FileFault(path, where, problem, 'If the file is damaged or cut short, download it again', { cause });
}

async function withFile<T>(path: string, work: (file: AsyncBuffer) => Promise<T>): Promise<T> {
  const handle = await open(path);
  try {
    return await work(await toAsyncBuffer(handle));
  } finally {
    await handle.close();
  }
}

async function toAsyncBuffer(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat();
  const read = async (start: number, end: number): Promise<ArrayBuffer> => {
    if (!(Number.isInteger(start) && start >= 0 && end >= start && end <= size))
      throw new RangeError(`bytes ${start} to ${end} of ${size}`);
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    return bytesRead === bytes.length ? bytes.buffer : bytes.slice(0, bytesRead).buffer;
  };
  return {
    byteLength: size,
    slice(start, end = size) {
      const bytes = read(start, end);
      // After a failed read, no caller awaits the other reads. Their unhandled rejections would end the process.
      bytes.catch(() => {});
      return bytes;
    },
  };
}
