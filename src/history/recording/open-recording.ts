/**
 * Opens the rows of a complete, unfinished or interrupted recording, without changing its files. Its parts are
 * `….tape`, `….2.tape`, `….3.tape` and so on. Each later part begins with full books.
 */
import { existsSync, openSync, readFileSync } from 'node:fs';
import { FileFault } from '../../domain/index.ts';
import { BLOCK_ROWS, type Block, copyRows, type Feed, FLAG, makeBlock } from '../../tape/index.ts';
import { BlockReader } from '../block-reader.ts';
import { FileFeed } from '../file-feed.ts';
import { TapeFile } from '../tape-file.ts';
import type { TapeHead } from '../tape-writer.ts';
import { listPath, parseList } from './block-list.ts';
import { isInterrupted } from './repair-recording.ts';

export interface RecordedRows extends Pick<TapeHead, 'markets'> {
  /** The caller closes the feed. */
  readonly feed: Feed;
  readonly rows: number;
  /** First and last exchange time, epoch ms; undefined without rows. */
  readonly span: readonly [number, number] | undefined;
  /** sha256 over the columns; undefined for an unfinished or interrupted recording, and for several parts. */
  readonly contentHash: string | undefined;
}

/**
 * Opens the tape of a recording. A recording without rows has no tape. An incomplete recording yields its whole blocks.
 * @param path path of the tape, `….tape`
 * @throws FileFault when the recording cannot be read
 */
export function openRecordedRows(path: string): RecordedRows {
  const parts = findParts(path);
  if (parts.length < 2) return openPart(path);
  const opened = parts.map(openPart);
  const feed = chainFeeds(opened.map((part) => () => part.feed));
  const spans = opened.flatMap(({ span }) => (span === undefined ? [] : [span]));
  return {
    feed: {
      fill: (block) => feed.fill(block),
      close() {
        feed.close();
        for (const part of opened) part.feed.close();
      },
    },
    // The last part names all markets, because a recording never removes a market.
    markets: opened.at(-1)?.markets ?? [],
    rows: opened.reduce((sum, { rows }) => sum + rows, 0),
    span: [spans[0]?.[0] ?? 0, spans.at(-1)?.[1] ?? 0],
    contentHash: undefined,
  };
}

function openPart(path: string): RecordedRows {
  if (isInterrupted(path)) return openInterruptedPart(path);
  if (!existsSync(path)) {
    const feed = { fill: () => 0, close: () => {} };
    return { feed, markets: [], rows: 0, span: undefined, contentHash: undefined };
  }
  const tape = TapeFile.open(path);
  const { markets, rows, from, to, contentHash } = tape.manifest;
  return { feed: tape.feed(), markets, rows, span: [from, to], contentHash };
}

function openInterruptedPart(path: string): RecordedRows {
  const list = parseList(readFileSync(listPath(path), 'utf8'));
  if (list === undefined) {
    const remedy = 'Wait until the recording has written its first block, or name another recording';
    throw new FileFault(listPath(path), 'line 1', 'this is not a list of the blocks of a tape', remedy);
  }
  const partial = `${path}.partial`;
  const { markets } = list.head;
  // Opened now, because the recorder renames the file at its end.
  const fd = openSync(partial, 'r');
  const reader = new BlockReader(partial, fd, list.blocks, markets.length);
  const block = makeBlock(BLOCK_ROWS);
  let readable = list.blocks.length;
  // A block is listed before it is written, and the bytes of several blocks may not have reached the disk.
  while (readable > 0 && !reader.tryRead(readable - 1, block)) readable -= 1;
  const blocks = list.blocks.slice(0, readable);
  const [first, last] = [blocks[0], blocks.at(-1)];
  return {
    feed: new FileFeed(partial, fd, blocks, markets.length, {}),
    markets,
    rows: blocks.reduce((sum, { rows }) => sum + rows, 0),
    span: first === undefined || last === undefined ? undefined : [first.firstTx, last.lastTx],
    contentHash: undefined,
  };
}

/** Returns the path of a part. `path` is the first part's path, and `part` counts from 1. */
export function partPath(path: string, part: number): string {
  return part === 1 ? path : path.replace(/\.tape$/, `.${part}.tape`);
}

/** Returns the paths of the complete and interrupted parts; none if the first part is missing. */
export function findParts(path: string): readonly string[] {
  const parts: string[] = [];
  for (let part = 1; ; part += 1) {
    const next = partPath(path, part);
    if (!existsSync(next) && !isInterrupted(next)) return parts;
    parts.push(next);
  }
}

/** Joins feeds, and drops the opening books of all but the first. Opens each feed at the end of the previous feed. */
export function chainFeeds(feeds: readonly (() => Feed)[]): Feed {
  let index = 0;
  let feed: Feed | undefined;
  return {
    fill(block) {
      for (;;) {
        feed ??= feeds[index]?.();
        if (feed === undefined) return 0;
        while (feed.fill(block) > 0) {
          if (index > 0) dropOpening(block);
          if (block.count > 0) return block.count;
        }
        feed.close();
        feed = undefined;
        index += 1;
      }
    },
    close() {
      feed?.close();
      index = feeds.length;
      feed = undefined;
    },
  };
}

/** Removes the opening rows of a block, which are its first messages. */
function dropOpening(block: Block): void {
  const { flags, count } = block;
  let first = 0;
  while (first < count && ((flags[first] ?? 0) & FLAG.opening) !== 0) first += 1;
  if (first === 0) return;
  copyRows(block, first, count, block, 0);
  block.count = count - first;
}
