/**
 * The owner of each order, stored permanently, to distinguish ended orders from unknown numbers.
 *
 * HOT: every accepted order is written here (bench/exchange.ts): 4 bytes each, in pieces of 65,536 orders, so that growing
 * copies nothing.
 */
import type { StateReader, StateWriter } from '../state-writer.ts';

const PIECE_BITS = 16;
const PIECE = 1 << PIECE_BITS;

/** Accounts of all accepted orders, by number: 1, 2, 3 … */
export class OrderOwners {
  readonly #pieces: Int32Array[] = [new Int32Array(PIECE)];
  #last = this.#pieces[0]!;
  #count = 0;

  /** Number of orders, and of the last order. */
  get count(): number {
    return this.#count;
  }

  /** @returns the number of the account's new order */
  add(account: number): number {
    const order = ++this.#count;
    const index = order & (PIECE - 1);
    if (index === 0) {
      this.#last = new Int32Array(PIECE);
      this.#pieces.push(this.#last);
    }
    this.#last[index] = account;
    return order;
  }

  /** Returns the account of an order; 0 for any number that is not an order. */
  of(order: number): number {
    if (!(Number.isInteger(order) && order >= 1 && order <= this.#count)) return 0;
    return this.#pieces[Math.floor(order / PIECE)]![order & (PIECE - 1)]!;
  }

  /** Writes part 7 of the format in engine/state.ts. */
  writeState(writer: StateWriter): void {
    writer.number(this.#count);
    for (let order = 1; order <= this.#count; order++) writer.number(this.of(order));
  }

  /** Reads the output of `writeState` into an empty instance. */
  readState(reader: StateReader): void {
    for (let left = reader.number(); left > 0; left--) this.add(reader.number());
  }
}
