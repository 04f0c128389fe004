/** Reads what `ByteWriter` wrote, in the same order. Every method throws a RangeError where the bytes end too early. */
export class ByteReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#view.getUint8(this.#skip(1));
  }

  /** 0 or 1. */
  flag(): boolean {
    const value = this.byte();
    if (value > 1) throw new RangeError(`${value} is neither 0 nor 1, at byte ${this.#at - 1}`);
    return value === 1;
  }

  number(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }

  /** A whole number within 2^53, from `least` to `most`. */
  integer(least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.number();
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new RangeError(`${value} is no whole number from ${least} to ${most}, at byte ${this.#at - 8}`);
  }

  text(): string {
    const length = this.#count(2);
    let text = '';
    for (let unit = 0; unit < length; unit += 1) {
      text += String.fromCharCode(this.#view.getUint16(this.#skip(2), true));
    }
    return text;
  }

  /** The word that stands at this place of a list. */
  word<W>(words: readonly W[]): W {
    const place = this.byte();
    const word = words[place];
    if (word === undefined) throw new RangeError(`there is no word ${place} in a list of ${words.length}`);
    return word;
  }

  list<T>(read: (from: this) => T): readonly T[] {
    const length = this.#count(1);
    const items: T[] = [];
    for (let item = 0; item < length; item += 1) items.push(read(this));
    return items;
  }

  /** @throws RangeError when anything is left */
  end(): void {
    const left = this.#view.byteLength - this.#at;
    if (left !== 0) throw new RangeError(`${left} bytes are left over`);
  }

  /** A length, of items that take at least so many bytes each: one that cannot be is not counted up to. */
  #count(least: number): number {
    const length = this.#view.getUint32(this.#skip(4), true);
    if (length * least > this.#view.byteLength - this.#at) {
      throw new RangeError(`a list of ${length} does not fit into what is left at byte ${this.#at}`);
    }
    return length;
  }

  #skip(bytes: number): number {
    const at = this.#at;
    if (at + bytes > this.#view.byteLength) throw new RangeError(`the bytes end at ${this.#view.byteLength}`);
    this.#at += bytes;
    return at;
  }
}
