/**
 * HOT: the checksum of a row, on the path of every written row (bench/journal.ts).
 *
 * It is the CRC-32 (zlib) of the row's values as a signed 32-bit integer. An integer is a little-endian float64; a text is
 * its length in bytes as a uint32 and its UTF-8; a blob likewise, with the highest bit of its length set; NULL is the
 * integer -1.
 */
import { crc32 } from 'node:zlib';

export type SqlValue = number | string | Uint8Array | null;

/** Maximum number of UTF-8 bytes of a UTF-16 unit. */
const UTF8 = 3;
const NUMBER = 8;
const LENGTH = 4;
const BLOB = 0x8000_0000;
/** Represents NULL in a checksum. */
const NO_VALUE = -1;

export class RowCrc {
  #bytes = Buffer.alloc(512);
  #view = viewOf(this.#bytes);
  #at = 0;

  number(value: number): void {
    if (this.#at + NUMBER > this.#bytes.length) this.#grow(NUMBER);
    // Adding 0 turns -0 into 0, because SQLite does not store a negative zero.
    this.#view.setFloat64(this.#at, value + 0, true);
    this.#at += NUMBER;
  }

  text(value: string): void {
    const maxBytes = LENGTH + UTF8 * value.length;
    if (this.#at + maxBytes > this.#bytes.length) this.#grow(maxBytes);
    const length = this.#bytes.write(value, this.#at + LENGTH, 'utf8');
    this.#view.setUint32(this.#at, length, true);
    this.#at += LENGTH + length;
  }

  bytes(value: Uint8Array): void {
    const needed = LENGTH + value.length;
    if (this.#at + needed > this.#bytes.length) this.#grow(needed);
    // Distinguishes a blob from a text with the same bytes.
    this.#view.setUint32(this.#at, (BLOB | value.length) >>> 0, true);
    this.#bytes.set(value, this.#at + LENGTH);
    this.#at += needed;
  }

  value(value: SqlValue): void {
    if (typeof value === 'number') this.number(value);
    else if (typeof value === 'string') this.text(value);
    else if (value === null) this.number(NO_VALUE);
    else this.bytes(value);
  }

  /** Returns the checksum of the collected values and resets it. */
  take(): number {
    const crc = crc32(this.#bytes.subarray(0, this.#at)) | 0;
    this.#at = 0;
    return crc;
  }

  #grow(minBytes: number): void {
    const larger = Buffer.alloc(2 * (this.#at + minBytes));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
