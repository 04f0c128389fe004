/**
 * The amounts of a holding, and the functions that change them. A holding is a row in `Holdings.amounts` of twelve
 * integers: four of the YES position, four of the NO position, four common ones. Units are micro-shares and micro-USD.
 *
 * HOT: every fill passes here (bench/exchange.ts). A fill reads two cache lines for each of its two holdings; separate
 * columns would need seven. Hot code uses these functions instead of the offsets, because V8 loads an imported constant
 * at each use. `violation` creates the errors, so that the other functions stay short enough for V8 to inline.
 */
import { LOT, mulDivFloor } from '../../domain/index.ts';
import { inOwnTerms } from '../matching/codes.ts';

export const AMOUNTS = 12;
/** A row's length is 2^4, because V8 checks a product for overflow, but not a shift. */
const ROW_BITS = 4;

/** Start of the NO position in a row. */
const NO = 4;
/** Position: micro-shares, including those in open SELL orders. */
export const SHARES = 0;
/** Position: micro-shares in open SELL orders. */
export const RESERVED_SHARES = 1;
/** Position: cost of the shares. After a refund, the YES position has the net amount paid in. */
export const COST = 2;
/** Position: realized P&L after fees. */
export const REALIZED = 3;
/** Holding: cash reserved by open BUY orders. */
export const RESERVED_CASH = 8;
/** Holding: buys and splits less sales and merges, without fees and claims. */
export const NET_PAID = 9;
/** Holding: taker fees paid, refunded if the market is CANCELLED. */
export const FEES = 10;
/** Holding: refund of a CANCELLED market with fees, claimed or not; otherwise 0. */
export const REFUND = 11;

/** Returns the start of a holding's row, which is also the start of its YES position. */
export function rowStart(holding: number): number {
  return holding << ROW_BITS;
}

/** Returns the start of a position. @param kind a code of `ORDER_KIND`, whose bit 1 is set for NO */
export function positionStart(holding: number, kind: number): number {
  return (holding << ROW_BITS) | ((kind & 2) << 1);
}

/** Returns the start of a holding's NO position. */
export function noPositionStart(holding: number): number {
  return (holding << ROW_BITS) | NO;
}

/** Returns the shares of a position that are not in open SELL orders. */
export function freeAt(amounts: Float64Array, position: number): number {
  return amounts[position | SHARES]! - amounts[position | RESERVED_SHARES]!;
}

/** Returns the net cash paid after all open BUY orders fill. */
export function maxPaid(amounts: Float64Array, row: number): number {
  return amounts[row | NET_PAID]! + amounts[row | RESERVED_CASH]!;
}

/** Returns the net cash received after all open SELL orders fill at a dollar. */
export function maxReceived(amounts: Float64Array, row: number): number {
  return amounts[row | RESERVED_SHARES]! + amounts[row | NO | RESERVED_SHARES]! - amounts[row | NET_PAID]!;
}

/** Returns the net cash paid beyond a dollar per pair, at least 0, plus the cash for open BUY orders. */
export function exposureAt(amounts: Float64Array, row: number): number {
  const yes = amounts[row | SHARES]!;
  const no = amounts[row | NO | SHARES]!;
  const paid = amounts[row | NET_PAID]! - (yes < no ? yes : no);
  return (paid > 0 ? paid : 0) + amounts[row | RESERVED_CASH]!;
}

/** Returns an upper bound of |realized P&L| after all open SELL orders fill, at any cost and price. */
export function maxRealized(amounts: Float64Array, position: number): number {
  return Math.abs(amounts[position | REALIZED]!) + amounts[position | RESERVED_SHARES]!;
}

/** Reserves cash for open BUY orders, or frees it if `cash` is negative. @throws RangeError if less is reserved */
export function addReservedCash(amounts: Float64Array, row: number, cash: number): void {
  const after = amounts[row | RESERVED_CASH]! + cash;
  amounts[row | RESERVED_CASH] = after;
  if (after < 0) throw violation(row, 'a negative reserve', after);
}

/** Reserves shares for open SELL orders. @throws RangeError if the position has too few shares */
export function addReservedShares(amounts: Float64Array, position: number, shares: number): void {
  const after = amounts[position | RESERVED_SHARES]! + shares;
  amounts[position | RESERVED_SHARES] = after;
  if (after > amounts[position | SHARES]!) throw violation(position, 'more shares on sale than it holds', after);
}

