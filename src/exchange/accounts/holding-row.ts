/**
 * Where the amounts of a holding stand in `Holdings.amounts`: a row of twelve numbers, first a position's four for YES,
 * then for NO, then what they share. Micro-shares and micro-USD, all of them integers.
 *
 * HOT: one row instead of ten columns, as a trade needs most of it: 14 ns instead of 26, and two cache lines a side
 * instead of seven, which shows from 100,000 holdings on.
 */

/** Numbers in a row. */
export const ROW = 12;

/** Of a position: micro-shares, those in open SELL orders included. */
export const SHARES = 0;
/** Of a position: micro-shares in open SELL orders. */
export const HELD = 1;
/** Of a position: what the shares cost. Of a refund, on the YES side: what was paid in on balance. */
export const COST = 2;
/** Of a position: realised P&L after fees. */
export const REALIZED = 3;

/** Of a holding: reserved by open BUY orders. */
export const HELD_CASH = 8;
/** Of a holding: buys and splits less sales and merges, without fees; claims do not count. */
export const NET_PAID = 9;
/** Of a holding: taker fees paid; given back where the market is CANCELLED. */
export const FEES = 10;
/** Of a holding: refund of a CANCELLED market with fees, claimed or not; else 0. */
export const REFUND = 11;

/** Begin of a holding's row, which is that of its YES position. */
export function rowOf(holding: number): number {
  return ROW * holding;
}

/** Begin of a position in its holding's row. @param kind a code of `ORDER_KIND` */
export function positionOf(holding: number, kind: number): number {
  return ROW * holding + ((kind & 2) << 1);
}

/** Begin of a holding's NO position. */
export function noPositionOf(holding: number): number {
  return ROW * holding + 4;
}
