/**
 * HOT: reads what a journal and a snapshot hold (bench/journal.ts).
 */
import { Fault } from '../../domain/index.ts';
import type { StateReader } from '../state-writer.ts';
import { lastNumber, longNumber, MOST_NUMBER_BYTES, numberBytes, SMALL_NUMBERS } from './number-code.ts';
import { textOf } from './text-code.ts';

/** Reads what `ByteWriter` and `SnapshotWriter` wrote, in the same order. */
export class ByteReader implements StateReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
  }

  /** Where the next byte is. */
  get offset(): number {
    return this.#at;
  }

  /** Whether everything was read. */
  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** @throws Fault when no byte comes next */
  byte(): number {
    if (this.#at >= this.#end) throw this.#fault('a byte');
    const value = this.#bytes[this.#at]!;
    this.#at += 1;
    return value;
  }

  number(): number {
    const at = this.#at;
    if (at >= this.#end) throw this.#fault('a number');
    const first = this.#bytes[at]!;
    if (first < SMALL_NUMBERS) {
      this.#at = at + 1;
      return first;
    }
    const bytes = numberBytes(first);
    if (bytes === 0 || at + bytes > this.#end) throw this.#fault('a number');
    this.#at = at + bytes;
    const isRoomy = at + MOST_NUMBER_BYTES <= this.#end;
    return isRoomy ? longNumber(this.#view, at, first) : lastNumber(this.#view, at, first);
  }

  text(): string {
    const begin = this.#at;
    const head = this.number();
    const narrow = head % 2 === 0;
    const bytes = narrow ? head / 2 : head - 1;
    const end = this.#at + bytes;
    if (!Number.isSafeInteger(bytes) || bytes < 0 || end > this.#end) {
      this.#at = begin;
      throw this.#fault('a text');
    }
    const text = textOf(this.#bytes.subarray(this.#at, end), narrow);
    this.#at = end;
    return text;
  }

  #fault(what: string): Fault {
    return new Fault('JOURNAL_BYTES', `expected ${what} at byte ${this.#at} of ${this.#end}`);
  }
}
