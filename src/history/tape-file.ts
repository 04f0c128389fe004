import { closeSync, fstatSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { errorMessage, FileFault, pathProblem } from '../domain/index.ts';
import type { Feed, TapeManifest } from '../tape/index.ts';
import { type FeedOptions, FileFeed } from './file-feed.ts';
import { readBytes } from './files.ts';
import {
  type BlockEntry,
  type Footer,
  HEADER,
  hasMoreValues,
  maxFooterBytes,
  maxFooterValues,
  parseFooter,
  parseTrailer,
  TRAILER_BYTES,
} from './tape-format.ts';

const WRONG_CHECKSUM = 'the checksum is wrong: the file is damaged';
const MAKE_AGAIN = 'Import, generate or copy the tape again';
const CHECK_DISK = 'Check the disk and the limit of open files (`ulimit -n`), then try again';

interface OpenOptions {
  /** Whether to check the stored bytes of all blocks, which is faster than reading their rows. Default: false. */
  readonly checksBlocks?: boolean;
}

/** A complete tape file. `open` checks its header, trailer and footer; blocks are checked when they are read. */
export class TapeFile {
  readonly path: string;
  readonly manifest: TapeManifest;
  /** Size of the file in bytes. */
  readonly bytes: number;
  readonly #blocks: readonly BlockEntry[];

  private constructor(path: string, footer: Footer, bytes: number) {
    this.path = path;
    this.manifest = footer.manifest;
    this.bytes = bytes;
    this.#blocks = footer.blocks;
  }

  /** @throws FileFault when the file is missing, cut short, damaged, or not a tape */
  static open(path: string, { checksBlocks = false }: OpenOptions = {}): TapeFile {
    const fd = openTape(path);
    try {
      const bytes = fstatSync(fd).size;
      const footer = readFooter(path, fd, bytes);
      if (checksBlocks) checkBlocks(path, fd, footer.blocks);
      return new TapeFile(path, footer, bytes);
    } catch (cause) {
      throw cause instanceof FileFault ? cause : makeReadFault(path, cause);
    } finally {
      closeSync(fd);
    }
  }

  /** Returns a feed, which the caller closes. `from` also skips earlier rows that built the book. @throws FileFault */
  feed(options: FeedOptions = {}): Feed {
    return new FileFeed(this.path, () => openTape(this.path), this.#blocks, this.manifest.markets.length, options);
  }
}

function openTape(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw makeReadFault(path, cause);
  }
}

function makeReadFault(path: string, cause: unknown): FileFault {
  const problem = pathProblem(cause);
  const remedy = 'Check the path, or make the tape with `npx halfspread import` or `npx halfspread tape generate`';
  return problem === undefined
    ? new FileFault(path, undefined, `cannot be read (${String(cause)})`, CHECK_DISK, { cause })
    : new FileFault(path, undefined, problem, remedy, { cause });
}

function readFooter(path: string, fd: number, bytes: number): Footer {
  const fault = (where: string, problem: string, cause?: unknown): FileFault =>
    new FileFault(path, where, problem, MAKE_AGAIN, { cause });
  if (bytes < HEADER.length || !readBytes(fd, 0, HEADER.length).equals(HEADER))
    throw fault('byte 0', 'this is not a tape file, or its beginning is damaged');
  const end = bytes - TRAILER_BYTES;
  const trailer = end < HEADER.length ? undefined : parseTrailer(readBytes(fd, end, TRAILER_BYTES));
  if (trailer === undefined) throw fault(`byte ${Math.max(end, 0)}`, 'the file is cut short or its end is damaged');
  if (trailer.offset + trailer.bytes !== end) throw fault(`byte ${end}`, 'the footer is not where the trailer states');
  if (trailer.bytes > maxFooterBytes(trailer.offset))
    throw fault(`byte ${end}`, `a footer of ${trailer.bytes} bytes is too large`);
  const raw = readBytes(fd, trailer.offset, trailer.bytes);
  const where = `footer at byte ${trailer.offset}`;
  if (crc32(raw) !== trailer.crc) throw fault(where, WRONG_CHECKSUM);
  const max = maxFooterValues(trailer.offset);
  if (hasMoreValues(raw, max)) throw fault(where, `the footer has more than ${max} texts, lists and objects`);
  let footer: Footer;
  try {
    footer = parseFooter(raw);
  } catch (cause) {
    throw fault(where, `the footer is invalid or of another version (${errorMessage(cause)})`, cause);
  }
  const problem = findBlockListProblem(footer, trailer.offset);
  if (problem !== undefined) throw fault(where, problem);
  return footer;
}

/** @throws FileFault for the first block whose bytes were changed */
function checkBlocks(path: string, fd: number, blocks: readonly BlockEntry[]): void {
  for (const { offset, bytes, crc } of blocks) {
    if (crc32(readBytes(fd, offset, bytes)) === crc) continue;
    throw new FileFault(path, `block at byte ${offset}`, WRONG_CHECKSUM, MAKE_AGAIN);
  }
}

/** Returns undefined if the blocks fill the file in order of time, with the manifest's number of rows. */
function findBlockListProblem(footer: Footer, footerOffset: number): string | undefined {
  let at = HEADER.length;
  let rows = 0;
  let time = Number.NEGATIVE_INFINITY;
  for (const block of footer.blocks) {
    if (block.offset !== at) return `the footer states byte ${block.offset} for the block at byte ${at}`;
    if (block.firstTx < time || block.lastTx < block.firstTx) return `the block at byte ${at} is out of order`;
    at += block.bytes;
    rows += block.rows;
    time = block.lastTx;
  }
  if (at !== footerOffset) return `the blocks end at byte ${at}, not at the footer`;
  const { manifest } = footer;
  if (rows !== manifest.rows) return `${rows} rows in blocks, ${manifest.rows} in the manifest`;
  const [first] = footer.blocks;
  if (first === undefined) return 'there is no block';
  return first.firstTx === manifest.from && time === manifest.to
    ? undefined
    : `the blocks are from ${first.firstTx} to ${time}, the manifest states ${manifest.from} to ${manifest.to}`;
}
