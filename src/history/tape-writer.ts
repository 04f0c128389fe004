import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { constants, crc32, zstdCompressSync } from 'node:zlib';
import { epochMs, FileFault } from '../domain/index.ts';
import { makeFolder } from '../runtime/index.ts';
import { type Block, BlockWriter, ContentHash, encodeBlock, KIND, type TapeManifest } from '../tape/index.ts';
import { type BlockEntry, HEADER, mostFooterBytes, writeFooter, writeTrailer } from './tape-format.ts';
import { manifestJson, parseManifest } from './tape-manifest.ts';
import { writeFault } from './write-fault.ts';

/** What the writer cannot know by itself. */
export type TapeHead = Omit<TapeManifest, 'format' | 'rows' | 'from' | 'to' | 'contentHash' | 'orderIds'>;

/**
 * Writes a tape file. It grows under the name `<path>.partial` and bears its own name only when it is complete and on
 * the disk: a run that dies leaves no `.tape`, and of two that write the same one the later wins. Always end with
 * `finish`, `abandon` or `leave`.
 */
export class TapeWriter {
  /** Messages go in here. */
  readonly messages: BlockWriter = new BlockWriter((block) => this.#write(block));
  readonly path: string;
  readonly #partial: string;
  readonly #fd: number;
  readonly #inode: bigint;
  readonly #blocks: BlockEntry[] = [];
  readonly #hash = new ContentHash(() => createHash('sha256'));
  #ended = false;
  #offset = 0;
  #rows = 0;
  #markets = 0;
  #hasOrderIds = false;
  readonly #onBlock: ((entry: BlockEntry) => void) | undefined;

  /**
   * Makes the folder if it is not there.
   * @param onBlock is called for each written block, so that it can be found in a file without a footer
   * @param mode rights of the file, less the process's umask
   * @throws FileFault when the file cannot be made
   */
  constructor(path: string, onBlock?: (entry: BlockEntry) => void, mode = 0o666) {
    this.path = path;
    this.#onBlock = onBlock;
    this.#partial = `${path}.partial`;
    this.#fd = this.#on('made', () => {
      makeFolder(dirname(path));
      // Create a new file, do not overwrite: another writer may still have the file of this name open.
      rmSync(this.#partial, { force: true });
      removeKilled(this.#partial);
      return openSync(this.#partial, 'wx', mode);
    });
    this.#inode = fstatSync(this.#fd, { bigint: true }).ino;
    try {
      this.#append(HEADER);
    } catch (cause) {
      this.abandon();
      throw cause;
    }
  }

  /**
   * Completes the file and gives it its name; a file of that name is replaced.
   * @param isSynced whether to wait until it is on the disk
   * @throws InputFault that names the field of the head that no reader takes
   * @throws FileFault when nothing was written to it, or the disk refuses
   */
  finish(head: TapeHead, isSynced = true): TapeManifest {
    checkHead(head);
    this.messages.finish();
    const [first, last] = [this.#blocks[0], this.#blocks.at(-1)];
    if (first === undefined || last === undefined) {
      this.abandon();
      throw new FileFault(
        this.path,
        undefined,
        'a tape without a single row',
        'Give it a source that holds market data',
      );
    }
    if (this.#markets > head.markets.length) {
      throw new RangeError(`Invariant: rows of ${this.#markets} markets on a tape of ${head.markets.length}`);
    }
    const manifest = readerSees({
      ...head,
      ...(this.#hasOrderIds ? { orderIds: true as const } : {}),
      rows: this.#rows,
      from: epochMs(first.firstTx),
      to: epochMs(last.lastTx),
      contentHash: this.#hash.digest(),
    });
    const footer = writeFooter({ manifest, blocks: this.#blocks });
    if (footer.length > mostFooterBytes(this.#offset)) {
      throw new FileFault(this.path, undefined, `a footer of ${footer.length} bytes`, 'Make several tapes of it');
    }
    const trailer = writeTrailer(this.#offset, footer);
    this.#append(footer);
    this.#append(trailer);
    this.#on('completed', () => {
      if (isSynced) fsyncSync(this.#fd);
      if (!this.#owns(this.#partial)) throw new Error('another run has begun to write the same tape');
      // Under a name of its own it is looked at once more: between look and rename the other run may have come.
      const own = `${this.#partial}.${this.#inode}`;
      renameSync(this.#partial, own);
      if (!this.#owns(own)) {
        renameSync(own, this.#partial);
        throw new Error('another run has begun to write the same tape');
      }
      renameSync(own, this.path);
      this.#ended = true;
      closeSync(this.#fd);
    });
    return manifest;
  }

  /** Bytes in the file so far. */
  get bytes(): number {
    return this.#offset;
  }

  /** Whether no block has been written. Rows of `messages` count when they are handed on. */
  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Gives up and leaves nothing behind; after `finish` it does nothing. */
  abandon(): void {
    if (this.#ended) return;
    this.#ended = true;
    const owned = this.#owns(this.#partial);
    closeSync(this.#fd);
    if (owned) rmSync(this.#partial, { force: true });
  }

  /** Writes no more and leaves what there is under the name of an incomplete one; after an end it does nothing. */
  leave(): void {
    if (this.#ended) return;
    this.#ended = true;
    closeSync(this.#fd);
  }

  /** Whether the file of this name is the one that is written here. */
  #owns(name: string): boolean {
    return statSync(name, { bigint: true, throwIfNoEntry: false })?.ino === this.#inode;
  }

  #write(block: Block): void {
    const raw = encodeBlock(block);
    const frame = zstdCompressSync(raw, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const entry = {
      offset: this.#offset,
      bytes: frame.length,
      rawBytes: raw.length,
      rows: block.count,
      firstTx: block.tx[0] ?? 0,
      lastTx: block.tx[block.count - 1] ?? 0,
      crc: crc32(frame),
    };
    this.#blocks.push(entry);
    this.#hash.add(block);
    this.#rows += block.count;
    this.#hasOrderIds ||= block.kind.subarray(0, block.count).includes(KIND.ahead);
    this.#markets = block.market
      .subarray(0, block.count)
      .reduce((most, market) => Math.max(most, market + 1), this.#markets);
    this.#append(frame);
    this.#onBlock?.(entry);
  }

  #append(bytes: Uint8Array): void {
    this.#on('written', () => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done);
    });
    this.#offset += bytes.length;
  }

  #on<T>(what: string, act: () => T): T {
    try {
      return act();
    } catch (cause) {
      throw writeFault(this.path, cause, what);
    }
  }
}

/** Refuses a head that no reader would take. @throws InputFault that names the field */
export function checkHead(head: TapeHead): void {
  readerSees({ ...head, rows: 0, from: epochMs(0), to: epochMs(0), contentHash: '0'.repeat(64) });
}

function readerSees(manifest: Omit<TapeManifest, 'format'>): TapeManifest {
  return parseManifest(manifestJson({ format: 1, ...manifest }));
}

/**
 * What a run that was killed between the two renames of `finish` has left: the partial file under a number of its own.
 */
function removeKilled(partial: string): void {
  const folder = dirname(partial);
  const start = `${basename(partial)}.`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(start) && /^\d+$/.test(name.slice(start.length))) rmSync(join(folder, name), { force: true });
  }
}
