/** Prices: integer basis points on both sides of the wire. */
import { lotsOf, type MicroShares, type MicroUsd, type PriceBps, payoutBps } from '../../domain/index.ts';

/** Of `shares`, rounded to the **nearest** basis point, halves up; null for none. @param amount not negative */
export function averagePrice(amount: MicroUsd, shares: MicroShares): PriceBps | null {
  const lots = lotsOf(shares);
  if (lots === 0) return null;
  // Quotient and rest, because twice the amount may pass 2^53.
  const floor = Math.floor(amount / lots);
  return payoutBps(2 * (amount - floor * lots) >= lots ? floor + 1 : floor);
}
