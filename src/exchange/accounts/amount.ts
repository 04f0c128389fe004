import { LOT } from '../../domain/index.ts';
import { inOwnTerms } from '../matching/codes.ts';

// As this file calls them: see engine/placement.ts.
const toOwn = inOwnTerms;
const LOT_SHARES = LOT;

/**
 * What a BUY pays and a SELL receives, before fees: size times price in the terms of the kind's outcome, in micro-USD.
 * Exact up to 9 * 10^15 micro-shares, as sizes are whole lots.
 * @param kind a code of `ORDER_KIND`
 * @param yesPrice in YES bps, whatever the kind
 */
export function amountAt(kind: number, yesPrice: number, shares: number): number {
  return (shares / LOT_SHARES) * toOwn(kind, yesPrice);
}
