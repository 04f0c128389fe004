export {
  type Block,
  CANCELLED_PAYOUT,
  FLAG,
  KIND,
  makeBlock,
  SIDE,
  STATUS_CODES,
  type StatusCode,
} from './block.ts';
export { decodeBlock, encodeBlock } from './block-codec.ts';
export { BLOCK_ROWS, BlockWriter, rowProblem } from './block-writer.ts';
export { ContentHash, type Hasher } from './content-hash.ts';
export { copyRows } from './copy-rows.ts';
export { Cursor } from './cursor.ts';
export type { Feed } from './feed.ts';
export type { TapeManifest, TapeMarket, TapeSource } from './manifest.ts';
export { type FeedSource, mergeFeeds } from './merge-feeds.ts';
