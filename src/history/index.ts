export type { FeedRange } from './file-feed.ts';
export { TapeFile } from './tape-file.ts';
export { type TapeHead, TapeWriter } from './tape-writer.ts';
