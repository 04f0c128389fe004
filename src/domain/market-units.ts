/** Numbers as traders say them, into integers and back: shares, cents, dollars. For code that a person writes. */
import { InputFault } from './errors.ts';
import {
  DOLLAR,
  LOT,
  MAX_ORDER_SHARES,
  type MicroShares,
  type MicroUsd,
  microShares,
  microUsd,
  type PriceBps,
  priceBps,
  SHARE,
} from './units.ts';

/** One cent of the $1 payout in bps. */
const CENT = 100;

/**
 * A size in shares, rounded **down** to the lot of 0.01 share: `shares(10)`, `shares(0.5)`. `sharesFloor` is for computed
 * sizes that may be negative or NaN.
 * @throws InputFault for a negative size, NaN, and more than the largest order
 */
export function shares(count: number): MicroShares {
  const lots = Math.floor(withoutDust(count * (SHARE / LOT)));
  if (!(count >= 0) || lots > MAX_ORDER_SHARES / LOT) {
    throw new InputFault('shares', count, `a number of shares from 0 to ${MAX_ORDER_SHARES / SHARE}`);
  }
  return microShares(lots * LOT);
}

/**
 * A price in cents of the $1 payout, exact: `cents(55)`, `cents(55.5)`. Nothing is rounded, as bids round down and asks up:
 * `gridDown` and `gridUp` do that for a computed price.
 * @throws InputFault unless a multiple of 0.01 cents from 0.01 to 99.99
 */
export function cents(count: number): PriceBps {
  const bps = withoutDust(count * CENT);
  if (!Number.isInteger(bps) || bps < 1 || bps > CENT * CENT - 1) {
    throw new InputFault('cents', count, 'a price from 0.01 to 99.99 cents, a multiple of 0.01');
  }
  return priceBps(bps);
}

/**
 * An amount in dollars, rounded **down** (towards minus infinity) to the micro-dollar: `dollars(25)`, `dollars(-0.5)`.
 * @throws InputFault for NaN and for nine billion dollars or more
 */
export function dollars(count: number): MicroUsd {
  const micro = Math.floor(withoutDust(count * DOLLAR));
  if (!Number.isSafeInteger(micro)) throw new InputFault('dollars', count, 'an amount below nine billion dollars');
  return microUsd(micro);
}

/** A size as a number of shares: a float, exact to the lot. Takes signed sizes, too. */
export function toShares(size: number): number {
  return size / SHARE;
}

/** A price or a distance in bps as a number of cents: a float. */
export function toCents(bps: number): number {
  return bps / CENT;
}

/** An amount as a number of dollars: a float. */
export function toDollars(amount: number): number {
  return amount / DOLLAR;
}

/** What is a whole number but for the dust of float arithmetic (1.15 * 100 is 114.99999999999999) becomes that number. */
function withoutDust(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= 1e-9 + 1e-12 * Math.abs(value) ? whole : value;
}
