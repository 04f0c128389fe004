import { rmSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { FileFault } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { FLAG, type TapeManifest } from '../../tape/index.ts';
import { parseManifest } from '../tape-manifest.ts';
import { headOf, TapeWriter } from '../tape-writer.ts';
import { MANIFEST_KEY } from './parquet-file.ts';

const REMEDY = 'Export the tape again with `npx halfspread tape export`';
/** Limit of rows in a group; `exportParquet` writes 131,072. */
const MAX_GROUP_ROWS = 1_048_576;
const COLUMNS: readonly string[] = ['tx', 'rx', 'market', 'kind', 'side', 'price', 'shares', 'flags'];

/**
 * Restores a tape from the file that `exportParquet` wrote. Rows and content hash are the same.
 * @throws FileFault when the file has no manifest, differs from it, or is damaged
 */
export async function restoreFromParquet(source: string, path: string): Promise<TapeManifest> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await import('hyparquet');
  const fault = (problem: string, cause?: unknown): FileFault =>
    new FileFault(source, undefined, problem, REMEDY, { cause });
  let writer: TapeWriter | undefined;
  try {
    const file = await asyncBufferFromFile(source);
    const metadata = await parquetMetadataAsync(file);
    const text = metadata.key_value_metadata?.find(({ key }) => key === MANIFEST_KEY)?.value;
    if (text === undefined) throw fault('this is not an export of a tape: its metadata has no manifest');
    const manifest = parseManifest(parseJson(Buffer.from(text)));
    writer = new TapeWriter(path);
    let start = 0;
    for (const { num_rows: rows } of metadata.row_groups) {
      const count = Number(rows);
      if (count > MAX_GROUP_ROWS) throw fault(`a group of ${count} rows; the limit is ${MAX_GROUP_ROWS}`);
      const columns = COLUMNS.map(() => new Float64Array(count));
      await parquetRead({
        file,
        metadata,
        columns: [...COLUMNS],
        rowStart: start,
        rowEnd: start + count,
        compressors: { ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: length }) },
        parsers: { timestampFromMilliseconds: Number },
        onChunk: ({ columnName, columnData, rowStart }) => {
          const column = columns[COLUMNS.indexOf(columnName)];
          if (column === undefined) return;
          // hyparquet does not pass errors on, so this must not throw: the array ignores the rows beyond a damaged group.
          for (let row = 0; row < columnData.length; row += 1) column[rowStart - start + row] = Number(columnData[row]);
        },
      });
      writeRows(columns, count, writer);
      start += count;
    }
    const written = writer.finish(headOf(manifest));
    if (written.contentHash === manifest.contentHash) return written;
    rmSync(path, { force: true });
    throw fault('the content hash of the rows differs from the manifest');
  } catch (cause) {
    throw cause instanceof FileFault
      ? cause
      : fault(`cannot be read (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  } finally {
    writer?.abandon();
  }
}

function writeRows(columns: readonly Float64Array[], count: number, { messages }: TapeWriter): void {
  const [tx, rx, market, kind, side, price, shares, flags] = columns;
  let isOpen = false;
  for (let row = 0; row < count; row += 1) {
    if (!isOpen) messages.begin(tx?.[row] ?? 0, rx?.[row] ?? 0);
    const flag = flags?.[row] ?? 0;
    messages.row(
      market?.[row] ?? 0,
      kind?.[row] ?? 0,
      side?.[row] ?? 0,
      price?.[row] ?? 0,
      shares?.[row] ?? 0,
      flag & ~FLAG.last,
    );
    isOpen = (flag & FLAG.last) === 0;
    if (!isOpen) messages.end();
  }
  // Groups end between messages.
  messages.finish();
}
