/**
 * HOT: reads what a journal and a snapshot hold (bench/journal.ts).
 */
import { Fault } from '../../domain/index.ts';
import type { StateReader } from '../state-writer.ts';
import { longNumber, numberBytes, SMALL_NUMBERS } from './number-code.ts';
import { textOf } from './text-code.ts';

/** Reads what `ByteWriter` and `SnapshotWriter` wrote, in the same order. */
export class ByteReader implements StateReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Where the next byte is. */
  get offset(): number {
    return this.#at;
  }

  /** Whether everything was read. */
  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** @throws Fault when no byte comes next */
  byte(): number {
    if (this.#at >= this.#bytes.length) throw this.#fault('a byte');
    const value = this.#bytes[this.#at]!;
    this.#at += 1;
    return value;
  }

  number(): number {
    const at = this.#at;
    if (at >= this.#bytes.length) throw this.#fault('a number');
    const first = this.#bytes[at]!;
    if (first < SMALL_NUMBERS) {
      this.#at = at + 1;
      return first;
    }
    const bytes = numberBytes(first);
    if (bytes === 0 || at + bytes > this.#bytes.length) throw this.#fault('a number');
    this.#at = at + bytes;
    return longNumber(this.#view, at, first);
  }

  text(): string {
    const begin = this.#at;
    const head = this.number();
    const narrow = head % 2 === 0;
    const bytes = narrow ? head / 2 : head - 1;
    const end = this.#at + bytes;
    if (!Number.isSafeInteger(bytes) || bytes < 0 || end > this.#bytes.length) {
      this.#at = begin;
      throw this.#fault('a text');
    }
    const text = textOf(this.#bytes.subarray(this.#at, end), narrow);
    this.#at = end;
    return text;
  }

  #fault(what: string): Fault {
    return new Fault('JOURNAL_BYTES', `expected ${what} at byte ${this.#at} of ${this.#bytes.length}`);
  }
}