/** Frees shares of open SELL orders. @throws RangeError if fewer shares were reserved */
export function removeReservedShares(amounts: Float64Array, position: number, shares: number): void {
  const after = amounts[position | RESERVED_SHARES]! - shares;
  amounts[position | RESERVED_SHARES] = after;
  if (after < 0) throw violation(position, 'a negative number of shares on sale', after);
}

export function buy(amounts: Float64Array, row: number, position: number, shares: number, amount: number): void {
  amounts[position | SHARES]! += shares;
  amounts[position | COST]! += amount;
  amounts[row | NET_PAID]! += amount;
}

/** Removes free shares sold for an amount, at average cost. @throws RangeError if the position has fewer free shares */
export function sell(amounts: Float64Array, row: number, position: number, shares: number, amount: number): void {
  const before = amounts[position | SHARES]!;
  const removed = removedCost(amounts[position | COST]!, shares, before);
  amounts[position | SHARES] = before - shares;
  amounts[position | COST]! -= removed;
  amounts[position | REALIZED]! += amount - removed;
  amounts[row | NET_PAID]! -= amount;
  if (before - shares < amounts[position | RESERVED_SHARES]!)
    throw violation(position, 'sold shares that were not free', shares);
}

/** Removes shares bought for an amount. If sales changed the average cost, the difference to the amount is realized. */
export function undoBuy(amounts: Float64Array, row: number, position: number, shares: number, amount: number): void {
  const left = amounts[position | SHARES]! - shares;
  const cost = amounts[position | COST]!;
  const removed = Math.min(cost, Math.max(amount, cost - left));
  amounts[position | SHARES] = left;
  amounts[position | COST] = cost - removed;
  amounts[position | REALIZED]! += amount - removed;
  amounts[row | NET_PAID]! -= amount;
  if (left < amounts[position | RESERVED_SHARES]!)
    throw violation(position, 'gave back shares that were not free', shares);
}

/** Adds shares sold for an amount, at the cost that the sale removed. */
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

/** Books a taker's fee for a trade of a position. */
export function payFee(amounts: Float64Array, row: number, position: number, fee: number): void {
  amounts[position | REALIZED]! -= fee;
  amounts[row | FEES]! += fee;
}

/** Realizes the payout of a position, whose shares stay visible. */
export function realize(amounts: Float64Array, position: number, payout: number): void {
  amounts[position | REALIZED]! += payout - amounts[position | COST]!;
}

/** Converts both positions to one refund on the YES side, whose cost is the net amount paid in. */
export function setRefund(amounts: Float64Array, row: number, refund: number): void {
  const netPaid = amounts[row | NET_PAID]!;
  const paidIn = Math.max(0, netPaid);
  amounts.fill(0, row, row + RESERVED_CASH);
  amounts[row | COST] = paidIn;
  amounts[row | REALIZED] = paidIn - netPaid - amounts[row | FEES]!;
  amounts[row | REFUND] = refund;
}

function violation(offset: number, what: string, value: number): RangeError {
  return new RangeError(`Invariant: holding ${offset >> ROW_BITS} has ${what}: ${value}`);
}

/**
 * Returns the micro-USD that a BUY pays or a SELL receives before fees: size times price in the terms of the kind's
 * outcome. Exact up to 9 * 10^15 micro-shares, because sizes are whole lots.
 * @param kind a code of `ORDER_KIND`
 */
export function amountAt(kind: number, yesPrice: number, shares: number): number {
  return (shares / LOT) * inOwnTerms(kind, yesPrice);
}

/**
 * Returns the cost of `part` of `total` micro-shares, both whole lots: `floor(cost * part / total)` micro-USD
 * (docs/spec/venue.md#cost-basis). If the product exceeds 2^53, whole micro-USD per lot are computed separately, so
 * that only holdings of 10^8 lots or more need BigInt.
 */
export function removedCost(cost: number, part: number, total: number): number {
  const product = cost * (part / LOT);
  return product < Number.MAX_SAFE_INTEGER
    ? Math.floor(product / (total / LOT))
    : largeRemovedCost(cost, part / LOT, total / LOT);
}

function largeRemovedCost(cost: number, lots: number, totalLots: number): number {
  const perLot = Math.floor(cost / totalLots);
  return perLot * lots + mulDivFloor(cost - perLot * totalLots, lots, totalLots);
}
