export {
  ANSWER,
  CLOSE,
  CLOSE_CODES,
  FORCE,
  forceOf,
  inYesTerms,
  isBidKind,
  MATCH,
  MATCH_TYPES,
  ORDER_KIND,
  ORDER_KINDS,
  orderKind,
  rejectReason,
} from './codes.ts';
export type { MatchSink } from './match-sink.ts';
export { MatchingBook, type MatchingBookOptions } from './matching-book.ts';
export { OrderSlots } from './order-slots.ts';
export { type Hash, StateHash } from './state-hash.ts';
