import type { Block } from './block.ts';

/** A stream of rows in order of exchange time. The caller owns the blocks, so it can hold back what it still needs. */
export interface Feed {
  /** Overwrites `block` with the next rows, whole messages only, and answers how many; 0 at the end. */
  fill(block: Block): number;
  close(): void;
}
