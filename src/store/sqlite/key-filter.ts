/**
 * HOT: which keys may be in a table. Queried for each incoming order; nearly none of them is known (bench/server.ts).
 *
 * A Bloom filter (Bloom 1970) in layers. A key that was added is always found. A key that was not is found by mistake
 * once in a hundred times for each full layer. A full layer is kept, and a new one of four times its size is added.
 */

const BITS_PER_KEY = 10;
const PROBES = 4;
const LEAST_KEYS = 65_536;
const GROWTH = 4;
const TWO_32 = 4_294_967_296;

interface Layer {
  readonly words: Uint32Array;
  /** Bits less one; a power of two less one. */
  readonly mask: number;
  /** Keys that it still takes. */
  room: number;
}

/** Keys from 0 to 2^48 - 1. */
export class KeyFilter {
  #layers: Layer[];

  /** @param keys as many as are expected at first; more are taken, too */
  constructor(keys: number) {
    this.#layers = [layer(Math.max(keys, LEAST_KEYS))];
  }

  /** Bytes of all layers. */
  get bytes(): number {
    return this.#layers.reduce((sum, { words }) => sum + words.byteLength, 0);
  }

  add(key: number): void {
    let last = this.#layers[0]!;
    if (last.room === 0) {
      last = layer(GROWTH * capacity(last));
      this.#layers.unshift(last);
    }
    last.room -= 1;
    const [first, step] = [mixed(key % TWO_32), mixed(Math.floor(key / TWO_32) + 1) | 1];
    for (let probe = 0, at = first; probe < PROBES; probe += 1, at = (at + step) | 0) {
      const bit = at & last.mask;
      last.words[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  /** False only for a key that was never added. */
  mayHave(key: number): boolean {
    const [first, step] = [mixed(key % TWO_32), mixed(Math.floor(key / TWO_32) + 1) | 1];
    for (const { words, mask } of this.#layers) if (hasAll(words, mask, first, step)) return true;
    return false;
  }
}

function hasAll(words: Uint32Array, mask: number, first: number, step: number): boolean {
  for (let probe = 0, at = first; probe < PROBES; probe += 1, at = (at + step) | 0) {
    const bit = at & mask;
    if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

function layer(keys: number): Layer {
  let bits = 1024;
  while (bits < keys * BITS_PER_KEY) bits *= 2;
  return { words: new Uint32Array(bits / 32), mask: bits - 1, room: Math.floor(bits / BITS_PER_KEY) };
}

function capacity({ mask }: Layer): number {
  return Math.floor((mask + 1) / BITS_PER_KEY);
}

/** The last steps of MurmurHash3: every bit of the number decides on every bit of the answer. */
function mixed(number: number): number {
  let bits = number | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
