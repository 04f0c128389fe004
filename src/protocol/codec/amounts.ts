/**
 * Converts between internal units and the API's (`Float` shares, cents). Amounts that a user has or gets round **down**
 * to cents. Amounts that a user pays or risks round **up** (docs/spec/venue.md#floats-and-cents).
 */
import {
  InputFault,
  LOT,
  lotsOf,
  MAX_ORDER_SHARES,
  type MicroShares,
  type MicroUsd,
  microShares,
  microUsd,
  mulDivCeil,
  mulDivFloor,
  type PriceBps,
  payoutBps,
  SHARE,
} from '../../domain/index.ts';
import { badArgument, parseArgument } from './argument.ts';

/** Returns the double nearest to micro-shares / 10^6. */
export function sharesFloat(shares: MicroShares): number {
  return shares / SHARE;
}

/** Returns `round(shares * 10^6)`, exact up to 10^15 micro-shares. @throws InputFault unless whole lots */
export function parseMicroShares(field: string, shares: number): MicroShares {
  const micro = Math.round(shares * SHARE);
  if (!Number.isSafeInteger(micro) || micro < 0 || micro % LOT !== 0)
    throw new InputFault(field, shares, 'a number of shares in whole lots of 0.01, not negative');
  return microShares(micro);
}

/** Reads a `Float` argument of shares. @throws WireFault unless whole lots, at most 10^9 shares */
export function readShares(field: string, shares: number): MicroShares {
  return parseArgument(() => {
    const micro = parseMicroShares(field, shares);
    if (micro > MAX_ORDER_SHARES) throw new InputFault(field, shares, `at most ${MAX_ORDER_SHARES / SHARE} shares`);
    return micro;
  });
}

/** Returns the average price in bps, rounded to the **nearest**, halves up; null without shares. */
export function averagePrice(amount: MicroUsd, shares: MicroShares): PriceBps | null {
  const lots = lotsOf(shares);
  if (lots === 0) return null;
  // Micro-USD per lot are bps. Use quotient and remainder, because twice the amount may exceed 2^53.
  const floor = Math.floor(amount / lots);
  return payoutBps(2 * (amount - floor * lots) >= lots ? floor + 1 : floor);
}

/** One cent in micro-USD. */
export const CENT = 10_000;

/** For amounts that a user has or gets. @throws RangeError unless a safe integer, not negative */
export function centsDown(amount: MicroUsd): number {
  return mulDivFloor(checkedAmount(amount), 1, CENT);
}

/** For amounts that a user pays or risks. @throws RangeError unless a safe integer, not negative */
export function centsUp(amount: MicroUsd): number {
  return mulDivCeil(checkedAmount(amount), 1, CENT);
}

/** Converts cents exactly. @throws WireFault for negative amounts, and above 2^53 micro-USD (nine billion dollars) */
export function readCents(field: string, cents: number): MicroUsd {
  const micros = cents * CENT;
  if (cents < 0 || !Number.isInteger(cents) || !Number.isSafeInteger(micros))
    throw badArgument(field, cents, 'whole cents, not negative, below nine billion dollars');
  return microUsd(micros);
}

function checkedAmount(amount: MicroUsd): MicroUsd {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(`Invariant: ${amount} micro-USD cannot be sent as cents: they are negative or not exact`);
  return amount;
}
