/**
 * The amounts of a holding, and how they change: a row in `Holdings.amounts` of which twelve numbers are used, first a position's four
 * for YES, then for NO, then what they share. Micro-shares and micro-USD, all of them integers.
 *
 * HOT: every fill passes here. A row instead of ten columns, as a trade needs most of it: 21 ns instead of 26, and two
 * cache lines a side instead of seven. The places are constants of this file and not exported: an imported constant is
 * loaded from its cell each time. What is thrown is made elsewhere: a function's length decides whether it is inlined,
 * and without that its amounts would be boxed. Timed as part of bench/exchange.ts.
 */
import { costOut } from './amount.ts';

export const AMOUNTS = 12;
/** Numbers from row to row are two to this power: a shift instead of a product that might be too large for an integer. */
const ROW_BITS = 4;

/** Begin of the NO position in a row. */
const NO = 4;
/** Of a position: micro-shares, those in open SELL orders included. */
const SHARES = 0;
/** Of a position: micro-shares in open SELL orders. */
const HELD = 1;
/** Of a position: cost of the shares. Of a refund, on the YES side: net amount paid in. */
const COST = 2;
/** Of a position: realised P&L after fees. */
const REALIZED = 3;
/** Of a holding: reserved by open BUY orders. */
const HELD_CASH = 8;
/** Of a holding: buys and splits less sales and merges, without fees; claims do not count. */
const NET_PAID = 9;
/** Of a holding: taker fees paid; given back where the market is CANCELLED. */
const FEES = 10;
/** Of a holding: refund of a CANCELLED market with fees, claimed or not; else 0. */
const REFUND = 11;

/** Begin of a holding's row, which is that of its YES position. */
export function rowOf(holding: number): number {
  return holding << ROW_BITS;
}

/** Begin of a position. @param kind a code of `ORDER_KIND` */
export function positionOf(holding: number, kind: number): number {
  return (holding << ROW_BITS) | ((kind & 2) << 1);
}

/** Begin of a holding's NO position. */
export function noPositionOf(holding: number): number {
  return (holding << ROW_BITS) | NO;
}

export function sharesAt(amounts: Float64Array, position: number): number {
  return amounts[position | SHARES]!;
}

export function heldAt(amounts: Float64Array, position: number): number {
  return amounts[position | HELD]!;
}

export function costAt(amounts: Float64Array, position: number): number {
  return amounts[position | COST]!;
}

export function realizedAt(amounts: Float64Array, position: number): number {
  return amounts[position | REALIZED]!;
}

export function heldCashAt(amounts: Float64Array, row: number): number {
  return amounts[row | HELD_CASH]!;
}

export function netPaidAt(amounts: Float64Array, row: number): number {
  return amounts[row | NET_PAID]!;
}

export function feesAt(amounts: Float64Array, row: number): number {
  return amounts[row | FEES]!;
}

export function refundAt(amounts: Float64Array, row: number): number {
  return amounts[row | REFUND]!;
}

/** Shares of a position that are not in open SELL orders. */
export function freeAt(amounts: Float64Array, position: number): number {
  return amounts[position | SHARES]! - amounts[position | HELD]!;
}

/** Net cash paid once all open BUY orders have filled. */
export function mostPaid(amounts: Float64Array, row: number): number {
  return amounts[row | NET_PAID]! + amounts[row | HELD_CASH]!;
}

/** Net cash received once all open SELL orders have filled at a dollar. */
export function mostReceived(amounts: Float64Array, row: number): number {
  return amounts[row | HELD]! + amounts[row | NO | HELD]! - amounts[row | NET_PAID]!;
}

/** Net cash paid beyond a dollar a pair, where it is more than nothing, and cash for open BUY orders. */
export function atStake(amounts: Float64Array, row: number): number {
  const yes = amounts[row | SHARES]!;
  const no = amounts[row | NO | SHARES]!;
  const paid = amounts[row | NET_PAID]! - (yes < no ? yes : no);
  return (paid > 0 ? paid : 0) + amounts[row | HELD_CASH]!;
}

/** Bound of |realised P&L| after all open SELL orders have filled, at any cost and price. */
export function mostRealized(amounts: Float64Array, position: number): number {
  return Math.abs(amounts[position | REALIZED]!) + amounts[position | HELD]!;
}

