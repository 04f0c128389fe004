/**
 * Amounts and costs of whole lots.
 *
 * HOT: with each order and each sale; timed with the trade in bench/exchange.ts.
 */
import { LOT, mulDivFloor } from '../../domain/index.ts';
import { inOwnTerms } from '../matching/codes.ts';

/**
 * What a BUY pays and a SELL receives, before fees: size times price in the terms of the kind's outcome, in micro-USD.
 * Exact up to 9 * 10^15 micro-shares, as sizes are whole lots.
 * @param kind a code of `ORDER_KIND`
 * @param yesPrice in YES bps, whatever the kind
 */
export function amountAt(kind: number, yesPrice: number, shares: number): number {
  return (shares / LOT) * inOwnTerms(kind, yesPrice);
}

/**
 * Cost that goes out with `part` of `held` micro-shares: `floor(cost * part / held)` micro-USD, the last ones take all of
 * it, which is the same (docs/spec/venue.md#cost-basis). Both are whole lots, which divide out.
 *
 * Where even lots make the product pass 2^53, whole micro-USD a lot are taken off first, so that BigInt is needed beyond some
 * 10^8 lots only.
 */
export function costOut(cost: number, part: number, held: number): number {
  const product = cost * (part / LOT);
  return product < Number.MAX_SAFE_INTEGER
    ? Math.floor(product / (held / LOT))
    : wideCostOut(cost, part / LOT, held / LOT);
}

function wideCostOut(cost: number, lots: number, all: number): number {
  const perLot = Math.floor(cost / all);
  return perLot * lots + mulDivFloor(cost - perLot * all, lots, all);
}
