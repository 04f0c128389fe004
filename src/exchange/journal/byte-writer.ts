import type { StateWriter } from '../state-writer.ts';
import { MOST_NUMBER_BYTES, putNumber } from './number-code.ts';
import { isNarrow, putText, textBytes } from './text-code.ts';

/** Bytes that grow at their end and are used again once they were read: what a batch of commands is written into. */
export class ByteWriter implements StateWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #at = 0;

  /** @param room bytes to begin with */
  constructor(room = 4_096) {
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** How many bytes were written. */
  get length(): number {
    return this.#at;
  }

  /** A number of 0 … 255. */
  byte(value: number): void {
    this.#room(1);
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  number(value: number): void {
    this.#room(MOST_NUMBER_BYTES);
    this.#at = putNumber(this.#view, this.#at, value);
  }

  text(value: string): void {
    const narrow = isNarrow(value);
    this.number(value.length * 2 + (narrow ? 0 : 1));
    this.#room(textBytes(value, narrow));
    this.#at = putText(this.#bytes, this.#at, value, narrow);
  }

  /** What was written so far, without a copy: it changes with the next use. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Begins anew in the same memory. */
  clear(): void {
    this.#at = 0;
  }

  /** Takes back what was written from `length` on. */
  cut(length: number): void {
    this.#at = length;
  }

  #room(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
