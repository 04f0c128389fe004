/**
 * The exchange's numbers of the bot's orders, for ever: two counts that part at each order that is refused. Pieces of 64k
 * orders, so that nothing is copied to grow; 4 bytes an order.
 *
 * HOT: written once an accepted order, asked once a cancel. Measured in bench/replay.ts.
 */
const PIECE_BITS = 16;
const PIECE = 1 << PIECE_BITS;

/** By the bot's number, an integer from 0. */
export class OrderNumbers {
  readonly #pieces: Int32Array[] = [];

  /** The exchange's number; 0 for an order that was never accepted. */
  get(order: number): number {
    const piece = this.#pieces[order >>> PIECE_BITS];
    return piece === undefined ? 0 : piece[order & (PIECE - 1)]!;
  }

  set(order: number, number: number): void {
    while (this.#pieces.length <= order >>> PIECE_BITS) this.#pieces.push(new Int32Array(PIECE));
    this.#pieces[order >>> PIECE_BITS]![order & (PIECE - 1)] = number;
  }
}
