import { closeSync } from 'node:fs';
import { BLOCK_ROWS, type Block, copyRows, type Feed, FLAG, makeBlock } from '../tape/index.ts';
import { BlockReader } from './block-reader.ts';
import type { ReadAheadDecoder } from './decode-ahead.ts';
import type { ReadAheadRing } from './read-ahead-ring.ts';
import type { BlockEntry } from './tape-format.ts';

export interface FeedOptions {
  /** First exchange time, epoch ms. Default: all rows. */
  readonly from?: number;
  /** Exchange time after the last row, epoch ms. Default: all rows. */
  readonly to?: number;
  /**
   * Decodes the tapes of a run on another thread, at most 4 blocks ahead. Start it after making all feeds. The thread
   * takes 50 to 70 MB. Rows and faults are the same. Default: no thread.
   */
  readonly decoder?: ReadAheadDecoder | undefined;
}

interface OpenTape {
  readonly fd: number;
  readonly reader: BlockReader;
}

/** Reads the rows of a tape file. A stored block that fits is decoded into the caller's block. HOT: bench/replay.ts. */
export class FileFeed implements Feed {
  readonly #blocks: readonly BlockEntry[];
  readonly #from: number;
  readonly #to: number;
  #nextBlock: number;
  #isClosed = false;
  readonly #openTape: () => OpenTape;
  #tape: OpenTape | undefined;
  readonly #ring: ReadAheadRing | undefined;
  /** Decoded rows that did not fit into the caller's block: `#row..count-1`. */
  #rest: Block | undefined;
  #row = 0;

  /**
   * @param file descriptor of the open file, which `close` closes, or a function that opens the file for its first
   * block, so that a run can have more tapes than files that may be open
   */
  constructor(
    path: string,
    file: number | (() => number),
    blocks: readonly BlockEntry[],
    markets: number,
    options: FeedOptions,
  ) {
    this.#openTape = () => {
      const fd = typeof file === 'number' ? file : file();
      return { fd, reader: new BlockReader(path, fd, blocks, markets) };
    };
    if (typeof file === 'number') this.#tape = this.#openTape();
    this.#blocks = blocks;
    this.#from = options.from ?? Number.NEGATIVE_INFINITY;
    this.#to = options.to ?? Number.POSITIVE_INFINITY;
    this.#nextBlock = findFirstBlock(blocks, ({ lastTx }) => lastTx >= this.#from);
    const end = findFirstBlock(blocks, ({ firstTx }) => firstTx >= this.#to);
    this.#ring = options.decoder?.add({ path, blocks, markets }, this.#nextBlock, end);
  }

  fill(block: Block): number {
    block.count = 0;
    while (block.count === 0) {
      if (this.#rest !== undefined && this.#row < this.#rest.count) return this.#fillFromRest(this.#rest, block);
      const entry = this.#blocks[this.#nextBlock];
      if (entry === undefined || entry.firstTx >= this.#to) return 0;
      if (entry.rows <= block.tx.length) this.#read(entry, block);
      else {
        this.#rest ??= makeBlock(BLOCK_ROWS);
        this.#read(entry, this.#rest);
        this.#row = 0;
      }
    }
    return block.count;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ring?.close();
    if (this.#tape !== undefined) closeSync(this.#tape.fd);
  }

  #read(entry: BlockEntry, into: Block): void {
    const index = this.#nextBlock;
    if (this.#ring?.read(index, entry.rows, into) !== true) {
      this.#tape ??= this.#openTape();
      this.#tape.reader.read(index, into);
    }
    this.#nextBlock += 1;
    if (entry.firstTx < this.#from || entry.lastTx >= this.#to) this.#trim(into);
  }

  /** Removes the rows outside the range. Rows of one message share their time, so messages stay whole. */
  #trim(block: Block): void {
    let first = 0;
    while (first < block.count && block.tx[first]! < this.#from) first += 1;
    let end = block.count;
    while (end > first && block.tx[end - 1]! >= this.#to) end -= 1;
    copyRows(block, first, end, block, 0);
    block.count = end - first;
  }

  #fillFromRest(rest: Block, block: Block): number {
    let end = Math.min(rest.count, this.#row + block.tx.length);
    while (end > this.#row && (rest.flags[end - 1]! & FLAG.last) === 0) end -= 1;
    if (end === this.#row)
      throw new RangeError(`Invariant: a block of ${block.tx.length} rows cannot hold the next message`);
    copyRows(rest, this.#row, end, block, 0);
    block.count = end - this.#row;
    this.#row = end;
    return block.count;
  }
}

/** Returns the index of the first block that passes, or the number of blocks. All later blocks must pass too. */
function findFirstBlock(blocks: readonly BlockEntry[], passes: (block: BlockEntry) => boolean): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(blocks[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
