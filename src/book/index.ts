export { bookChecksum, CHECKSUM_LEVELS, crc32, formatChecksum } from './checksum.ts';
export { BOOK_SIDE, Ladder } from './ladder.ts';
export { seenAsNo } from './no-view.ts';
export { type BookDelta, BookReplica } from './replica.ts';
export type { BookLevel, BookSide, BookView } from './view.ts';
