/** Integer codes for the domain's enumerated values, for typed columns and the hot path. */
import { FULL_BPS, type Outcome, type Side } from '../../domain/index.ts';

/** The four kinds of order. Bit 0 is set for SELL, bit 1 for NO. */
export const ORDER_KIND = { buyYes: 0, sellYes: 1, buyNo: 2, sellNo: 3 } as const;

/** The meaning of each code of `ORDER_KIND`. */
export const ORDER_KINDS: readonly { readonly outcome: Outcome; readonly side: Side }[] = [
  { outcome: 'YES', side: 'BUY' },
  { outcome: 'YES', side: 'SELL' },
  { outcome: 'NO', side: 'BUY' },
  { outcome: 'NO', side: 'SELL' },
];

export function outcomeAndSide(kind: number): (typeof ORDER_KINDS)[number] {
  const values = ORDER_KINDS[kind];
  if (values === undefined) throw new RangeError(`Invariant: no order has the kind ${kind}`);
  return values;
}

/** Returns a code of `ORDER_KIND`. */
export function orderKind(outcome: Outcome, side: Side): number {
  return (outcome === 'NO' ? 2 : 0) + (side === 'SELL' ? 1 : 0);
}

/** Returns whether a kind is a bid in YES terms (domain's `yesSign` is +1): both or none of its bits are set. */
export function isBidKind(kind: number): boolean {
  return ((kind ^ (kind >> 1)) & 1) === 0;
}

/** Converts a limit to YES terms. A branch would cost 2 ns per order, because processors mispredict the kind. */
export function inYesTerms(kind: number, price: number): number {
  return price + (kind >> 1) * (FULL_BPS - 2 * price);
}

/** Converts whole YES bps, 0 … 10000, to the terms of the kind's outcome. For NO, `~p + 10001` is `10000 - p`. */
export function inOwnTerms(kind: number, yesPrice: number): number {
  const bits = (kind << 30) >> 31;
  return (yesPrice ^ bits) + (bits & 10_001);
}

/** How an order matches. A book has no clock, so the engine enters a GTD as a GTC and later cancels it. */
export const FORCE = {
  /** Fills what it can; the rest stays open. */
  gtc: 0,
  /** A GTC that is refused if it would match at once. */
  postOnly: 1,
  /** Fills what it can; the rest is cancelled. */
  fak: 2,
  /** Fills its whole size or is refused. */
  fok: 3,
} as const;

/** Effect of a match on pairs of shares. The code is the number of sellers in the match. */
export const MATCH = {
  /** Two buyers: locks collateral and creates pairs. */
  mint: 0,
  /** A buyer and a seller of one outcome: transfers shares. */
  normal: 1,
  /** Two sellers: destroys pairs and releases their collateral. */
  merge: 2,
} as const;

/** Names of `MATCH`, by code. */
export const MATCH_TYPES = ['MINT', 'NORMAL', 'MERGE'] as const;

/**
 * Result of a check: `done`, or the first refusal in the order of domain's `REJECT_REASONS`. `Book.refusal` returns
 * `done` or one of the last three codes, because the engine has checked the rest.
 */
export const BOOK_RESULT = {
  done: 0,
  /** A cancel or reduction of an order that is not open in this book. */
  notFound: 1,
  /** An open order of any book already has the new order's number. */
  conflict: 2,
  /** The number is not a positive safe integer, or kind or force is an unknown code. */
  invalidOrder: 3,
  /** The price is not a multiple of the tick within tick … 10000 - tick. */
  invalidTick: 4,
  /** The size is not a whole, positive number of lots. */
  invalidLot: 5,
  /** The size exceeds 10^15 micro-shares, or its level would exceed 2^53. */
  aboveMax: 6,
  postOnlyWouldCross: 7,
  fokNotFillable: 8,
} as const;

/** Why an order was closed: indexes of domain's `CLOSE_REASONS`. */
export const CLOSE = {
  filled: 0,
  user: 1,
  replaced: 2,
  selfTrade: 3,
  heartbeatLapsed: 4,
  orderGroupLimit: 5,
  keyRevoked: 6,
  marketNotOpen: 7,
  marketHalted: 8,
  tickChanged: 9,
  expired: 10,
  fakRemainder: 11,
  admin: 12,
} as const;

/** The orders to cancel when a taker would match an order of its own account: indexes of `SELF_TRADE_MODES`. */
export const SELF_TRADE = { cancelTaker: 0, cancelMaker: 1, cancelBoth: 2 } as const;
