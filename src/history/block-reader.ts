import { readSync } from 'node:fs';
import { constants, crc32, zstdDecompressSync } from 'node:zlib';
import { errorMessage, FileFault } from '../domain/index.ts';
import { type Block, decodeBlock } from '../tape/index.ts';
import type { BlockEntry } from './tape-format.ts';

/** Limits a frame's window to 2^21 bytes. The default limit is 128 MB. */
const WINDOW_LIMIT = { [constants.ZSTD_d_windowLogMax]: 21 };

/** Compressed bytes of the current block, shared by all readers of a thread, because a run may have many tapes. */
let frameBytes: Buffer = Buffer.alloc(0);

/** Reads and checks the stored blocks of an open tape file. HOT: bench/replay.ts. */
export class BlockReader {
  readonly #path: string;
  readonly #fd: number;
  readonly #blocks: readonly BlockEntry[];
  readonly #markets: number;

  /**
   * @param fd descriptor of the open file; the caller closes it
   * @param blocks entries that `parseEntry` accepted, which limits their size
   * @param markets number of markets that rows may name
   */
  constructor(path: string, fd: number, blocks: readonly BlockEntry[], markets: number) {
    this.#path = path;
    this.#fd = fd;
    this.#blocks = blocks;
    this.#markets = markets;
  }

  /** Overwrites `into` with block `index`. @throws FileFault when the block is damaged or differs from the footer */
  read(index: number, into: Block): void {
    const entry = this.#blocks[index];
    if (entry === undefined) throw new RangeError(`Invariant: block ${index} of ${this.#blocks.length}`);
    if (frameBytes.length < entry.bytes) frameBytes = Buffer.alloc(entry.bytes);
    const frame = frameBytes.subarray(0, entry.bytes);
    const fault = (problem: string, cause?: unknown): FileFault => {
      const where = `block ${index} at byte ${entry.offset}`;
      return new FileFault(this.#path, where, problem, 'Import, generate or copy the tape again', { cause });
    };
    try {
      const read = readSync(this.#fd, frame, 0, entry.bytes, entry.offset);
      if (read !== entry.bytes) throw fault(`the file ends ${entry.bytes - read} bytes early`);
      if (crc32(frame) !== entry.crc) throw fault('the checksum is wrong: the file is damaged');
      // If the chunk had exactly the block's size, zlib would allocate a second chunk.
      const chunkSize = entry.rawBytes + 64;
      const options = { chunkSize, maxOutputLength: entry.rawBytes, params: WINDOW_LIMIT };
      decodeBlock(zstdDecompressSync(frame, options), into, this.#markets);
    } catch (cause) {
      throw cause instanceof FileFault ? cause : fault(`cannot be read (${errorMessage(cause)})`, cause);
    }
    const { tx, count } = into;
    if (count !== entry.rows || tx[0] !== entry.firstTx || tx[count - 1] !== entry.lastTx)
      throw fault('the rows differ from the footer');
  }

  /** Reads a block as `read` does. Returns false for a damaged block. */
  tryRead(index: number, into: Block): boolean {
    try {
      this.read(index, into);
      return true;
    } catch (fault) {
      if (fault instanceof FileFault) return false;
      throw fault;
    }
  }
}
