import { type Block, copyRows, type Feed, FLAG, makeBlock } from './block.ts';
import { BLOCK_ROWS } from './row-rules.ts';

const LAST = FLAG.last;

export interface FeedSource {
  readonly feed: Feed;
  /** Number of markets, which are numbered from 0. */
  readonly markets: number;
  /** Lower bound of the exchange times. The merge does not read the feed before this time. Default: reads at once. */
  readonly from?: number;
}

/**
 * Merges feeds by exchange time, then by their order. Messages stay whole; market numbers continue from feed to feed.
 * Each open feed takes one block of 1 MB and is closed at its end. A single feed is returned unchanged.
 *
 * HOT: every row of a run over several tapes passes here (bench/replay.ts).
 * @throws RangeError for more than 65,536 markets in all
 */
export function mergeFeeds(sources: readonly FeedSource[]): Feed {
  const [only] = sources;
  return sources.length === 1 && only !== undefined ? only.feed : new MergedFeed(sources);
}

interface FeedCursor {
  readonly feed: Feed;
  /** Added to the feed's market numbers. */
  readonly firstMarket: number;
  /** Undefined before the feed is read, and after its end. */
  block: Block | undefined;
  row: number;
}

class MergedFeed implements Feed {
  readonly #cursors: readonly FeedCursor[];
  /** Binary heap of the cursors with rows, by time of the next row, then number of the cursor. */
  readonly #times: Float64Array;
  readonly #numbers: Int32Array;
  #size = 0;
  /** Blocks of closed feeds, which later feeds reuse. */
  readonly #free: Block[] = [];

  constructor(sources: readonly FeedSource[]) {
    let markets = 0;
    this.#cursors = sources.map(({ feed, markets: count }): FeedCursor => {
      const cursor = { feed, firstMarket: markets, block: undefined, row: 0 };
      markets += count;
      return cursor;
    });
    if (markets > 65_536) throw new RangeError(`Invariant: ${markets} markets, but a block can name 65536`);
    this.#times = new Float64Array(sources.length);
    this.#numbers = new Int32Array(sources.length);
    for (const [number, { from }] of sources.entries()) this.#push(from ?? Number.NEGATIVE_INFINITY, number);
  }

  fill(block: Block): number {
    const capacity = block.tx.length;
    block.count = 0;
    while (this.#size > 0) {
      const cursor = this.#cursors[this.#numbers[0]!]!;
      if (cursor.block === undefined) this.#load(cursor);
      else if (!this.#moveMessages(cursor, cursor.block, block, capacity)) break;
    }
    if (block.count === 0 && this.#size > 0)
      throw new RangeError(`Invariant: a block of ${capacity} rows cannot hold the next message`);
    return block.count;
  }

  close(): void {
    for (const { feed } of this.#cursors) feed.close();
  }

  #load(cursor: FeedCursor): void {
    const block = cursor.block ?? this.#free.pop() ?? makeBlock(BLOCK_ROWS);
    cursor.block = block;
    cursor.row = 0;
    if (cursor.feed.fill(block) > 0) {
      this.#replaceTop(block.tx[0]!, this.#numbers[0]!);
      return;
    }
    cursor.feed.close();
    cursor.block = undefined;
    this.#free.push(block);
    this.#size -= 1;
    if (this.#size > 0) this.#replaceTop(this.#times[this.#size]!, this.#numbers[this.#size]!);
  }

  /** Moves the next messages of the cursor at the heap's top to the block. @returns false if the block is full */
  #moveMessages(cursor: FeedCursor, source: Block, block: Block, capacity: number): boolean {
    const { tx, flags, count } = source;
    const second = this.#findSecond();
    const secondTime = second === 0 ? Number.POSITIVE_INFINITY : this.#times[second]!;
    const winsTies = second === 0 || this.#numbers[0]! < this.#numbers[second]!;
    const first = cursor.row;
    if (tx[count - 1]! < secondTime && block.count + count - first <= capacity) {
      this.#moveRows(cursor, source, count, block);
      this.#load(cursor);
      return true;
    }
    let end = first;
    do {
      let next = end;
      while ((flags[next]! & LAST) === 0) next += 1;
      next += 1;
      if (block.count + next - first > capacity) break;
      end = next;
    } while (end < count && (tx[end]! < secondTime || (tx[end]! === secondTime && winsTies)));
    if (end === first) return false;
    this.#moveRows(cursor, source, end, block);
    if (end === count) this.#load(cursor);
    else this.#replaceTop(tx[end]!, this.#numbers[0]!);
    return true;
  }

  #moveRows(cursor: FeedCursor, source: Block, end: number, block: Block): void {
    copyRows(source, cursor.row, end, block, block.count, cursor.firstMarket);
    block.count += end - cursor.row;
    cursor.row = end;
  }

  /** Returns the heap position of the second entry; 0 if there is none. */
  #findSecond(): number {
    if (this.#size < 3) return this.#size - 1;
    return this.#isBefore(1, this.#times[2]!, this.#numbers[2]!) ? 1 : 2;
  }

  #isBefore(place: number, time: number, number: number): boolean {
    const placeTime = this.#times[place]!;
    return placeTime < time || (placeTime === time && this.#numbers[place]! < number);
  }

  #push(time: number, number: number): void {
    let hole = this.#size;
    this.#size += 1;
    for (let parent = (hole - 1) >> 1; hole > 0 && !this.#isBefore(parent, time, number); parent = (hole - 1) >> 1) {
      this.#times[hole] = this.#times[parent]!;
      this.#numbers[hole] = this.#numbers[parent]!;
      hole = parent;
    }
    this.#times[hole] = time;
    this.#numbers[hole] = number;
  }

  /** Replaces the entry at the heap's top. */
  #replaceTop(time: number, number: number): void {
    const times = this.#times;
    const numbers = this.#numbers;
    const size = this.#size;
    let hole = 0;
    for (let child = 1; child < size; child = 2 * hole + 1) {
      const right = child + 1;
      if (right < size && this.#isBefore(right, times[child]!, numbers[child]!)) child = right;
      if (!this.#isBefore(child, time, number)) break;
      times[hole] = times[child]!;
      numbers[hole] = numbers[child]!;
      hole = child;
    }
    times[hole] = time;
    numbers[hole] = number;
  }
}
