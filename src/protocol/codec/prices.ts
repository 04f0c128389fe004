/** Prices: integer basis points on both sides of the wire. */
import {
  FULL_BPS,
  InputFault,
  lotsOf,
  type MicroShares,
  type MicroUsd,
  type PriceBps,
  payoutBps,
  priceBps,
} from '../../domain/index.ts';
import { asArgument } from './argument.ts';

/** A price argument. @throws WireFault unless 1..9999; whether it is on the tick only its market knows */
export function readPrice(field: string, bps: number): PriceBps {
  return asArgument(() => {
    if (!Number.isInteger(bps) || bps < 1 || bps >= FULL_BPS)
      throw new InputFault(field, bps, 'basis points from 1 to 9999');
    return priceBps(bps);
  });
}

/**
 * What a share cost or brought on average, rounded to the **nearest** basis point, halves up; null for no shares.
 * @param amount not negative, of `shares` at prices within 0..10000
 */
export function averagePrice(amount: MicroUsd, shares: MicroShares): PriceBps | null {
  const lots = lotsOf(shares);
  if (lots === 0) return null;
  // Quotient and rest, because twice the amount may pass 2^53.
  const floor = Math.floor(amount / lots);
  return payoutBps(2 * (amount - floor * lots) >= lots ? floor + 1 : floor);
}
