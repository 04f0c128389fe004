/**
 * Amounts and costs of whole lots.
 *
 * HOT: runs for each order and each sale (bench/exchange.ts).
 */
import { LOT, mulDivFloor } from '../../domain/index.ts';
import { inOwnTerms } from '../matching/codes.ts';

/**
 * Returns the amount that a BUY pays or a SELL receives before fees, in micro-USD: size times price in the terms of the
 * kind's outcome. Exact up to 9 * 10^15 micro-shares, as sizes are whole lots.
 * @param kind a code of `ORDER_KIND`
 * @param yesPrice in YES bps, whatever the kind
 */
export function amountAt(kind: number, yesPrice: number, shares: number): number {
  return (shares / LOT) * inOwnTerms(kind, yesPrice);
}

/**
 * Returns the cost of `part` of `held` micro-shares, both whole lots: `floor(cost * part / held)` micro-USD
 * (docs/spec/venue.md#cost-basis).
 *
 * If the product exceeds 2^53, the whole micro-USD a lot are computed separately, so that only about 10^8 lots or more need
 * BigInt.
 */
export function removedCost(cost: number, part: number, held: number): number {
  const product = cost * (part / LOT);
  return product < Number.MAX_SAFE_INTEGER
    ? Math.floor(product / (held / LOT))
    : largeRemovedCost(cost, part / LOT, held / LOT);
}

function largeRemovedCost(cost: number, lots: number, all: number): number {
  const perLot = Math.floor(cost / all);
  return perLot * lots + mulDivFloor(cost - perLot * all, lots, all);
}
