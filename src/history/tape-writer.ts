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
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { constants, crc32, zstdCompressSync } from 'node:zlib';
import { epochMs, FileFault } from '../domain/index.ts';
import { makeFolder } from '../runtime/index.ts';
import { type Block, BlockWriter, ContentHash, encodeBlock, KIND, type TapeManifest } from '../tape/index.ts';
import { assertReplaceable, writeFault } from './files.ts';
import { type BlockEntry, formatFooter, formatTrailer, HEADER, maxFooterBytes } from './tape-format.ts';
import { parseManifest, toManifestJson } from './tape-manifest.ts';

/** The fields of the manifest that the caller provides. */
export type TapeHead = Omit<TapeManifest, 'format' | 'rows' | 'from' | 'to' | 'contentHash' | 'orderIds'>;

export interface TapeWriterOptions {
  /** Called before each block is written, so that the caller can list the blocks of an incomplete file. */
  readonly onBlock?: (entry: BlockEntry) => void;
  /** Permissions of the file before the umask. Default: 0o666. */
  readonly mode?: number;
}

export interface FinishOptions {
  /** Whether to wait until the file is on the disk. Default: true. */
  readonly shouldSync?: boolean;
  /** Called before the rename. If it throws, an existing file stays unchanged. */
  readonly check?: (manifest: TapeManifest) => void;
}

/** Returns the head of an existing tape, for a new tape with all or some of its rows. */
export function getHead({ name, source, units, receiveTime, content, markets }: TapeManifest): TapeHead {
  return { name, source, units, receiveTime, content, markets };
}

/**
 * Writes a tape file as `<path>.partial` and renames it when it is complete and on the disk. A killed process leaves no
 * `.tape`. If two processes write the same tape, the later writer wins. Call `finish`, `abandon` or `closePartial`.
 */
export class TapeWriter {
  /** The caller appends the messages here. */
  readonly messages: BlockWriter = new BlockWriter((block) => this.#write(block));
  readonly path: string;
  readonly #partial: string;
  readonly #fd: number;
  readonly #inode: bigint;
  readonly #blocks: BlockEntry[] = [];
  readonly #hash = new ContentHash(() => createHash('sha256'));
  #isEnded = false;
  #bytes = 0;
  #rows = 0;
  #marketCount = 0;
  #hasOrderIds = false;
  readonly #onBlock: ((entry: BlockEntry) => void) | undefined;

  /** Creates the folder if it is missing. @throws FileFault when the file cannot be created */
  constructor(path: string, { onBlock, mode = 0o666 }: TapeWriterOptions = {}) {
    this.path = path;
    this.#onBlock = onBlock;
    this.#partial = `${path}.partial`;
    assertReplaceable(path);
    this.#fd = this.#withWriteFault('made', () => {
      makeFolder(dirname(path));
      // Creates a new file, because another writer may have a file of this name open.
      rmSync(this.#partial, { force: true });
      removeLeftovers(this.#partial);
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
   * Completes the file and renames it to `path`, which replaces an existing file.
   * @throws InputFault that names the invalid field of the head
   * @throws FileFault when the tape has no rows or cannot be written
   */
  finish(head: TapeHead, { shouldSync = true, check }: FinishOptions = {}): TapeManifest {
    checkHead(head);
    this.messages.finish();
    const [first, last] = [this.#blocks[0], this.#blocks.at(-1)];
    if (first === undefined || last === undefined) {
      this.abandon();
      throw new FileFault(this.path, undefined, 'the tape would have no rows', 'Use a source that holds market data');
    }
    if (this.#marketCount > head.markets.length)
      throw new RangeError(`Invariant: rows of ${this.#marketCount} markets on a tape of ${head.markets.length}`);
    const manifest = parseAsReader({
      ...head,
      ...(this.#hasOrderIds && { orderIds: true as const }),
      rows: this.#rows,
      from: epochMs(first.firstTx),
      to: epochMs(last.lastTx),
      contentHash: this.#hash.digest(),
    });
    check?.(manifest);
    const footer = formatFooter({ manifest, blocks: this.#blocks });
    if (footer.length > maxFooterBytes(this.#bytes)) {
      const problem = `the footer would have ${footer.length} bytes`;
      throw new FileFault(this.path, undefined, problem, 'Split the data into several tapes');
    }
    const trailer = formatTrailer(this.#bytes, footer);
    this.#append(footer);
    this.#append(trailer);
    this.#withWriteFault('completed', () => {
      if (shouldSync) fsyncSync(this.#fd);
      if (!this.#owns(this.#partial)) throw new Error('another run has begun to write the same tape');
      // Check again under a unique name, because another run may have replaced the file after the first check.
      const unique = `${this.#partial}.${this.#inode}`;
      renameSync(this.#partial, unique);
      if (!this.#owns(unique)) {
        renameSync(unique, this.#partial);
        throw new Error('another run has begun to write the same tape');
      }
      renameSync(unique, this.path);
      this.#isEnded = true;
      closeSync(this.#fd);
    });
    return manifest;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether no block is written. `messages` may still buffer rows. */
  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Deletes the partial file. Does nothing after `finish`. */
  abandon(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const isOwned = this.#owns(this.#partial);
    closeSync(this.#fd);
    if (isOwned) rmSync(this.#partial, { force: true });
  }

  /** Closes the file and keeps it as `<path>.partial`. Does nothing if the writer has ended. */
  closePartial(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    closeSync(this.#fd);
  }

  /** Returns whether `name` still names the file that this writer created. */
  #owns(name: string): boolean {
    return statSync(name, { bigint: true, throwIfNoEntry: false })?.ino === this.#inode;
  }

  #write(block: Block): void {
    const raw = encodeBlock(block);
    const frame = zstdCompressSync(raw, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const entry = {
      offset: this.#bytes,
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
    this.#marketCount = block.market
      .subarray(0, block.count)
      .reduce((max, market) => Math.max(max, market + 1), this.#marketCount);
    this.#onBlock?.(entry);
    this.#append(frame);
  }

  #append(bytes: Uint8Array): void {
    this.#withWriteFault('written', () => writeFileSync(this.#fd, bytes));
    this.#bytes += bytes.length;
  }

  #withWriteFault<T>(participle: string, act: () => T): T {
    try {
      return act();
    } catch (cause) {
      throw writeFault(this.path, cause, participle);
    }
  }
}

/** @throws InputFault that names an invalid field of the head */
export function checkHead(head: TapeHead): void {
  parseAsReader({ ...head, rows: 0, from: epochMs(0), to: epochMs(0), contentHash: '0'.repeat(64) });
}

function parseAsReader(manifest: Omit<TapeManifest, 'format'>): TapeManifest {
  return parseManifest(toManifestJson({ format: 1, ...manifest }));
}

/** Removes files `<partial>.<inode>` of runs that were killed between the two renames of `finish`. */
function removeLeftovers(partial: string): void {
  const folder = dirname(partial);
  const prefix = `${basename(partial)}.`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))) rmSync(join(folder, name), { force: true });
  }
}
