/** A tape read message by message, each with its place, in the words of the exchange's commands. */
import type { TapeRows } from '../exchange/index.ts';
import { BLOCK_ROWS, type Block, type Feed, FLAG, KIND, makeBlock } from '../tape/index.ts';
import { BookSnapshots, type RowFacts } from './book-snapshots.ts';
import { lotsDown } from './replay.ts';

export interface TapeMessage {
  /** Exchange time on the tape, epoch ms. */
  readonly time: number;
  /** Rows of the tape that are behind it. */
  readonly row: number;
  /** Its rows by market (the number on the tape), in the order in which markets first come. */
  readonly parts: readonly { readonly market: number; readonly rows: TapeRows }[];
}

/** Reads on from where it stands; memory is one block. */
export class TapeWalk {
  readonly #feed: Feed;
  readonly #block: Block = makeBlock(BLOCK_ROWS);
  /** Of the block. */
  #at = 0;
  /** Rows behind. */
  #row = 0;
  #next: TapeMessage | undefined;
  #isOver = false;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Rows behind it, the next message's too where it was looked at. */
  get row(): number {
    return this.#row;
  }

  /** The next message, which stays the next one; undefined at the end. @throws FileFault on a damaged block */
  peek(): TapeMessage | undefined {
    this.#next ??= this.#read();
    return this.#next;
  }

  next(): TapeMessage | undefined {
    const message = this.peek();
    this.#next = undefined;
    return message;
  }

  /** Passes all messages before a moment of the tape. @returns what they made of the markets */
  passUntil(time: number): BookSnapshots {
    const images = new BookSnapshots();
    while (this.#fill()) {
      const { tx } = this.#block;
      if ((tx[this.#at] ?? 0) >= time) break;
      images.apply(this.#block, this.#at);
      this.#step();
    }
    return images;
  }

  passRows(rows: number): void {
    while (this.#row < rows && this.#fill()) this.#step();
  }

  close(): void {
    this.#feed.close();
  }

  #read(): TapeMessage | undefined {
    if (!this.#fill()) return undefined;
    const block = this.#block;
    const { market, flags } = block;
    const time = block.tx[this.#at] ?? 0;
    const parts = new Map<number, number[]>();
    for (let isLast = false; !isLast; ) {
      const at = this.#at;
      const no = market[at] ?? 0;
      const rows = parts.get(no) ?? [];
      parts.set(no, rows);
      rows.push(...numbersOf([factsAt(block, at)]));
      isLast = ((flags[at] ?? 0) & FLAG.last) !== 0;
      this.#step();
    }
    return { time, row: this.#row, parts: [...parts].map(([no, rows]) => ({ market: no, rows })) };
  }

  /** Whether there is a row. Blocks hold whole messages. */
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

/** Rows as a command carries them: sizes in whole lots, rounded **down**; a print of less than a lot is left out. */
export function numbersOf(rows: readonly RowFacts[]): TapeRows {
  return rows.flatMap(({ kind, side, price, shares }) => {
    const size = kind === KIND.level || kind === KIND.trade ? lotsDown(shares) : shares;
    return kind === KIND.trade && size === 0 ? [] : [kind, side, price, size];
  });
}

function factsAt({ kind, side, price, shares }: Block, row: number): RowFacts {
  return { kind: kind[row] ?? 0, side: side[row] ?? 0, price: price[row] ?? 0, shares: shares[row] ?? 0 };
}
