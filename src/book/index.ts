export { bookChecksum, CHECKSUM_LEVELS, crc32, formatChecksum } from './checksum.ts';
export { BOOK_SIDE, Ladder } from './ladder.ts';
export { type BookDelta, BookReplica } from './replica.ts';
export { type BookLevel, type BookSide, type BookView, inNoTerms } from './view.ts';
