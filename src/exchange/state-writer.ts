/**
 * One walk over a state for two ends: its hash, and the bytes of a snapshot. What a part of the exchange writes is its
 * whole state in a canonical order (by number, by price, by time), never what depends on its past (slots, capacity, free
 * lists): so a state that was replayed, restored or built by the naive twin writes the same.
 */
import type { StateHash } from './state-hash.ts';

export interface StateWriter {
  /** A safe integer of either sign. */
  number(value: number): void;
  /** Any text; its length is part of what is written. */
  text(value: string): void;
}

/** Source of a state, read in the order in which it was written. */
export interface StateReader {
  /** @throws Fault when no number comes next */
  number(): number;
  /** @throws Fault when no text comes next */
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
