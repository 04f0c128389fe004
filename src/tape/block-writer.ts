import { type Block, copyRows, FLAG, makeBlock } from './block.ts';
import { BLOCK_ROWS, RowOrderChecker, rowProblem, timeProblem } from './row-rules.ts';

/**
 * Collects rows in messages and messages in blocks; a message is never split over two blocks.
 *
 * HOT: every recorded, imported or generated row passes `row`, which takes 20 ns with the check.
 *
 * `flush` must not keep its block, which is reused. An invalid row or message throws a RangeError "Invariant: …".
 */
export class BlockWriter {
  readonly #block: Block;
  readonly #flush: (block: Block) => void;
  /** First row of the open message; `count` if there is none. */
  #start = 0;
  #isOpen = false;
  readonly #order = new RowOrderChecker();
  #tx = Number.NEGATIVE_INFINITY;
  #rx = 0;

  constructor(flush: (block: Block) => void, capacity: number = BLOCK_ROWS) {
    this.#block = makeBlock(capacity);
    this.#flush = flush;
  }

  /** Opens a message; times are epoch ms. @throws RangeError if `tx` is before the previous message or one is open */
  begin(tx: number, rx: number): void {
    if (this.#isOpen) throw new RangeError(`Invariant: the message at ${this.#tx} is still open`);
    const problem = tx < this.#tx ? `cannot follow one at ${this.#tx}` : timeProblem(tx, rx);
    if (problem !== undefined) throw new RangeError(`Invariant: a message at ${tx}, received ${rx}: ${problem}`);
    this.#order.begin();
    this.#isOpen = true;
    this.#tx = tx;
    this.#rx = rx;
    this.#start = this.#block.count;
  }

  /** Adds a row to the open message; `KIND` documents the fields. @param flags without `last` */
  row(market: number, kind: number, side: number, price: number, shares: number, flags = 0): void {
    if (!this.#isOpen) throw new RangeError('Invariant: a row outside of a message');
    const problem =
      rowProblem(market, kind, side, price, shares, flags) ?? this.#order.problem(market, kind, side, price);
    if (problem !== undefined) throw new RangeError(`Invariant: ${problem} in the message at ${this.#tx}`);
    const block = this.#block;
    if (block.count === block.tx.length) this.#makeRoom();
    const row = block.count;
    block.tx[row] = this.#tx;
    block.rx[row] = this.#rx;
    block.market[row] = market;
    block.kind[row] = kind;
    block.side[row] = side;
    block.price[row] = price;
    block.shares[row] = shares;
    block.flags[row] = flags;
    block.count = row + 1;
  }

  /** Closes the message and returns its number of rows. A message without rows is omitted. */
  end(): number {
    if (!this.#isOpen) throw new RangeError('Invariant: no message is open');
    const problem = this.#order.endProblem();
    if (problem !== undefined) throw new RangeError(`Invariant: ${problem} in the message at ${this.#tx}`);
    this.#isOpen = false;
    const { count, flags } = this.#block;
    if (count > this.#start) flags[count - 1] = flags[count - 1]! | FLAG.last;
    return count - this.#start;
  }

  /** Adds the whole messages in the rows `from` … `to - 1` of a block. */
  append(source: Block, from = 0, to: number = source.count): void {
    for (let row = from; row < to; ) {
      this.begin(source.tx[row]!, source.rx[row]!);
      let isLast = false;
      while (!isLast && row < to) {
        const flags = source.flags[row]!;
        isLast = (flags & FLAG.last) !== 0;
        this.row(
          source.market[row]!,
          source.kind[row]!,
          source.side[row]!,
          source.price[row]!,
          source.shares[row]!,
          flags & ~FLAG.last,
        );
        row += 1;
      }
      if (!isLast) throw new RangeError(`Invariant: the message at ${this.#tx} was appended without its last row`);
      this.end();
    }
  }

  /** Flushes the last rows. @throws RangeError if a message is open */
  finish(): void {
    if (this.#isOpen) throw new RangeError(`Invariant: the message at ${this.#tx} is still open`);
    if (this.#block.count > 0) this.#flush(this.#block);
    this.#block.count = 0;
  }

  /** Flushes the whole messages and moves the open message to the front. */
  #makeRoom(): void {
    const block = this.#block;
    const { count } = block;
    if (this.#start === 0) throw new RangeError(`Invariant: the message at ${this.#tx} has more than ${count} rows`);
    block.count = this.#start;
    this.#flush(block);
    copyRows(block, this.#start, count, block, 0);
    block.count = count - this.#start;
    this.#start = 0;
  }
}
