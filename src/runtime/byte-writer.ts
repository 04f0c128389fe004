/**
 * Bytes in one order: little-endian numbers, code units of text, into a buffer that is used again and again.
 *
 * HOT: every stored step goes through it, 8 bytes at a time; one DataView, no intermediate lists. Within the hash of a step
 * in bench/steps.ts.
 */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #capacity: number;
  #at = 0;

  /** @param capacity bytes to begin with; it grows by doubling */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
    this.#capacity = capacity;
  }

  /** How many bytes were written since the last `take`. */
  get length(): number {
    return this.#at;
  }

  /** What was written, to be used before the next write, which begins anew. */
  take(): Uint8Array {
    const written = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    return written;
  }

  /** One byte, 0..255. */
  byte(value: number): void {
    if (this.#at + 1 > this.#capacity) this.#grow(1);
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  /** Any number, 8 bytes; all NaN are one. */
  number(value: number): void {
    if (this.#at + 8 > this.#capacity) this.#grow(8);
    this.#view.setFloat64(this.#at, Number.isNaN(value) ? Number.NaN : value, true);
    this.#at += 8;
  }

  /** A length, 0..2^32-1. */
  count(value: number): void {
    if (this.#at + 4 > this.#capacity) this.#grow(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  /** Length and UTF-16 units: lossless for any string. */
  text(value: string): void {
    this.count(value.length);
    if (this.#at + 2 * value.length > this.#capacity) this.#grow(2 * value.length);
    for (let unit = 0; unit < value.length; unit += 1) {
      this.#view.setUint16(this.#at, value.charCodeAt(unit), true);
      this.#at += 2;
    }
  }

  /** Makes room for so many bytes more. */
  #grow(bytes: number): void {
    const larger = new Uint8Array(Math.max(this.#at + bytes, 2 * this.#capacity));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
    this.#capacity = larger.length;
  }
}