/** Cash for open BUY orders, more (positive) or less. @throws RangeError below nothing */
export function addHeldCash(amounts: Float64Array, row: number, cash: number): void {
  const after = amounts[row | HELD_CASH]! + cash;
  amounts[row | HELD_CASH] = after;
  if (after < 0) throw broken(row, 'a negative reserve', after);
}

/** Shares go into open SELL orders. @throws RangeError when there are not as many */
export function addHeld(amounts: Float64Array, position: number, shares: number): void {
  const after = amounts[position | HELD]! + shares;
  amounts[position | HELD] = after;
  if (after > amounts[position | SHARES]!) throw broken(position, 'more on sale than it holds', after);
}

/** Shares leave open SELL orders. @throws RangeError below nothing */
export function takeHeld(amounts: Float64Array, position: number, shares: number): void {
  const after = amounts[position | HELD]! - shares;
  amounts[position | HELD] = after;
  if (after < 0) throw broken(position, 'less than nothing on sale', after);
}

/** Shares come in for an amount. */
export function buy(amounts: Float64Array, row: number, position: number, shares: number, amount: number): void {
  amounts[position | SHARES]! += shares;
  amounts[position | COST]! += amount;
  amounts[row | NET_PAID]! += amount;
}

/** Free shares go for an amount, with their average cost. @throws RangeError when there are not as many */
export function sell(amounts: Float64Array, row: number, position: number, shares: number, amount: number): void {
  const before = amounts[position | SHARES]!;
  const out = costOut(amounts[position | COST]!, shares, before);
  amounts[position | SHARES] = before - shares;
  amounts[position | COST]! -= out;
  amounts[position | REALIZED]! += amount - out;
  amounts[row | NET_PAID]! -= amount;
  if (before - shares < amounts[position | HELD]!) throw broken(position, 'sold shares that were not free', shares);
}

/**
 * Shares that were bought for an amount go back. Their cost goes out; where some were sold meanwhile it no longer is what
 * they cost, and the difference is realised.
 */
export function undoBuy(amounts: Float64Array, row: number, position: number, shares: number, amount: number): void {
  const left = amounts[position | SHARES]! - shares;
  const cost = amounts[position | COST]!;
  const out = Math.min(cost, Math.max(amount, cost - left));
  amounts[position | SHARES] = left;
  amounts[position | COST] = cost - out;
  amounts[position | REALIZED]! += amount - out;
  amounts[row | NET_PAID]! -= amount;
  if (left < amounts[position | HELD]!) throw broken(position, 'gave back shares that were not free', shares);
}

/** Shares that were sold for an amount come back at the cost that went out with them. */
export function undoSell(
  amounts: Float64Array,
  row: number,
  position: number,
  shares: number,
  { amount, cost }: { readonly amount: number; readonly cost: number },
): void {
  amounts[position | SHARES]! += shares;
  amounts[position | COST]! += cost;
  amounts[position | REALIZED]! -= amount - cost;
  amounts[row | NET_PAID]! += amount;
}

/** A taker's fee for a trade of a position. */
export function payFee(amounts: Float64Array, row: number, position: number, fee: number): void {
  amounts[position | REALIZED]! -= fee;
  amounts[row | FEES]! += fee;
}

/** The shares of a position were paid; they are still shown. */
export function realize(amounts: Float64Array, position: number, due: number): void {
  amounts[position | REALIZED]! += due - amounts[position | COST]!;
}

/** Both positions become one refund on the YES side. Its cost is the net amount paid in. */
export function becomeRefund(amounts: Float64Array, row: number, refund: number): void {
  const netPaid = amounts[row | NET_PAID]!;
  const paidIn = Math.max(0, netPaid);
  amounts.fill(0, row, row + HELD_CASH);
  amounts[row | COST] = paidIn;
  amounts[row | REALIZED] = paidIn - netPaid - amounts[row | FEES]!;
  amounts[row | REFUND] = refund;
}

function broken(place: number, what: string, value: number): RangeError {
  return new RangeError(`Invariant: holding ${place >> ROW_BITS} has ${what}: ${value}`);
}
