import type { Block } from './block.ts';

/** A stream of blocks in order of exchange time. A body may reuse its buffers: a block holds until the next but one call. */
export interface Feed {
  /** The next block, never empty, or undefined at the end. */
  next(): Block | undefined;
  close(): void;
}
