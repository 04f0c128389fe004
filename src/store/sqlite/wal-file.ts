/**
 * Reads the end of a log (WAL) and the stamps of its transactions, without changing the log. SQLite silently ignores a
 * log from the first frame with a wrong checksum on.
 *
 * Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { fstatSync, readSync, statSync } from 'node:fs';
import { withDiskFaults, withFile } from '../disk-fault.ts';
import { findNewestStamp, type Stamp } from './commit-stamp.ts';

export interface WalContent {
  /** Whether the log contains a transaction that SQLite would accept. */
  readonly hasCommits: boolean;
  /** Stamps of this program's first and last transaction in the log; undefined without a transaction. */
  readonly first: Stamp | undefined;
  readonly last: Stamp | undefined;
  /** End of the last valid frame, bytes. */
  readonly end: number;
  /** Whether a damaged or incomplete frame of the same log follows `end`. */
  readonly isBroken: boolean;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Start of a log with little-endian checksums. A log with big-endian checksums starts with `MAGIC + 1`. */
const MAGIC = 0x377f0682;
const EMPTY: WalContent = { hasCommits: false, first: undefined, last: undefined, end: 0, isBroken: false };

/** Returns undefined for a missing or empty log. @throws FileFault for an unreadable log */
export function readWal(path: string): WalContent | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return undefined;
  return withDiskFaults(path, 'read', () => withFile(path, 'r', (fd) => readContent(fd, fstatSync(fd).size)));
}

function readContent(fd: number, size: number): WalContent {
  const header = Buffer.alloc(HEADER_BYTES);
  if (size < HEADER_BYTES || readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES)
    return { ...EMPTY, isBroken: true };
  const isBigEndian = header.readUInt32BE(0) === MAGIC + 1;
  const checksum = new Checksum(isBigEndian ? 'big-endian' : 'little-endian');
  checksum.add(header, 0, 24);
  const pageSize = header.readUInt32BE(8);
  const hasMagic = isBigEndian || header.readUInt32BE(0) === MAGIC;
  if (!hasMagic || !checksum.equals(header, 24) || pageSize < 512 || pageSize > 65_536)
    return { ...EMPTY, isBroken: true };
  const salts = header.subarray(16, 24);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageSize);
  let [first, last, pending]: (Stamp | undefined)[] = [];
  let hasCommits = false;
  let at = HEADER_BYTES;
  for (;;) {
    const read = readSync(fd, frame, 0, frame.length, at);
    const isOfThisLog = read >= 16 && frame.subarray(8, 16).equals(salts);
    const isWhole = read === frame.length && isOfThisLog && checksum.addFrame(frame);
    if (!isWhole) {
      const isBroken =
        isOfThisLog || (read > 0 && read < 16) || hasLaterFrames(fd, at + frame.length, size, frame, salts);
      return { hasCommits, first, last, end: at, isBroken };
    }
    pending = findNewestStamp(frame.subarray(FRAME_HEADER_BYTES)) ?? pending;
    if (frame.readUInt32BE(4) > 0) {
      hasCommits = true;
      first ??= pending;
      last = pending ?? last;
      pending = undefined;
    }
    at += frame.length;
  }
}

/** Returns whether later frames belong to this log. If so, the invalid frame before them is damaged. */
function hasLaterFrames(fd: number, from: number, size: number, frame: Buffer, salts: Buffer): boolean {
  for (let at = from; at + 16 <= size; at += frame.length) {
    if (readSync(fd, frame, 0, 16, at) === 16 && frame.subarray(8, 16).equals(salts)) return true;
  }
  return false;
}

/** SQLite's cumulative checksum, which has two numbers. */
class Checksum {
  readonly #isLittleEndian: boolean;
  #one = 0;
  #two = 0;

  constructor(byteOrder: 'big-endian' | 'little-endian') {
    this.#isLittleEndian = byteOrder === 'little-endian';
  }

  /** @param to `from` plus a multiple of 8 */
  add(bytes: Buffer, from: number, to: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let one = this.#one;
    let two = this.#two;
    for (let at = from; at < to; at += 8) {
      one = (one + view.getUint32(at, this.#isLittleEndian) + two) >>> 0;
      two = (two + view.getUint32(at + 4, this.#isLittleEndian) + one) >>> 0;
    }
    this.#one = one;
    this.#two = two;
  }

  /** Adds a frame, and returns whether its checksum is right. */
  addFrame(frame: Buffer): boolean {
    this.add(frame, 0, 8);
    this.add(frame, FRAME_HEADER_BYTES, frame.length);
    return this.equals(frame, 16);
  }

  equals(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#one && bytes.readUInt32BE(at + 4) === this.#two;
  }
}
