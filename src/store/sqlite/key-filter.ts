/**
 * HOT: tests whether a table can have a key. Each order's key is tested, and nearly all are new (bench/server.ts).
 *
 * A Bloom filter (Bloom 1970) in layers. It always finds added keys. The false-positive rate is 1 % for each full
 * layer. When the newest layer is full, a new layer of four times the size is added.
 */

const BITS_PER_KEY = 10;
/** Number of bits that each key sets. The distance of two successive bits is odd, so that all bits differ. */
const PROBES = 4;
const MIN_KEYS = 65_536;
const GROWTH = 4;
const TWO_32 = 4_294_967_296;

interface Layer {
  readonly words: Uint32Array;
  /** Number of bits less one. The number of bits is a power of two, so that the mask selects a bit. */
  readonly mask: number;
  /** Number of keys that still fit. */
  free: number;
}

/** A filter for keys from 0 to 2^48 - 1. */
export class KeyFilter {
  /** The newest layer is first. */
  readonly #layers: Layer[];

  /** @param keys expected number of keys, not a limit */
  constructor(keys: number) {
    this.#layers = [createLayer(Math.max(keys, MIN_KEYS))];
  }

  get bytes(): number {
    return this.#layers.reduce((sum, { words }) => sum + words.byteLength, 0);
  }

  add(key: number): void {
    let newest = this.#layers[0]!;
    if (newest.free === 0) {
      newest = createLayer(GROWTH * capacity(newest));
      this.#layers.unshift(newest);
    }
    newest.free -= 1;
    const [first, step] = [mixBits(key % TWO_32), mixBits(Math.floor(key / TWO_32) + 1) | 1];
    for (let probe = 0, at = first; probe < PROBES; probe += 1, at = (at + step) | 0) {
      const bit = at & newest.mask;
      newest.words[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  /** Returns false only for a key that was never added. */
  mayContain(key: number): boolean {
    const [first, step] = [mixBits(key % TWO_32), mixBits(Math.floor(key / TWO_32) + 1) | 1];
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

function createLayer(keys: number): Layer {
  let bits = 1024;
  while (bits < keys * BITS_PER_KEY) bits *= 2;
  return { words: new Uint32Array(bits / 32), mask: bits - 1, free: Math.floor(bits / BITS_PER_KEY) };
}

function capacity({ mask }: Layer): number {
  return Math.floor((mask + 1) / BITS_PER_KEY);
}

/** Applies MurmurHash3's final mix, in which every input bit affects every output bit. */
function mixBits(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
