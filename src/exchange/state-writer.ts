/**
 * Writes a state to its hash or to a snapshot. Each part of the exchange writes its whole state in canonical order (by
 * number, price, time) and nothing that depends on its past (slots, capacity, free lists). A replayed, a restored and a
 * naively computed state thus write the same.
 */
import type { StateHash } from './state-hash.ts';

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

export class HashWriter implements StateWriter {
  readonly #hash: StateHash;

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  number(value: number): void {
    this.#hash.add(value);
  }

  text(value: string): void {
    this.#hash.add(value.length);
    for (let at = 0; at < value.length; at += 1) this.#hash.add(value.charCodeAt(at));
  }
}
