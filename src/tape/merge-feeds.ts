import { type Block, type Feed, FLAG, makeBlock } from './block.ts';
import { copyRows } from './copy-rows.ts';
import { BLOCK_ROWS } from './row-rules.ts';

/** A feed and its number of markets: its market numbers are 0..markets-1. */
export interface FeedSource {
  readonly feed: Feed;
  readonly markets: number;
}

/**
 * Many feeds as one, in order of exchange time; messages of one moment in the order of the feeds, and never torn apart.
 * Market numbers count on from feed to feed. Holds one block of 1 MB a feed; a single feed is handed back as it is.
 *
 * HOT: every row of a run over several tapes passes here: 40 ns a row, decoding included, where each message of three
 * feeds has to be weighed against the others (5 M synthetic rows three times).
 * @throws RangeError for more than 65,536 markets in all
 */
export function mergeFeeds(sources: readonly FeedSource[]): Feed {
  const [only] = sources;
  return sources.length === 1 && only !== undefined ? only.feed : new MergedFeed(sources);
}

/** One source on its way through: its block, the next row in it, and what is added to its market numbers. */
interface FeedCursor {
  readonly feed: Feed;
  readonly block: Block;
  readonly order: number;
  readonly firstMarket: number;
  row: number;
}

class MergedFeed implements Feed {
  /** Binary heap of the cursors that have rows, by (time of the next row, order). */
  readonly #heap: FeedCursor[] = [];
  readonly #sources: readonly FeedSource[];

  constructor(sources: readonly FeedSource[]) {
    this.#sources = sources;
    let markets = 0;
    const cursors = sources.map(({ feed, markets: own }, order): FeedCursor => {
      const source = { feed, block: makeBlock(BLOCK_ROWS), order, firstMarket: markets, row: 0 };
      markets += own;
      return source;
    });
    if (markets > 65_536) throw new RangeError(`Invariant: ${markets} markets, but a block can name 65536`);
    for (const source of cursors) if (source.feed.fill(source.block) > 0) this.#push(source);
  }

  fill(block: Block): number {
    const capacity = block.tx.length;
    block.count = 0;
    for (let source = this.#heap[0]; source !== undefined && block.count < capacity; source = this.#heap[0]) {
      const end = this.#runEnd(source, source.row + capacity - block.count);
      if (end === source.row) break;
      this.#take(source, end, block);
    }
    if (block.count === 0 && this.#heap.length > 0) {
      throw new RangeError(`Invariant: a block of ${capacity} rows cannot hold the next message`);
    }
    return block.count;
  }

  close(): void {
    for (const { feed } of this.#sources) feed.close();
  }

  /** Where this source's messages stop being the next ones, at most `limit`, never inside of a message. */
  #runEnd(source: FeedCursor, limit: number): number {
    const { tx, flags, count } = source.block;
    const rival = this.#rival();
    const rivalTime = rival === undefined ? Number.POSITIVE_INFINITY : rival.block.tx[rival.row]!;
    const winsTies = rival === undefined || source.order < rival.order;
    const most = Math.min(count, limit);
    let end = source.row;
    for (let row = source.row; row < most; row += 1) {
      if (row === end && (tx[row]! > rivalTime || (tx[row]! === rivalTime && !winsTies))) break;
      if ((flags[row]! & FLAG.last) !== 0) end = row + 1;
    }
    return end;
  }

  #take(source: FeedCursor, end: number, block: Block): void {
    const at = block.count;
    copyRows(source.block, source.row, end, block, at);
    block.count = at + end - source.row;
    if (source.firstMarket > 0) {
      for (let row = at; row < block.count; row += 1) block.market[row] = block.market[row]! + source.firstMarket;
    }
    source.row = end;
    if (end === source.block.count) {
      source.row = 0;
      if (source.feed.fill(source.block) === 0) {
        const last = this.#heap.pop();
        if (last === undefined || last === source) return;
        this.#heap[0] = last;
      }
    }
    this.#sink();
  }

  /** Who comes next after the top of the heap. */
  #rival(): FeedCursor | undefined {
    const left = this.#heap[1];
    const right = this.#heap[2];
    return left === undefined || right === undefined || before(left, right) ? left : right;
  }

  #push(source: FeedCursor): void {
    const heap = this.#heap;
    let hole = heap.length;
    heap.push(source);
    for (let up = (hole - 1) >> 1; hole > 0 && before(source, heap[up]!); up = (hole - 1) >> 1) {
      heap[hole] = heap[up]!;
      hole = up;
    }
    heap[hole] = source;
  }

  #sink(): void {
    const heap = this.#heap;
    const source = heap[0]!;
    let hole = 0;
    for (let child = 1; child < heap.length; child = 2 * hole + 1) {
      const right = heap[child + 1];
      if (right !== undefined && before(right, heap[child]!)) child += 1;
      if (!before(heap[child]!, source)) break;
      heap[hole] = heap[child]!;
      hole = child;
    }
    heap[hole] = source;
  }
}

function before(a: FeedCursor, b: FeedCursor): boolean {
  const time = a.block.tx[a.row]! - b.block.tx[b.row]!;
  return time !== 0 ? time < 0 : a.order < b.order;
}
