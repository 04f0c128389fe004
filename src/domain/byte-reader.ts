/**
 * Decodes the output of `ByteWriter`, which describes the format.
 * HOT: reads every record of a journal and every number of a snapshot (bench/journal.ts).
 */
import { FLOAT, MAX_NUMBER_BYTES, NEGATIVE, POSITIVE, TWO_TO_32 } from './byte-writer.ts';

/** Text bytes per call of `fromCharCode`, whose arguments are limited. Even, so that no UTF-16 unit is divided. */
const TEXT_PIECE_BYTES = 8_192;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Every method throws a RangeError for invalid or missing bytes. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
  }

  get offset(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  byte(): number {
    return this.#view.getUint8(this.#skip(1, 'a byte'));
  }

  flag(): boolean {
    const value = this.byte();
    if (value > 1) throw new RangeError(`${value} is neither 0 nor 1, at byte ${this.#at - 1}`);
    return value === 1;
  }

  float(): number {
    return this.#view.getFloat64(this.#skip(8, 'a float'), true);
  }

  /** Reads a `float` that is a safe integer from `min` to `max`. */
  integer(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): number {
    const value = this.float();
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new RangeError(`${value} is not a whole number from ${min} to ${max}, at byte ${this.#at - 8}`);
  }

  number(): number {
    const at = this.#at;
    if (at >= this.#end) throw this.#expected('a number');
    const first = this.#bytes[at]!;
    if (first < POSITIVE) {
      this.#at = at + 1;
      return first;
    }
    const isNegative = first >= NEGATIVE;
    const bytes = first === FLOAT ? 8 : first - (isNegative ? NEGATIVE : POSITIVE) + 1;
    if (first > FLOAT || at + 1 + bytes > this.#end) throw this.#expected('a number');
    this.#at = at + 1 + bytes;
    if (first === FLOAT) return this.#view.getFloat64(at + 1, true);
    const absolute =
      at + MAX_NUMBER_BYTES <= this.#end ? this.#fromWords(at + 1, bytes) : this.#fromBytes(at + 1, bytes);
    return isNegative ? -absolute : absolute;
  }

  text(): string {
    const begin = this.#at;
    const head = this.number();
    const isNarrow = head % 2 === 0;
    const bytes = isNarrow ? head / 2 : head - 1;
    if (Number.isSafeInteger(bytes) && bytes >= 0 && this.#at + bytes <= this.#end)
      return decodeText(this.#bytes, this.#skip(bytes, 'a text'), this.#at, isNarrow);
    this.#at = begin;
    throw this.#expected('a text');
  }

  utf16(): string {
    const bytes = 2 * this.#length(2);
    return decodeText(this.#bytes, this.#skip(bytes, 'a text'), this.#at, false);
  }

  utf8(): string {
    return decoder.decode(this.part());
  }

  /** Reads a `count`, then that many bytes. Does not copy the bytes. */
  part(): Uint8Array {
    const length = this.#length(1);
    return this.#bytes.subarray(this.#skip(length, 'a part'), this.#at);
  }

  /** Reads a byte that is an index of `values`. */
  oneOf<Value>(values: readonly Value[]): Value {
    const index = this.byte();
    const value = values[index];
    if (value === undefined) throw new RangeError(`there is no index ${index} in a list of ${values.length}`);
    return value;
  }

  list<T>(read: (from: this) => T): readonly T[] {
    const length = this.#length(1);
    const items: T[] = [];
    for (let item = 0; item < length; item += 1) items.push(read(this));
    return items;
  }

  expectEnd(): void {
    const left = this.#end - this.#at;
    if (left !== 0) throw new RangeError(`${left} bytes are left over`);
  }

  /** Reads one or two 32-bit words and masks off the bytes behind the number. Needs eight readable bytes from `at`. */
  #fromWords(at: number, bytes: number): number {
    const low = this.#view.getUint32(at, true);
    if (bytes < 4) return low & ((1 << (bytes * 8)) - 1);
    if (bytes === 4) return low;
    return low + (this.#view.getUint32(at + 4, true) & ((1 << ((bytes - 4) * 8)) - 1)) * TWO_TO_32;
  }

  #fromBytes(at: number, bytes: number): number {
    let value = 0;
    for (let byte = bytes - 1; byte >= 0; byte -= 1) value = value * 256 + this.#bytes[at + byte]!;
    return value;
  }

  /** Reads a `count` of items of at least `itemBytes` bytes each. */
  #length(itemBytes: number): number {
    const length = this.#view.getUint32(this.#skip(4, 'a count'), true);
    if (length * itemBytes <= this.#end - this.#at) return length;
    throw new RangeError(`a list of ${length} does not fit into the bytes after byte ${this.#at}`);
  }

  #skip(bytes: number, what: string): number {
    const at = this.#at;
    if (at + bytes > this.#end) throw this.#expected(what);
    this.#at = at + bytes;
    return at;
  }

  #expected(what: string): RangeError {
    return new RangeError(`expected ${what} at byte ${this.#at} of ${this.#end}`);
  }
}

/** @param isNarrow whether each unit has one byte instead of two */
function decodeText(bytes: Uint8Array, begin: number, end: number, isNarrow: boolean): string {
  let text = '';
  for (let from = begin; from < end; from += TEXT_PIECE_BYTES) {
    const piece = bytes.subarray(from, Math.min(end, from + TEXT_PIECE_BYTES));
    // Spreading a typed array takes four times as long as `apply`.
    text += Reflect.apply(String.fromCharCode, undefined, isNarrow ? piece : utf16Units(piece));
  }
  return text;
}

function utf16Units(bytes: Uint8Array): readonly number[] {
  const units: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) units.push(bytes[at]! | (bytes[at + 1]! << 8));
  return units;
}
