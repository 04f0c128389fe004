/**
 * Writes a tape as Parquet: all columns of its rows, and the manifest in the metadata, so that the tape can be restored.
 *
 * The file has row groups of at most 131,072 rows, compressed by zstd. `tx` and `rx` are UTC timestamps, `shares` is a
 * double: micro-shares, or ms in a placing delay. The other columns are 32-bit integers (docs/tape-format.md).
 */
import { fsyncSync, writeFileSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';
import type { ParquetWriter, Writer } from 'hyparquet-writer';
import { BLOCK_ROWS, type Block, copyRows, makeBlock } from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';
import { manifestJson } from '../tape-manifest.ts';
import { writeExport } from './partial-file.ts';

/** Key of the manifest in the metadata. */
export const MANIFEST_KEY = 'halfspread.manifest';
const GROUP_ROWS = 4 * BLOCK_ROWS;
const BUFFER_BYTES = 4 * 1_048_576;

const required = { repetition_type: 'REQUIRED' } as const;
const time = { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', ...required } as const;
const code = { type: 'INT32', ...required } as const;
const SCHEMA = [
  { name: 'root', num_children: 8 },
  { name: 'tx', ...time },
  { name: 'rx', ...time },
  { name: 'market', ...code },
  { name: 'kind', ...code },
  { name: 'side', ...code },
  { name: 'price', ...code },
  { name: 'shares', type: 'DOUBLE', ...required } as const,
  { name: 'flags', ...code },
];

/**
 * Writes a tape as Parquet. Needs 25 MB of memory for a group of rows. The file has another name until it is complete.
 * @throws FileFault for a damaged tape, or a file that cannot be written
 */
export async function exportParquet(tape: TapeFile, path: string, onProgress?: (share: number) => void): Promise<void> {
  // Imported here, so that other commands on tapes do not load it.
  const parquetWriter = await import('hyparquet-writer');
  await writeExport(tape, path, async (feed, fd) => {
    const writer = withFileOutput(new parquetWriter.ByteWriter(BUFFER_BYTES), fd);
    const parquet = new parquetWriter.ParquetWriter({
      writer,
      schema: SCHEMA,
      codec: 'ZSTD',
      compressors: { ZSTD: compress },
      kvMetadata: [{ key: MANIFEST_KEY, value: JSON.stringify(manifestJson(tape.manifest)) }],
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
  const codes = (name: string, column: Uint8Array | Uint16Array): GroupColumn => ({
    name,
    data: Int32Array.from(column.subarray(0, count)),
  });
  const columnData: GroupColumn[] = [
    // Plain, because times rarely repeat and a dictionary would need more space.
    { name: 'tx', data: toBigInts(tx, count), encoding: 'PLAIN' },
    { name: 'rx', data: toBigInts(rx, count), encoding: 'PLAIN' },
    codes('market', market),
    codes('kind', kind),
    codes('side', side),
    codes('price', price),
    { name: 'shares', data: shares.slice(0, count) },
    codes('flags', flags),
  ];
  await parquet.write({ columnData, rowGroupSize: GROUP_ROWS });
  group.count = 0;
}

function toBigInts(column: Float64Array, count: number): BigInt64Array {
  const values = new BigInt64Array(count);
  for (let row = 0; row < count; row += 1) values[row] = BigInt(column[row] ?? 0);
  return values;
}

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** Makes a buffer writer write its content to the file after each group and at the end. */
function withFileOutput(writer: Writer & { index: number }, fd: number): Writer {
  const flush = (): void => {
    writeFileSync(fd, new Uint8Array(writer.buffer, 0, writer.index));
    writer.index = 0;
  };
  writer.flush = flush;
  writer.finish = flush;
  return writer;
}
