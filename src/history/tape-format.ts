/**
 * The tape file: a header, blocks of rows, a footer that lists the blocks, and a trailer that locates the footer.
 *
 * Invariants: every byte of the file belongs to exactly one part, and every part is checked before use. Header and
 * trailer are checked by value, the footer by CRC-32. A block is checked by CRC-32 over its compressed bytes and by
 * zstd's checksum over the rows. A reader finds changed, missing and added bytes. An incomplete file has another name.
 *
 * header   "halfspread tape\n"
 * block    one zstd frame of a block (tape/block-codec.ts)
 * footer   JSON `{ manifest, blocks }`, UTF-8
 * trailer  little-endian: the footer's offset (u64), length (u32) and CRC-32 (u32), CRC-32 of these 16 bytes (u32),
 *          "tape ends.\n\0"
 */
import { crc32 } from 'node:zlib';
import { InputFault } from '../domain/index.ts';
import { parseJson } from '../network/index.ts';
import { BLOCK_ROWS, LAST_TIME, MIN_BLOCK_BYTES, maxBlockBytes, type TapeManifest } from '../tape/index.ts';
import { parseManifest, toManifestJson } from './tape-manifest.ts';

export const HEADER: Uint8Array = Buffer.from('halfspread tape\n', 'latin1');
const TRAILER_END = Buffer.from('tape ends.\n\0', 'latin1');
export const TRAILER_BYTES = 32;
const MIB = 1_048_576;
/** Room for 65,536 markets of 1 KiB each. */
const MAX_MANIFEST_BYTES = 64 * MIB;
/** Maximum size of manifest and block list. A recording of a month has one block per second. */
const MAX_FOOTER_BYTES = 256 * MIB;

/** Returns the maximum size of a footer. The footer's entry for a block is less than twice as long as the block. */
export function maxFooterBytes(blockBytes: number): number {
  return Math.min(MAX_FOOTER_BYTES, MAX_MANIFEST_BYTES + 2 * blockBytes);
}

/** Maximum number of manifest values: 25 for each of 65,536 markets, 5 for each of 100,000 files, 10,000 `units`. */
const MAX_MANIFEST_VALUES = 2_200_000;
/** Number of block entries that fit into the largest footer. */
const MAX_BLOCKS = 4_000_000;
/** Minimum size of a compressed block. An empty zstd frame with its checksum has 13 bytes. */
const MIN_COMPRESSED_BYTES = 16;

/** Returns the maximum number of strings, lists and objects in a footer; each block has one list. */
export function maxFooterValues(blockBytes: number): number {
  return MAX_MANIFEST_VALUES + Math.min(MAX_BLOCKS, Math.floor(blockBytes / MIN_COMPRESSED_BYTES));
}

/** Returns whether JSON has over `max` strings, keys, lists and objects. Parsing needs up to 300 bytes for each. */
export function hasMoreValues(json: Uint8Array, max: number): boolean {
  let values = 0;
  for (let at = 0; at < json.length && values <= max; at += 1) {
    const byte = json[at];
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) values += 1;
    if (byte !== QUOTE) continue;
    values += 1;
    for (at += 1; at < json.length && json[at] !== QUOTE; at += 1) if (json[at] === BACKSLASH) at += 1;
  }
  return values > max;
}

const QUOTE = 34;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const OPENING_BRACE = 123;

export interface BlockEntry {
  readonly offset: number;
  readonly bytes: number;
  /** Size after decompression. */
  readonly rawBytes: number;
  readonly rows: number;
  readonly firstTx: number;
  readonly lastTx: number;
  /** CRC-32 of the compressed bytes. */
  readonly crc: number;
}

export interface Footer {
  readonly manifest: TapeManifest;
  readonly blocks: readonly BlockEntry[];
}

export function formatFooter({ manifest, blocks }: Footer): Buffer {
  return Buffer.from(JSON.stringify({ manifest: toManifestJson(manifest), blocks: blocks.map(entryNumbers) }));
}

export function entryNumbers({ offset, bytes, rawBytes, rows, firstTx, lastTx, crc }: BlockEntry): readonly number[] {
  return [offset, bytes, rawBytes, rows, firstTx, lastTx, crc];
}

/** Parses the result of `entryNumbers`. Returns undefined for invalid numbers, or more bytes than the rows can need. */
export function parseEntry(numbers: unknown): BlockEntry | undefined {
  if (!Array.isArray(numbers) || numbers.length !== 7 || !numbers.every(Number.isSafeInteger)) return undefined;
  const [offset = 0, bytes = 0, rawBytes = 0, rows = 0, firstTx = 0, lastTx = 0, crc = 0]: readonly number[] = numbers;
  const isBlock =
    isWithin(rows, 1, BLOCK_ROWS) &&
    isWithin(rawBytes, MIN_BLOCK_BYTES, maxBlockBytes(rows)) &&
    isWithin(bytes, 1, maxCompressed(rawBytes)) &&
    isWithin(firstTx, 0, lastTx) &&
    lastTx <= LAST_TIME &&
    offset >= HEADER.length &&
    isWithin(crc, 0, 0xffff_ffff);
  return isBlock ? { offset, bytes, rawBytes, rows, firstTx, lastTx, crc } : undefined;
}

/** @throws SyntaxError or InputFault when the bytes are not a footer of this format */
export function parseFooter(bytes: Buffer): Footer {
  const footer: unknown = parseJson(bytes);
  const keys = typeof footer === 'object' && footer !== null ? Object.keys(footer) : [];
  if (keys.length !== 2 || !keys.includes('manifest') || !keys.includes('blocks'))
    throw new InputFault('', footer, 'an object with manifest and blocks');
  const { manifest, blocks }: { readonly manifest?: unknown; readonly blocks?: unknown } = Object(footer);
  const parsed = parseManifest(manifest);
  if (!Array.isArray(blocks)) throw new InputFault('blocks', blocks, 'a list');
  const entries = blocks.map((numbers: unknown, at) => {
    const entry = parseEntry(numbers);
    if (entry !== undefined) return entry;
    throw new InputFault(`blocks[${at}]`, numbers, 'the place, sizes, times and checksum of a block');
  });
  return { manifest: parsed, blocks: entries };
}

/** Returns the maximum compressed size, which zstd needs for incompressible input. */
function maxCompressed(rawBytes: number): number {
  return rawBytes + rawBytes / 128 + 1_024;
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

export function formatTrailer(footerOffset: number, footer: Buffer): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeBigUInt64LE(BigInt(footerOffset), 0);
  trailer.writeUInt32LE(footer.length, 8);
  trailer.writeUInt32LE(crc32(footer), 12);
  trailer.writeUInt32LE(crc32(trailer.subarray(0, 16)), 16);
  TRAILER_END.copy(trailer, 20);
  return trailer;
}

/** Returns the footer's offset, size and CRC-32; undefined when the bytes are not a trailer. */
export function parseTrailer(trailer: Buffer): { offset: number; bytes: number; crc: number } | undefined {
  if (trailer.length !== TRAILER_BYTES || !trailer.subarray(20).equals(TRAILER_END)) return undefined;
  if (trailer.readUInt32LE(16) !== crc32(trailer.subarray(0, 16))) return undefined;
  return { offset: Number(trailer.readBigUInt64LE(0)), bytes: trailer.readUInt32LE(8), crc: trailer.readUInt32LE(12) };
}
