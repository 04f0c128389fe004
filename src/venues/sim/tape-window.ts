/**
 * The stretch of tape between two readers of the same rows: the venue, by exchange time, and behind it the bot, by
 * receive time.
 *
 * HOT: both cursors pass every row. Blocks are filled once, handed on and reused; nothing is copied. As many are kept
 * as lie between the readers, usually one. Measured in bench/replay.ts. Invariant: the venue is never behind the bot.
 */
import { type Block, type Feed, FLAG, makeBlock } from '../../tape/index.ts';

/** Two cursors on one feed. */
export class TapeWindow {
  venueBlock: Block;
  venueRow = 0;
  /** Exchange time of its next message; Infinity at the end of the tape. */
  venueTime = Number.POSITIVE_INFINITY;
  botBlock: Block;
  botRow = 0;
  /** Receive time of its next message; Infinity while it has read all that the venue has. */
  botTime = Number.POSITIVE_INFINITY;
  /** Rows that the venue, and the bot, have read so far. */
  venueRows = 0;
  botRows = 0;
  #over = false;
  readonly #feed: Feed;
  readonly #capacity: number;
  /** Blocks after the bot's, up to the venue's. */
  readonly #ahead: Block[] = [];
  readonly #free: Block[] = [];

  constructor(feed: Feed, blockRows: number) {
    this.#feed = feed;
    this.#capacity = blockRows;
    this.venueBlock = makeBlock(blockRows);
    this.botBlock = this.venueBlock;
    this.#lookAhead();
  }

  /** The venue has read up to row `to` of its block; the receive time of what it read is in the rows. */
  venueRead(to: number): void {
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

  /** The bot has read up to row `to` of its block. At its end, the block may be refilled. */
  botRead(to: number): void {
    this.botRows += to - this.botRow;
    this.botRow = to;
    if (to === this.botBlock.count) this.#releaseBotBlock();
    this.botTime = this.botRows < this.venueRows ? this.botBlock.rx[this.botRow]! : Number.POSITIVE_INFINITY;
  }

  #lookAhead(): void {
    const more = this.venueRow < this.venueBlock.count || this.#fill();
    this.venueTime = more ? this.venueBlock.tx[this.venueRow]! : Number.POSITIVE_INFINITY;
  }

  #fill(): boolean {
    if (this.#over) return false;
    const next = this.#free.pop() ?? makeBlock(this.#capacity);
    if (this.#feed.fill(next) === 0) {
      this.#over = true;
      return false;
    }
    this.venueBlock = next;
    this.venueRow = 0;
    this.#ahead.push(next);
    if (this.botRow === this.botBlock.count) this.#releaseBotBlock();
    return true;
  }

  /** The bot moves on to the next block, if the venue has been there. */
  #releaseBotBlock(): void {
    const next = this.#ahead.shift();
    if (next === undefined) return;
    this.#free.push(this.botBlock);
    this.botBlock = next;
    this.botRow = 0;
  }
}
