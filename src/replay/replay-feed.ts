import { FileFault, formatTime, unchecked } from '../domain/index.ts';
import { BLOCK_ROWS, type Block, BlockWriter, copyBlock, copyRows, type Feed, KIND, makeBlock } from '../tape/index.ts';
import { BookSnapshots } from './book-snapshots.ts';

/** The replayed part of a tape. If it skips earlier rows, an opening message restores the state of each market. */
export class ReplayFeed implements Feed {
  readonly #source: Feed;
  readonly #from: number;
  #isOpened = false;
  /** Blocks that `fill` returns before it reads the source. */
  readonly #waiting: Block[] = [];
  /** Rows read so far, including rows before the replayed part. Only this class writes the public fields. */
  rowsRead = 0;
  /** Rows returned so far, without the opening messages. */
  rowsReplayed = 0;
  /** Exchange times of the first and last row returned. */
  firstTime: number | undefined;
  lastTime: number | undefined;

  /** @param from exchange time of the first message, epoch ms; undefined for the whole tape */
  constructor(source: Feed, from: number | undefined) {
    this.#source = source;
    this.#from = from ?? Number.NEGATIVE_INFINITY;
  }

  fill(block: Block): number {
    if (!this.#isOpened) this.#open();
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      copyRows(waiting, 0, waiting.count, block, 0);
      block.count = waiting.count;
      return block.count;
    }
    const count = this.#source.fill(block);
    this.rowsRead += count;
    this.#countRows(block, 0, count);
    return count;
  }

  close(): void {
    this.#source.close();
  }

  #open(): void {
    this.#isOpened = true;
    if (this.#from === Number.NEGATIVE_INFINITY) return;
    const snapshots = new BookSnapshots();
    const block = makeBlock(BLOCK_ROWS);
    for (;;) {
      const count = this.#source.fill(block);
      this.rowsRead += count;
      let row = 0;
      for (; row < count && (block.tx[row] ?? 0) < this.#from; row += 1) snapshots.apply(block, row);
      if (row === count && count > 0) continue;
      this.#waiting.push(...buildOpening(snapshots, this.#from));
      if (count === 0) return;
      this.#countRows(block, row, count);
      this.#waiting.push(copyBlock(block, row));
      return;
    }
  }

  #countRows(block: Block, from: number, to: number): void {
    if (to === from) return;
    this.rowsReplayed += to - from;
    this.firstTime ??= block.tx[from];
    this.lastTime = block.tx[to - 1];
  }
}

function buildOpening(snapshots: BookSnapshots, time: number): readonly Block[] {
  const blocks: Block[] = [];
  const writer = new BlockWriter((block) => blocks.push(copyBlock(block)));
  for (const [market, rows] of snapshots.toRowsByMarket()) {
    writer.begin(time, time);
    for (const { kind, side, price, shares } of rows) writer.row(market, kind, side, price, shares);
    writer.end();
  }
  writer.finish();
  return blocks;
}

/** Reads the rows of one tape and throws at a second, different resolution of a market. */
export class ResolutionCheckFeed implements Feed {
  readonly #source: Feed;
  readonly #path: string;
  /** `price` of the resolution row of each market that had one. */
  readonly #payouts = new Map<number, number>();
  /** Rows before the current block. */
  #rows = 0;

  /** @param path path of the tape, for the fault */
  constructor(source: Feed, path: string) {
    this.#source = source;
    this.#path = path;
  }

  fill(block: Block): number {
    const count = this.#source.fill(block);
    // Resolutions are rare, so a search in one column is fast.
    let row = block.kind.indexOf(KIND.resolution);
    for (; row !== -1 && row < count; row = block.kind.indexOf(KIND.resolution, row + 1)) this.#check(block, row);
    this.#rows += count;
    return count;
  }

  close(): void {
    this.#source.close();
  }

  #check(block: Block, row: number): void {
    const [market = 0, payout = 0, tx = 0] = [block.market[row], block.price[row], block.tx[row]];
    const first = this.#payouts.get(market) ?? payout;
    this.#payouts.set(market, first);
    if (first === payout) return;
    throw new FileFault(
      this.#path,
      `row ${this.#rows + row}, ${formatTime(unchecked.time(tx))}`,
      `market ${market} resolves to ${payout} after it resolved to ${first}`,
      'Fix the program that wrote the tape, and make the tape again',
    );
  }
}
