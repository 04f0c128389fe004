import { type Block, copyRows, FLAG, KIND, makeBlock } from '../../tape/index.ts';

interface OwnMessage {
  /** Number of tape rows before the message. */
  readonly after: number;
  from: number;
  to: number;
}

/**
 * Messages of the public feed that are not on the tape: changes of levels whose size own takers consumed.
 *
 * HOT: called for each message at which the bot takes. Rows wait in one block, which is compacted when full and grows
 * if compacting frees too little. Otherwise, only one object per message is allocated.
 */
export class OwnRows {
  block: Block = makeBlock(64);
  /** Number of tape rows before the next message; -1 if there is none. */
  nextAfter = -1;
  hasOpenMessage = false;
  readonly #messages: OwnMessage[] = [];
  #openFrom = 0;

  /** When the bot receives the next message; Infinity if there is none. */
  get nextTime(): number {
    const next = this.#messages[0];
    return next === undefined ? Number.POSITIVE_INFINITY : this.block.rx[next.from]!;
  }

  /** Exchange time of the next message; Infinity if there is none. */
  get nextVenueTime(): number {
    const next = this.#messages[0];
    return next === undefined ? Number.POSITIVE_INFINITY : this.block.tx[next.from]!;
  }

  add(market: number, side: number, price: number, shares: number): void {
    if (this.block.count === this.block.tx.length) this.#makeRoom();
    const { block } = this;
    const row = block.count;
    block.count += 1;
    block.market[row] = market;
    block.kind[row] = KIND.level;
    block.side[row] = side;
    block.price[row] = price;
    block.shares[row] = shares;
    block.flags[row] = 0;
    this.hasOpenMessage = true;
  }

  /** Ends the current message. @param after number of tape rows before the message */
  end(venueTime: number, received: number, after: number): void {
    const { block } = this;
    const from = this.#openFrom;
    this.#openFrom = block.count;
    this.hasOpenMessage = false;
    for (let row = from; row < block.count; row += 1) {
      block.tx[row] = venueTime;
      block.rx[row] = received;
    }
    block.flags[block.count - 1] = FLAG.last;
    this.#messages.push({ after, from, to: block.count });
    if (this.#messages.length === 1) this.nextAfter = after;
  }

  /** Removes the next message, whose rows stay valid until the next `add`. @throws Error if there is no message */
  shift(): Readonly<OwnMessage> {
    const next = this.#messages.shift();
    if (next === undefined) throw new Error('Invariant: no own message is waiting');
    this.nextAfter = this.#messages[0]?.after ?? -1;
    return next;
  }

  /** Moves the waiting rows to the front, or into a block of twice the size if they fill more than half. */
  #makeRoom(): void {
    const old = this.block;
    const first = this.#messages[0]?.from ?? this.#openFrom;
    const waiting = old.count - first;
    const block = 2 * waiting > old.tx.length ? makeBlock(2 * old.tx.length) : old;
    copyRows(old, first, old.count, block, 0);
    block.count = waiting;
    this.block = block;
    this.#openFrom -= first;
    for (const message of this.#messages) {
      message.from -= first;
      message.to -= first;
    }
  }
}
