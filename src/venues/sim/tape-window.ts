/**
 * The part of the tape between two readers of the same rows: the venue, by exchange time, and the bot, by receive time.
 *
 * HOT: both cursors pass every row (bench/replay.ts). Blocks are filled once and reused. Nothing is copied. The window
 * keeps the blocks between the readers, usually one block. Invariant: the venue is never behind the bot.
 */
import { type Block, type Feed, FLAG, makeBlock } from '../../tape/index.ts';

export class TapeWindow {
  venueBlock: Block;
  venueRow = 0;
  /** Exchange time of the venue's next message; Infinity at the end of the tape. */
  venueTime = Number.POSITIVE_INFINITY;
  botBlock: Block;
  botRow = 0;
  /** Receive time of the bot's next message; Infinity while the bot has read all rows that the venue has read. */
  botTime = Number.POSITIVE_INFINITY;
  /** Number of rows that each reader has read. */
  venueRows = 0;
  botRows = 0;
  #hasEnded = false;
  readonly #feed: Feed;
  readonly #capacity: number;
  /** Blocks after the bot's block, up to the venue's block. */
  readonly #blocksAhead: Block[] = [];
  readonly #freeBlocks: Block[] = [];

  constructor(feed: Feed, blockRows: number) {
    this.#feed = feed;
    this.#capacity = blockRows;
    this.venueBlock = makeBlock(blockRows);
    this.botBlock = this.venueBlock;
    this.#lookAhead();
  }

  /** Moves the venue to row `to` of its block. The rows before must have their receive times. */
  advanceVenue(to: number): void {
    if (this.botRows === this.venueRows) this.botTime = this.venueBlock.rx[this.venueRow]!;
    this.venueRows += to - this.venueRow;
    this.venueRow = to;
    this.#lookAhead();
  }

  messageEnd(): number {
    const { flags } = this.botBlock;
    let row = this.botRow;
    while ((flags[row]! & FLAG.last) === 0) row += 1;
    return row + 1;
  }

  /** Moves the bot to row `to` of its block. A completely read block may be refilled. */
  advanceBot(to: number): void {
    this.botRows += to - this.botRow;
    this.botRow = to;
    if (to === this.botBlock.count) this.#releaseBotBlock();
    this.botTime = this.botRows < this.venueRows ? this.botBlock.rx[this.botRow]! : Number.POSITIVE_INFINITY;
  }

  #lookAhead(): void {
    const hasMore = this.venueRow < this.venueBlock.count || this.#fill();
    this.venueTime = hasMore ? this.venueBlock.tx[this.venueRow]! : Number.POSITIVE_INFINITY;
  }

  #fill(): boolean {
    if (this.#hasEnded) return false;
    const next = this.#freeBlocks.pop() ?? makeBlock(this.#capacity);
    if (this.#feed.fill(next) === 0) {
      this.#hasEnded = true;
      return false;
    }
    this.venueBlock = next;
    this.venueRow = 0;
    this.#blocksAhead.push(next);
    if (this.botRow === this.botBlock.count) this.#releaseBotBlock();
    return true;
  }

  /** Moves the bot to the next block, if the venue has reached it. */
  #releaseBotBlock(): void {
    const next = this.#blocksAhead.shift();
    if (next === undefined) return;
    this.#freeBlocks.push(this.botBlock);
    this.botBlock = next;
    this.botRow = 0;
  }
}
