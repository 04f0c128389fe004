/** The parts of a recorded tape: `….tape`, `….2.tape`, `….3.tape` and so on. Each later part begins with full books. */
import { existsSync } from 'node:fs';
import { type Block, copyRows, type Feed, FLAG } from '../../tape/index.ts';
import { isInterrupted } from './repair-recording.ts';

/** @param path of the first part @param part from 1 */
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

/**
 * Joins the feeds of all parts into one, without the opening books of later parts.
 * @param feeds in order; each is opened at the end of the previous one
 */
export function chainFeeds(feeds: readonly (() => Feed)[]): Feed {
  let next = 0;
  let feed: Feed | undefined;
  return {
    fill(block) {
      for (;;) {
        feed ??= feeds[next]?.();
        if (feed === undefined) return 0;
        while (feed.fill(block) > 0) {
          if (next > 0) dropOpening(block);
          if (block.count > 0) return block.count;
        }
        feed.close();
        feed = undefined;
        next += 1;
      }
    },
    close() {
      feed?.close();
      next = feeds.length;
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
