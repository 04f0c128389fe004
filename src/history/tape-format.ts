/**
 * The tape file: one header, blocks of rows, a footer that lists them, a trailer that finds the footer.
 *
 * Invariants: every byte of the file belongs to exactly one part, and every part is checked before it is used: header
 * and trailer by value, the footer by CRC-32, a block by CRC-32 over its compressed bytes and by zstd's own checksum
 * over the rows. So any flipped, missing or surplus byte is found. A file is complete or it does not bear the name
 * (TapeWriter).
 *
 * header   "halfspread tape\n"
 * block    one zstd frame of a block (tape/block-codec.ts)
 * footer   JSON `{ manifest, blocks }`, UTF-8
 * trailer footer's offset (u64), length (u32), CRC-32 (u32), CRC-32 of these 16 bytes (u32), "tape ends.\n\0";
 * little-endian
 */
import { crc32 } from 'node:zlib';
import { InputFault } from '../domain/index.ts';
import { parseJson } from '../network/index.ts';
import { BLOCK_ROWS, LAST_TIME, MIN_BLOCK_BYTES, mostBlockBytes, type TapeManifest } from '../tape/index.ts';
import { manifestJson, parseManifest } from './tape-manifest.ts';

export const HEADER: Uint8Array = Buffer.from('halfspread tape\n', 'latin1');
const END = Buffer.from('tape ends.\n\0', 'latin1');
export const TRAILER_BYTES = 32;
const MIB = 1_048_576;
/** What a tape says of itself: 65,536 markets with a KiB each. */
const MAX_MANIFEST_BYTES = 64 * MIB;
/** With the list of blocks: a recording of a month has one each second. */
const MAX_FOOTER_BYTES = 256 * MIB;

/** Largest footer of a tape whose blocks take so many bytes: no entry is twice as long as its block. */
export function mostFooterBytes(blockBytes: number): number {
  return Math.min(MAX_FOOTER_BYTES, MAX_MANIFEST_BYTES + 2 * blockBytes);
}

/** Texts, lists and objects of a manifest: 25 for each of 65,536 markets, 5 for each of 100,000 files, and 10,000 units. */
const MAX_MANIFEST_VALUES = 2_200_000;
/** As many entries as the largest footer has room for. */
const MAX_BLOCKS = 4_000_000;
/** An empty zstd frame with its checksum has 13. */
const MIN_COMPRESSED_BYTES = 16;

/** Most texts, lists and objects of a footer whose blocks take so many bytes; each block has one list. */
export function mostFooterValues(blockBytes: number): number {
  return MAX_MANIFEST_VALUES + Math.min(MAX_BLOCKS, Math.floor(blockBytes / MIN_COMPRESSED_BYTES));
}

/** Whether JSON has more texts, keys included, lists and objects: parsed, each takes up to 300 bytes. */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  let values = 0;
  for (let at = 0; at < json.length && values <= most; at += 1) {
    const byte = json[at];
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) values += 1;
    if (byte !== QUOTE) continue;
    values += 1;
    for (at += 1; at < json.length && json[at] !== QUOTE; at += 1) if (json[at] === BACKSLASH) at += 1;
  }
  return values > most;
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

export function writeFooter({ manifest, blocks }: Footer): Buffer {
  return Buffer.from(JSON.stringify({ manifest: manifestJson(manifest), blocks: blocks.map(entryNumbers) }));
}

export function entryNumbers({ offset, bytes, rawBytes, rows, firstTx, lastTx, crc }: BlockEntry): readonly number[] {
  return [offset, bytes, rawBytes, rows, firstTx, lastTx, crc];
}

/** An entry as `entryNumbers` gives it; undefined if it is invalid, or claims more bytes than its rows can need. */
export function parseEntry(numbers: unknown): BlockEntry | undefined {
  if (!Array.isArray(numbers) || numbers.length !== 7 || !numbers.every(Number.isSafeInteger)) return undefined;
  const [offset = 0, bytes = 0, rawBytes = 0, rows = 0, firstTx = 0, lastTx = 0, crc = 0]: readonly number[] = numbers;
  const isBlock =
    within(rows, 1, BLOCK_ROWS) &&
    within(rawBytes, MIN_BLOCK_BYTES, mostBlockBytes(rows)) &&
    within(bytes, 1, mostCompressed(rawBytes)) &&
    within(firstTx, 0, lastTx) &&
    lastTx <= LAST_TIME &&
    offset >= HEADER.length &&
    within(crc, 0, 0xffff_ffff);
  return isBlock ? { offset, bytes, rawBytes, rows, firstTx, lastTx, crc } : undefined;
}

/** @throws SyntaxError or InputFault when it is no footer of this format */
export function parseFooter(bytes: Buffer): Footer {
  const footer: unknown = parseJson(bytes);
  const keys = typeof footer === 'object' && footer !== null ? Object.keys(footer) : [];
  if (keys.length !== 2 || !keys.includes('manifest') || !keys.includes('blocks')) {
    throw new InputFault('', footer, 'an object with manifest and blocks');
  }
  const { manifest, blocks }: { readonly manifest?: unknown; readonly blocks?: unknown } = Object(footer);
  return { manifest: parseManifest(manifest), blocks: parseEntries(blocks) };
}

/** Ends at the first wrong entry. */
function parseEntries(blocks: unknown): BlockEntry[] {
  if (!Array.isArray(blocks)) throw new InputFault('blocks', blocks, 'a list');
  return blocks.map((numbers: unknown, at) => {
    const entry = parseEntry(numbers);
    if (entry === undefined)
      throw new InputFault(`blocks[${at}]`, numbers, 'the place, sizes, times and checksum of a block');
    return entry;
  });
}

/** zstd adds no more than this to bytes that it cannot compress. */
function mostCompressed(rawBytes: number): number {
  return rawBytes + rawBytes / 128 + 1_024;
}

function within(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

export function writeTrailer(footerOffset: number, footer: Buffer): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeBigUInt64LE(BigInt(footerOffset), 0);
  trailer.writeUInt32LE(footer.length, 8);
  trailer.writeUInt32LE(crc32(footer), 12);
  trailer.writeUInt32LE(crc32(trailer.subarray(0, 16)), 16);
  END.copy(trailer, 20);
  return trailer;
}

/** Where the footer lies; undefined when this is no trailer. */
export function parseTrailer(trailer: Buffer): { offset: number; bytes: number; crc: number } | undefined {
  if (trailer.length !== TRAILER_BYTES || !trailer.subarray(20).equals(END)) return undefined;
  if (trailer.readUInt32LE(16) !== crc32(trailer.subarray(0, 16))) return undefined;
  return { offset: Number(trailer.readBigUInt64LE(0)), bytes: trailer.readUInt32LE(8), crc: trailer.readUInt32LE(12) };
}
