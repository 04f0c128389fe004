/**
 * Writes a state to its hash or to a snapshot. Each part of the exchange writes its whole state in canonical order (by
 * number, price, time). The output does not depend on the past (slots, capacity, free lists). A replayed exchange and a
 * restored exchange therefore write the same values.
 */
import { Fault } from '../domain/index.ts';

export interface StateWriter {
  /** A safe integer of either sign. */
  number(value: number): void;
  /** Any text, with its length. */
  text(value: string): void;
}

/** Source of a state, read in the order in which it was written. */
export interface StateReader {
  /** @throws Fault if the next value is not a number */
  number(): number;
  /** @throws Fault if the next value is not a text */
  text(): string;
}

export function damagedSnapshot(what: string): never {
  throw new Fault('SNAPSHOT', `${what} in this snapshot is invalid: use an older one`);
}

/** Result of `StateHash.digest`: 16 lower-case hex digits. */
export type Hash = string;

/** Two lower-case hex digits of each byte, because `toString(16)` is slow for numbers above 2^31. */
const HEX_BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const TWO_TO_32 = 4_294_967_296;

/**
 * A 64-bit hash of a sequence of integers, by integer arithmetic only: equal on every machine and Node version. Each
 * step and the final mixing are bijections of the two 32-bit halves, so sequences that differ in one 32-bit word never
 * collide. An adversary can find collisions; use sha256 against adversaries.
 */
export class StateHash implements StateWriter {
  #left = 0x2545f491;
  #right = 0x6c8e9cf5;
  #count = 0;

  number(value: number): void {
    this.#addWord(value | 0);
    this.#addWord(Math.floor(value / TWO_TO_32) | 0);
    this.#count++;
  }

  text(value: string): void {
    this.number(value.length);
    for (let at = 0; at < value.length; at += 1) this.number(value.charCodeAt(at));
  }

  /** Returns the hash of the integers added so far; more may follow. */
  digest(): Hash {
    const left = mix(this.#left ^ this.#count);
    const right = mix((this.#right + left) | 0);
    return toHex(mix((left + right) | 0)) + toHex(right);
  }

  #addWord(word: number): void {
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

function toHex(word: number): string {
  return toHexByte(word >>> 24) + toHexByte(word >>> 16) + toHexByte(word >>> 8) + toHexByte(word);
}

function toHexByte(byte: number): string {
  return HEX_BYTES[byte & 0xff] ?? '';
}
