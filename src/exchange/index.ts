export { CheckedBook } from './matching/checked-book.ts';
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
  SELF_TRADE,
  selfTradeOf,
} from './matching/codes.ts';
export type { MatchSink } from './matching/match-sink.ts';
export { MatchingBook, type MatchingBookOptions } from './matching/matching-book.ts';
export { OrderSlots } from './matching/order-slots.ts';
export { type Hash, StateHash } from './state-hash.ts';
