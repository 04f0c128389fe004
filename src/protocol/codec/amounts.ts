/**
 * Sizes, average prices and money: micro-shares and micro-USD internally and in signed messages, `Float` shares and cents in
 * answers.
 *
 * Only this file converts micro-USD to cents. Names have the direction: amounts that a user has or gets round **down**,
 * amounts that a user pays or risks round **up** (docs/spec/venue.md#floats-and-cents).
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
import { asArgument, badArgument } from './argument.ts';

/** Shares of an answer: the double nearest to micro-shares / 10^6. */
export function sharesFloat(shares: MicroShares): number {
  return shares / SHARE;
}

/** Micro-shares of an answer's shares: `round(shares * 10^6)`, exact up to 10^15. @throws InputFault unless whole lots */
export function microSharesOf(field: string, shares: number): MicroShares {
  const micro = Math.round(shares * SHARE);
  if (!Number.isSafeInteger(micro) || micro < 0 || micro % LOT !== 0) {
    throw new InputFault(field, shares, 'a number of shares in whole lots of 0.01, not negative');
  }
  return microShares(micro);
}

/** A `Float` argument of shares. @throws WireFault unless whole lots, at most 10^9 shares */
export function readShares(field: string, shares: number): MicroShares {
  return asArgument(() => {
    const micro = microSharesOf(field, shares);
    if (micro > MAX_ORDER_SHARES) throw new InputFault(field, shares, `at most ${MAX_ORDER_SHARES / SHARE} shares`);
    return micro;
  });
}

/** The average price of `shares`, rounded to the **nearest** basis point, halves up; null for none. @param amount not negative */
export function averagePrice(amount: MicroUsd, shares: MicroShares): PriceBps | null {
  const lots = lotsOf(shares);
  if (lots === 0) return null;
  // Uses quotient and remainder, as twice the amount may exceed 2^53.
  const floor = Math.floor(amount / lots);
  return payoutBps(2 * (amount - floor * lots) >= lots ? floor + 1 : floor);
}

/** One cent in micro-USD. */
export const CENT = 10_000;

/** Cents that a user has or gets, rounded **down**. @throws RangeError unless a safe integer, not negative */
export function centsDown(amount: MicroUsd): number {
  return mulDivFloor(checkedAmount(amount), 1, CENT);
}

/** Cents that a user pays or risks, rounded **up**. @throws RangeError unless a safe integer, not negative */
export function centsUp(amount: MicroUsd): number {
  return mulDivCeil(checkedAmount(amount), 1, CENT);
}

/** Exact. @throws WireFault on negative amounts, and on those past 2^53 micro-USD (nine billion dollars) */
export function readCents(field: string, cents: number): MicroUsd {
  const micros = cents * CENT;
  if (cents < 0 || !Number.isInteger(cents) || !Number.isSafeInteger(micros)) {
    throw badArgument(field, cents, 'whole cents, not negative, below nine billion dollars');
  }
  return microUsd(micros);
}

function checkedAmount(amount: MicroUsd): MicroUsd {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new RangeError(`Invariant: ${amount} micro-USD cannot be sent as cents: they are negative or not exact`);
  }
  return amount;
}
