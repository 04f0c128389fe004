/** Reads a tape message by message, in the format of exchange commands. */
import type { TapeRows } from '../exchange/index.ts';
import { BLOCK_ROWS, type Block, type Feed, FLAG, KIND, makeBlock } from '../tape/index.ts';
import { BookSnapshots, type SnapshotRow } from './book-snapshots.ts';
import { floorToLots } from './replay.ts';

export interface TapeMessage {
  /** Exchange time on the tape, epoch ms. */
  readonly time: number;
  /** Number of tape rows up to the end of the message. */
  readonly row: number;
  /** Rows by market number on the tape, ordered by the first row of each market. */
  readonly parts: readonly { readonly market: number; readonly rows: TapeRows }[];
}

/** Reads forward with one block of memory. */
export class TapeMessageReader {
  readonly #feed: Feed;
  readonly #block: Block = makeBlock(BLOCK_ROWS);
  /** Position in the block. */
  #at = 0;
  #row = 0;
  #next: TapeMessage | undefined;
  #isOver = false;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Number of rows read, including the rows of a peeked message. */
  get row(): number {
    return this.#row;
  }

  /** Returns the next message without consuming it; undefined at the end. @throws FileFault on a damaged block */
  peek(): TapeMessage | undefined {
    this.#next ??= this.#read();
    return this.#next;
  }

  next(): TapeMessage | undefined {
    const message = this.peek();
    this.#next = undefined;
    return message;
  }

  /** Skips all messages before an exchange time. @returns the state of the markets at that time */
  skipUntil(time: number): BookSnapshots {
    const snapshots = new BookSnapshots();
    while (this.#fill()) {
      const { tx } = this.#block;
      if ((tx[this.#at] ?? 0) >= time) break;
      snapshots.apply(this.#block, this.#at);
      this.#step();
    }
    return snapshots;
  }

  skipRows(rows: number): void {
    while (this.#row < rows && this.#fill()) this.#step();
  }

  close(): void {
    this.#feed.close();
  }

  #read(): TapeMessage | undefined {
    if (!this.#fill()) return undefined;
    const block = this.#block;
    const { market, kind, side, price, shares, flags } = block;
    const time = block.tx[this.#at] ?? 0;
    const parts = new Map<number, number[]>();
    for (let isLast = false; !isLast; ) {
      const at = this.#at;
      const number = market[at] ?? 0;
      const rows = parts.get(number) ?? [];
      parts.set(number, rows);
      const row = { kind: kind[at] ?? 0, side: side[at] ?? 0, price: price[at] ?? 0, shares: shares[at] ?? 0 };
      rows.push(...encodeRows([row]));
      isLast = ((flags[at] ?? 0) & FLAG.last) !== 0;
      this.#step();
    }
    return { time, row: this.#row, parts: [...parts].map(([number, rows]) => ({ market: number, rows })) };
  }

  /** Reads the next block if needed. Returns whether there is another row. Blocks hold whole messages. */
  #fill(): boolean {
    if (this.#at < this.#block.count) return true;
    if (!this.#isOver) {
      this.#at = 0;
      this.#isOver = this.#feed.fill(this.#block) === 0;
    }
    return !this.#isOver;
  }

  #step(): void {
    this.#at += 1;
    this.#row += 1;
  }
}

/** Encodes rows for a command: sizes in whole lots, rounded **down**, without prints of less than a lot. */
export function encodeRows(rows: readonly SnapshotRow[]): TapeRows {
  return rows.flatMap(({ kind, side, price, shares }) => {
    const size = kind === KIND.level || kind === KIND.trade ? floorToLots(shares) : shares;
    return kind === KIND.trade && size === 0 ? [] : [kind, side, price, size];
  });
}
