/**
 * The owner of each order, stored permanently: to distinguish orders that ended from numbers that never existed.
 *
 * HOT: every accepted order is written here. Pieces of 64k orders, so that nothing is ever copied to grow; 4 bytes an
 * order. Timed as part of bench/exchange.ts.
 */
import type { StateReader, StateWriter } from '../state-writer.ts';

const PIECE_BITS = 16;
const PIECE = 1 << PIECE_BITS;

/** Accounts of all accepted orders, by number: 1, 2, 3 … */
export class OrderOwners {
  readonly #pieces: Int32Array[] = [new Int32Array(PIECE)];
  #last = this.#pieces[0]!;
  #count = 0;

  /** Number of orders so far: the last order's number. */
  get count(): number {
    return this.#count;
  }

  /** @returns the number of the account's new order */
  add(account: number): number {
    const order = ++this.#count;
    const place = order & (PIECE - 1);
    if (place === 0) {
      this.#last = new Int32Array(PIECE);
      this.#pieces.push(this.#last);
    }
    this.#last[place] = account;
    return order;
  }

  /** The account of an order; 0 for one that never was, whatever number it has. */
  of(order: number): number {
    if (!(Number.isInteger(order) && order >= 1 && order <= this.#count)) return 0;
    return this.#pieces[Math.floor(order / PIECE)]![order & (PIECE - 1)]!;
  }

  /** See engine/state.ts, 7. */
  writeState(writer: StateWriter): void {
    writer.number(this.#count);
    for (let order = 1; order <= this.#count; order++) writer.number(this.of(order));
  }

  /** Fills an empty one from what `writeState` wrote. */
  readState(reader: StateReader): void {
    for (let left = reader.number(); left > 0; left--) this.add(reader.number());
  }
}
