/**
 * HOT: stands between a large state and both of its ends (bench/journal.ts).
 */
import type { StateWriter } from '../state-writer.ts';

/** Writes to two writers at once: walking over a state costs more than writing it. */
export class TeeWriter implements StateWriter {
  readonly #first: StateWriter;
  readonly #second: StateWriter;

  constructor(first: StateWriter, second: StateWriter) {
    this.#first = first;
    this.#second = second;
  }

  number(value: number): void {
    this.#first.number(value);
    this.#second.number(value);
  }

  text(value: string): void {
    this.#first.text(value);
    this.#second.text(value);
  }
}
