export {
  type Block,
  CANCELLED_PAYOUT,
  Cursor,
  copyBlock,
  copyRows,
  type Feed,
  FLAG,
  KIND,
  makeBlock,
  SIDE,
  STATUS_CODES,
} from './block.ts';
export { decodeBlock, encodeBlock, MIN_BLOCK_BYTES, maxBlockBytes } from './block-codec.ts';
export { BlockWriter } from './block-writer.ts';
export { ContentHash } from './content-hash.ts';
export type { TapeManifest, TapeMarket } from './manifest.ts';
export { mergeFeeds } from './merge-feeds.ts';
export { BLOCK_ROWS, LAST_TIME, MAX_PLACE_DELAY_MS, RowOrderChecker, rowProblem, timeProblem } from './row-rules.ts';
