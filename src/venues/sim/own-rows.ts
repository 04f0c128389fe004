import { type Block, copyRows, FLAG, KIND, makeBlock } from '../../tape/index.ts';

interface OwnMessage {
  /** How many rows of the tape come before it. */
  readonly after: number;
  from: number;
  to: number;
}

/**
 * Messages of the public feed that are not on the tape: what own takers took is gone for everybody's eyes.
 *
 * HOT: a bot that takes at every message comes by here each time. Rows wait in one block that moves up, and grows when
 * that does not help; nothing else is allocated but one object a message.
 */
export class OwnRows {
  block: Block = makeBlock(64);
  /** Number of rows of the tape before the next message; -1 if there is no message. */
  nextAfter = -1;
  begun = false;
  readonly #messages: OwnMessage[] = [];
  #open = 0;
  /** When the bot receives the next message; Infinity if there is no message. */
  get nextTime(): number {
    const next = this.#messages[0];
    return next === undefined ? Number.POSITIVE_INFINITY : this.block.rx[next.from]!;
  }

  /** Exchange time of the next message. */
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
    this.begun = true;
  }

  /** Ends the message that was begun. @param after how many rows of the tape come before it */
  end(venueTime: number, received: number, after: number): void {
    const { block } = this;
    const from = this.#open;
    this.#open = block.count;
    this.begun = false;
    for (let row = from; row < block.count; row += 1) {
      block.tx[row] = venueTime;
      block.rx[row] = received;
    }
    block.flags[block.count - 1] = FLAG.last;
    this.#messages.push({ after, from, to: block.count });
    if (this.#messages.length === 1) this.nextAfter = after;
  }

  /** Removes the next message; its rows stay valid until the next `add`. @throws Error if there is no message */
  take(): Readonly<OwnMessage> {
    const next = this.#messages.shift();
    if (next === undefined) throw new Error('Invariant: no message of ours is waiting');
    this.nextAfter = this.#messages[0]?.after ?? -1;
    return next;
  }

  /** Moves what is still waiting to the front, into a block of twice the size where that does not help. */
  #makeRoom(): void {
    const old = this.block;
    const first = this.#messages[0]?.from ?? this.#open;
    const waiting = old.count - first;
    const block = 2 * waiting > old.tx.length ? makeBlock(2 * old.tx.length) : old;
    copyRows(old, first, old.count, block, 0);
    block.count = waiting;
    this.block = block;
    this.#open -= first;
    for (const message of this.#messages) {
      message.from -= first;
      message.to -= first;
    }
  }
}
