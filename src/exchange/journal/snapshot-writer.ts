/**
 * HOT: a snapshot of a large exchange is tens of millions of numbers, written while nothing else can happen
 * (bench/journal.ts tells how long).
 */
import type { StateWriter } from '../state-writer.ts';
import { MOST_NUMBER_BYTES, putNumber } from './number-code.ts';
import { isNarrow, putText, textBytes } from './text-code.ts';

/** A state as bytes in pieces, so that nothing is copied when it grows. `ByteReader` reads the pieces put together. */
export class SnapshotWriter implements StateWriter {
  readonly #room: number;
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #at = 0;

  /** @param room bytes of a piece, at least 9 */
  constructor(room = 1_048_576) {
    this.#room = room;
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  number(value: number): void {
    if (this.#at + MOST_NUMBER_BYTES > this.#bytes.length) this.#turn(this.#room);
    this.#at = putNumber(this.#view, this.#at, value);
  }

  text(value: string): void {
    const narrow = isNarrow(value);
    this.number(value.length * 2 + (narrow ? 0 : 1));
    const bytes = textBytes(value, narrow);
    if (this.#at + bytes > this.#bytes.length) this.#turn(Math.max(this.#room, bytes));
    this.#at = putText(this.#bytes, this.#at, value, narrow);
  }

  /** Everything written. The writer is not to be used any more. */
  pieces(): readonly Uint8Array<ArrayBuffer>[] {
    return [...this.#full, this.#bytes.subarray(0, this.#at)].filter(({ length }) => length > 0);
  }

  #turn(room: number): void {
    this.#full.push(this.#bytes.subarray(0, this.#at));
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
    this.#at = 0;
  }
}
