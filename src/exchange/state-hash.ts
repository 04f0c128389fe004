/** A 64-bit hash of a sequence of integers, by integer arithmetic only: equal on every machine and Node version. */

/** Result of `StateHash.digest`: 16 lower-case hex digits. */
export type Hash = string;

/** Two lower-case hex digits of each byte. */
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const TWO_TO_32 = 4_294_967_296;

/**
 * Hash of a sequence of integers, in two lanes of 32 bits. Each step and the final mixing are bijections of the state, so
 * sequences that differ in one place never collide. Not secure against an adversary: use sha256 for that.
 */
export class StateHash {
  #left = 0x2545f491;
  #right = 0x6c8e9cf5;
  #count = 0;

  /** Adds a safe integer of either sign. */
  add(value: number): void {
    this.#word(value | 0);
    this.#word(Math.floor(value / TWO_TO_32) | 0);
    this.#count++;
  }

  /** Returns the hash of the integers added so far; more may follow. */
  digest(): Hash {
    const left = mix(this.#left ^ this.#count);
    const right = mix((this.#right + left) | 0);
    return hex(mix((left + right) | 0)) + hex(right);
  }

  #word(word: number): void {
    this.#left = Math.imul(rotateLeft((this.#left + Math.imul(word, 0x3c6ef373)) | 0, 13), 0x2c1b3c6d);
    this.#right = (Math.imul(rotateLeft(this.#right ^ Math.imul(word, 0x297a2d39), 17), 0x1b56c4e9) + this.#left) | 0;
  }
}

function rotateLeft(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** Mixes each bit of a 32-bit word into all others. */
function mix(word: number): number {
  let bits = word ^ (word >>> 16);
  bits = Math.imul(bits, 0x21f0aaad);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x735a2d97);
  return bits ^ (bits >>> 15);
}

/** Formats by pairs of digits, because `toString(16)` is slow beyond 2^31. */
function hex(word: number): string {
  return pair(word >>> 24) + pair(word >>> 16) + pair(word >>> 8) + pair(word);
}

function pair(byte: number): string {
  return PAIRS[byte & 0xff] ?? '';
}
