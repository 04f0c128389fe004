/**
 * HOT: the checksum of a row, on the path of every written row (bench/journal.ts).
 *
 * The checksum is the CRC-32 (zlib) of the row's values, as a signed 32-bit integer. A number is encoded as a
 * little-endian float64; NULL as the number -1. A text is encoded as its length in bytes (uint32) and its UTF-8. A blob
 * is encoded as its length (uint32 with the highest bit set) and its bytes.
 */
import { crc32 } from 'node:zlib';

export type SqlValue = number | string | Uint8Array | null;

/** Maximum number of UTF-8 bytes for a UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;
const NUMBER_BYTES = 8;
const LENGTH_BYTES = 4;
const BLOB_FLAG = 0x8000_0000;
const NULL_NUMBER = -1;

export class RowCrc {
  #bytes = Buffer.alloc(512);
  #view = createView(this.#bytes);
  #length = 0;

  number(value: number): void {
    if (this.#length + NUMBER_BYTES > this.#bytes.length) this.#grow(NUMBER_BYTES);
    // Adding 0 turns -0 into 0, because SQLite does not store a negative zero.
    this.#view.setFloat64(this.#length, value + 0, true);
    this.#length += NUMBER_BYTES;
  }

  text(value: string): void {
    const maxBytes = LENGTH_BYTES + MAX_UTF8_BYTES * value.length;
    if (this.#length + maxBytes > this.#bytes.length) this.#grow(maxBytes);
    const length = this.#bytes.write(value, this.#length + LENGTH_BYTES, 'utf8');
    this.#view.setUint32(this.#length, length, true);
    this.#length += LENGTH_BYTES + length;
  }

  bytes(value: Uint8Array): void {
    const needed = LENGTH_BYTES + value.length;
    if (this.#length + needed > this.#bytes.length) this.#grow(needed);
    // The flag distinguishes a blob from a text with the same bytes.
    this.#view.setUint32(this.#length, (BLOB_FLAG | value.length) >>> 0, true);
    this.#bytes.set(value, this.#length + LENGTH_BYTES);
    this.#length += needed;
  }

  value(value: SqlValue): void {
    if (typeof value === 'number') this.number(value);
    else if (typeof value === 'string') this.text(value);
    else if (value === null) this.number(NULL_NUMBER);
    else this.bytes(value);
  }

  /** Returns the checksum of the collected values, and clears them. */
  finish(): number {
    const crc = crc32(this.#bytes.subarray(0, this.#length)) | 0;
    this.#length = 0;
    return crc;
  }

  #grow(minBytes: number): void {
    const larger = Buffer.alloc(2 * (this.#length + minBytes));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = createView(larger);
  }
}

function createView(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
