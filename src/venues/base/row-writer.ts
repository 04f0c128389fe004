/**
 * Writes the rows of one message at a time, in a reused block.
 *
 * HOT: every change of every book passes here, 5 ns a row. The decoders have checked the values.
 * Invariant: times never decrease from message to message, even if a clock is set back.
 */
import { type Block, FLAG, KIND, makeBlock } from '../../tape/index.ts';

/** Enough for a book with a level at every price, and for as many other rows of the same message. */
const MAX_MESSAGE_ROWS = 20_480;

export interface RowSink {
  /** Receives rows `from..to-1`, which are whole messages. The block is reused. */
  rows(block: Block, from: number, to: number): void;
}

export class RowWriter {
  /** Receiver of messages; undefined drops them. */
  sink: RowSink | undefined;
  readonly #block: Block = makeBlock(MAX_MESSAGE_ROWS);
  #count = 0;
  #tx = 0;
  #rx = 0;
  /** This machine's time minus the venue's time at the last message, ms; negative if the venue's clock is ahead. */
  #lag = 0;

  constructor(sink?: RowSink) {
    this.sink = sink;
  }

  /** Number of rows of the open message. */
  get count(): number {
    return this.#count;
  }

  /** @param price meaning depends on the kind @param flags without `last` */
  row(market: number, kind: number, side: number, price: number, shares: number, flags = 0): void {
    const block = this.#block;
    const row = this.#count;
    if (row === MAX_MESSAGE_ROWS) throw new RangeError(`Invariant: a message of more than ${MAX_MESSAGE_ROWS} rows`);
    block.market[row] = market;
    block.kind[row] = kind;
    block.side[row] = side;
    block.price[row] = price;
    block.shares[row] = shares;
    block.flags[row] = flags;
    this.#count = row + 1;
  }

  level(market: number, side: number, price: number, shares: number): void {
    this.row(market, KIND.level, side, price, shares);
  }

  /**
   * Passes the message on, unless it has no rows.
   * @param at venue time; 0 for a local event, whose venue time is estimated from `rx`
   * @param rx local receive time
   */
  end(at: number, rx: number): void {
    const count = this.#count;
    if (count === 0) return;
    if (at > 0) this.#lag = rx - at;
    const tx = at > 0 ? at : rx - this.#lag;
    if (tx > this.#tx) this.#tx = tx;
    if (rx > this.#rx) this.#rx = rx;
    const block = this.#block;
    for (let row = 0; row < count; row += 1) {
      block.tx[row] = this.#tx;
      block.rx[row] = this.#rx;
    }
    block.flags[count - 1]! |= FLAG.last;
    block.count = count;
    this.#count = 0;
    this.sink?.rows(block, 0, count);
  }
}
