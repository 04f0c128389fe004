/**
 * Encodes numbers and texts as bytes, little-endian. `ByteReader` decodes them.
 *
 * HOT: writes every record, snapshot and stored step (bench/journal.ts, bench/steps.ts).
 *
 * | Method | Bytes |
 * |---|---|
 * | `byte`, `count`, `float` | 1 byte; uint32; float64 |
 * | `number` | 0 … 239: the byte itself; else a head byte and up to 8 more bytes, see below |
 * | `text` | `number` of twice the length in UTF-16 units, plus 1 if each unit takes two bytes; then the units |
 * | `utf16` | `count` of UTF-16 units; then the units, two bytes each |
 * | `utf8` | UTF-8 without a length; the reader expects a `count` of bytes before the text |
 *
 * Heads of `number`: 240 + n, a positive integer in n + 1 bytes (n = 0 … 6). 247 + n, the absolute value of a negative
 * integer. 254, a float64: for numbers that are not safe integers, and for negative zero. Only the shortest form is
 * written.
 *
 * `text` and `utf16` preserve any string, even if it is not well-formed Unicode.
 */
export const POSITIVE = 240;
export const NEGATIVE = 247;
export const FLOAT = 254;
export const TWO_TO_32 = 4_294_967_296;
export const MAX_NUMBER_BYTES = 9;

const encoder = new TextEncoder();

export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #capacity: number;
  #at = 0;

  /** @param capacity initial number of bytes, which doubles when full */
  constructor(capacity = 4_096) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#at;
  }

  /** Writes 0 … 255. */
  byte(value: number): void {
    if (this.#at + 1 > this.#capacity) this.#grow(1);
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  /** Writes 0 … 2^32 - 1. */
  count(value: number): void {
    if (this.#at + 4 > this.#capacity) this.#grow(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  /** Writes any number. All NaN have the same bytes. A separate call for NaN is faster than one call for both cases. */
  float(value: number): void {
    if (this.#at + 8 > this.#capacity) this.#grow(8);
    if (Number.isNaN(value)) this.#view.setFloat64(this.#at, Number.NaN, true);
    else this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Writes any number exactly, in the shortest form. */
  number(value: number): void {
    if (this.#at + MAX_NUMBER_BYTES > this.#capacity) this.#grow(MAX_NUMBER_BYTES);
    const at = this.#at;
    const view = this.#view;
    const small = value | 0;
    if (small === value && small >= 0 && small < POSITIVE && (small !== 0 || !Object.is(value, -0))) {
      view.setUint8(at, small);
      this.#at = at + 1;
    } else if (!Number.isSafeInteger(value) || value === 0) {
      view.setUint8(at, FLOAT);
      view.setFloat64(at + 1, value, true);
      this.#at = at + MAX_NUMBER_BYTES;
    } else {
      const absolute = value < 0 ? -value : value;
      const low = absolute >>> 0;
      const high = (absolute - low) / TWO_TO_32;
      const extraBytes = high === 0 ? 3 - (Math.clz32(low) >>> 3) : 7 - (Math.clz32(high) >>> 3);
      view.setUint8(at, (value < 0 ? NEGATIVE : POSITIVE) + extraBytes);
      // The next value overwrites the bytes behind the number.
      view.setUint32(at + 1, low, true);
      if (high !== 0) view.setUint32(at + 5, high, true);
      this.#at = at + extraBytes + 2;
    }
  }

  text(value: string): void {
    const isNarrow = isLatin1(value);
    this.number(value.length * 2 + (isNarrow ? 0 : 1));
    if (!isNarrow) {
      this.#units(value);
      return;
    }
    if (this.#at + value.length > this.#capacity) this.#grow(value.length);
    for (let unit = 0; unit < value.length; unit += 1) this.#bytes[this.#at + unit] = value.charCodeAt(unit);
    this.#at += value.length;
  }

  utf16(value: string): void {
    this.count(value.length);
    this.#units(value);
  }

  /** Replaces lone surrogates by U+FFFD. The native encoder is fast even before V8 optimizes this file. */
  utf8(value: string): void {
    if (value === '') return;
    const maxBytes = 3 * value.length;
    if (this.#at + maxBytes > this.#capacity) this.#grow(maxBytes);
    this.#at += encoder.encodeInto(value, this.#bytes.subarray(this.#at)).written;
  }

  bytes(value: Uint8Array): void {
    if (this.#at + value.length > this.#capacity) this.#grow(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Reserves bytes with undefined content. */
  skip(bytes: number): void {
    if (this.#at + bytes > this.#capacity) this.#grow(bytes);
    this.#at += bytes;
  }

  /** Writes a `count` of all bytes after the count, at an offset that `skip` reserved. */
  setCount(at: number): void {
    this.#view.setUint32(at, this.#at - at - 4, true);
  }

  /** Returns the written bytes without a copy. The next write may change them. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Returns `written()`, and makes the next write start at the beginning. */
  finish(): Uint8Array<ArrayBuffer> {
    const written = this.written();
    this.#at = 0;
    return written;
  }

  truncate(length: number): void {
    this.#at = length;
  }

  #units(value: string): void {
    if (this.#at + 2 * value.length > this.#capacity) this.#grow(2 * value.length);
    for (let unit = 0; unit < value.length; unit += 1) {
      this.#view.setUint16(this.#at, value.charCodeAt(unit), true);
      this.#at += 2;
    }
  }

  #grow(bytes: number): void {
    const larger = new Uint8Array(Math.max(this.#at + bytes, 2 * this.#capacity));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
    this.#capacity = larger.length;
  }
}

function isLatin1(text: string): boolean {
  for (let unit = 0; unit < text.length; unit += 1) if (text.charCodeAt(unit) > 0xff) return false;
  return true;
}
