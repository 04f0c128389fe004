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
export { Cursor } from './cursor.ts';
export type { Feed } from './feed.ts';
export type { TapeManifest, TapeMarket, TapeSource } from './manifest.ts';
