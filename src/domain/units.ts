/**
 * Units as branded integers, and conversions from and to shares, cents, dollars.
 *
 * Invariants: every value is a safe integer. Sizes are whole lots, so `lots * bps` is an exact micro-USD amount.
 * Products that can exceed 2^53 use BigInt.
 */
import { InputFault } from './errors.ts';

declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Basis points of the $1 payout. Tradable prices are 1 … 9999; 0 and 10000 occur only as payouts. */
export type PriceBps = Brand<number, 'PriceBps'>;
/** Twice a mid in bps (best bid + best ask), which is an integer: 0 … 20000. */
export type DoubleMid = Brand<number, 'DoubleMid'>;
/** Millionths of a share in whole lots: 0 … 10^15 in one order; positions may be larger. */
export type MicroShares = Brand<number, 'MicroShares'>;
/** Millionths of a US dollar. A negative amount is owed or lost. */
export type MicroUsd = Brand<number, 'MicroUsd'>;
/** Integer milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Brand<number, 'EpochMs'>;
/** The time of the current step. Read `now` during the call. An object avoids allocating a double for each call. */
export interface StepTime {
  /** Exchange time. */
  readonly now: EpochMs;
}
/** Integer milliseconds, 0 or more. */
export type DurationMs = Brand<number, 'DurationMs'>;

/** One lot, 0.01 share, in micro-shares. */
export const LOT = 10_000;
/** One share in micro-shares. */
export const SHARE = 1_000_000;
/** One dollar in micro-USD: the payout of a winning share. */
export const DOLLAR = 1_000_000;
/** Milliseconds of a UTC day. */
export const DAY_MS = 86_400_000;
/** The $1 payout in bps. */
export const FULL_BPS = 10_000;
/** The largest size of one order in micro-shares (10^11 lots). */
export const MAX_ORDER_SHARES = 1_000_000_000_000_000;

export const ZERO_SHARES = 0 as MicroShares;
export const ZERO_USD = 0 as MicroUsd;

/** Returns a tradable price. @throws InputFault unless an integer of 1 … 9999 */
export function priceBps(value: number): PriceBps {
  if (!Number.isInteger(value) || value < 1 || value >= FULL_BPS)
    throw new InputFault('price', value, 'an integer number of basis points from 1 to 9999');
  return value as PriceBps;
}

/** Returns a payout. @throws InputFault unless an integer of 0 … 10000 */
export function payoutBps(value: number): PriceBps {
  if (!Number.isInteger(value) || value < 0 || value > FULL_BPS)
    throw new InputFault('payout', value, 'an integer number of basis points from 0 to 10000');
  return withoutNegativeZero(value) as PriceBps;
}

/** @throws InputFault unless a multiple of `LOT`, at least 0 and within 2^53 */
export function microShares(value: number): MicroShares {
  if (!Number.isSafeInteger(value) || value < 0 || value % LOT !== 0)
    throw new InputFault('shares', value, `a whole number of lots (multiples of ${LOT} micro-shares), not negative`);
  return withoutNegativeZero(value) as MicroShares;
}

/** @throws InputFault unless a safe integer */
export function microUsd(value: number): MicroUsd {
  if (!Number.isSafeInteger(value)) throw new InputFault('money', value, 'a whole number of micro-USD within 2^53');
  return withoutNegativeZero(value) as MicroUsd;
}

/** @throws InputFault unless a safe integer */
export function epochMs(value: number): EpochMs {
  if (!Number.isSafeInteger(value)) throw new InputFault('time', value, 'integer milliseconds since 1970');
  return withoutNegativeZero(value) as EpochMs;
}

/** @throws InputFault unless a safe integer, at least 0 */
export function durationMs(value: number): DurationMs {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InputFault('duration', value, 'whole milliseconds, not negative');
  return withoutNegativeZero(value) as DurationMs;
}

/** Converts a number of units, such as 0.5 minutes, to milliseconds, rounded **up**. @throws InputFault if negative */
export function toDurationMs(count: number, unitMs: number): DurationMs {
  return durationMs(Math.ceil(count * unitMs));
}

/** Returns the price of the other outcome: 10000 - price. */
export function complement(price: PriceBps): PriceBps {
  return (FULL_BPS - price) as PriceBps;
}

/** Returns best bid + best ask: the mark `M` of docs/spec/models.md#mark. */
export function doubleMid(bid: PriceBps, ask: PriceBps): DoubleMid {
  return (bid + ask) as DoubleMid;
}

export function doubled(price: PriceBps): DoubleMid {
  return (2 * price) as DoubleMid;
}

export function lotsOf(shares: MicroShares): number {
  return shares / LOT;
}

/** Returns the size of whole lots. @throws InputFault above 2^53 micro-shares */
export function sharesOfLots(lots: number): MicroShares {
  return microShares(lots * LOT);
}

/**
 * Rounds a float number of shares **down** to whole lots, from 0 to the largest order; NaN becomes 0. Float errors of
 * up to a billionth of a lot, or 10^-12 of the number, do not change the result.
 */
export function sharesFloor(shares: number): MicroShares {
  const lots = Math.floor(shares * 100 * (1 + 1e-12) + 1e-9);
  return (lots > 0 ? Math.min(lots, MAX_ORDER_SHARES / LOT) * LOT : 0) as MicroShares;
}

/** Returns the exact cost of a size at a price: lots x bps. @throws RangeError above 2^53 micro-USD */
export function costAt(shares: MicroShares, price: PriceBps): MicroUsd {
  return exactUsd((shares / LOT) * price);
}

export function payoutAt(shares: MicroShares, payout: PriceBps): MicroUsd {
  return exactUsd((shares / LOT) * payout);
}

/** Returns the value of a size at a double mid, rounded **down** to micro-USD. */
export function valueAtMid(shares: MicroShares, mid: DoubleMid): MicroUsd {
  return exactUsd(mulDivFloor(shares / LOT, mid, 2));
}

export function addUsd(a: MicroUsd, b: MicroUsd): MicroUsd {
  return exactUsd(a + b);
}

export function subUsd(a: MicroUsd, b: MicroUsd): MicroUsd {
  return exactUsd(a - b);
}

export function negUsd(a: MicroUsd): MicroUsd {
  return withoutNegativeZero(-a) as MicroUsd;
}

export function addShares(a: MicroShares, b: MicroShares): MicroShares {
  const sum = a + b;
  if (!Number.isSafeInteger(sum)) throw new RangeError(`Invariant: ${a} + ${b} micro-shares exceed 2^53`);
  return sum as MicroShares;
}

/** @throws RangeError if `b` exceeds `a` */
export function subShares(a: MicroShares, b: MicroShares): MicroShares {
  if (b > a) throw new RangeError(`Invariant: cannot subtract ${b} micro-shares from ${a}`);
  return (a - b) as MicroShares;
}

export function minShares(a: MicroShares, b: MicroShares): MicroShares {
  return a < b ? a : b;
}

/** @param ms may be negative */
export function timeAfter(time: EpochMs, ms: number): EpochMs {
  return (time + ms) as EpochMs;
}

/** Returns the start of a time's UTC day. @param time epoch ms, at least 0 */
export function startOfUtcDay(time: number): EpochMs {
  return (time - (time % DAY_MS)) as EpochMs;
}

/** Returns `floor(a * b / c)` in exact integer arithmetic; c > 0. @throws RangeError if the result exceeds 2^53 */
export function mulDivFloor(a: number, b: number, c: number): number {
  const product = a * b;
  if (Number.isSafeInteger(product)) {
    // The float division cannot round up to the next integer, because the exact quotient is at least 1/c below it.
    return withoutNegativeZero(Math.floor(product / c));
  }
  const wide = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const quotient = wide / divisor;
  const floor = Number(wide < 0n && quotient * divisor !== wide ? quotient - 1n : quotient);
  if (!Number.isSafeInteger(floor)) throw new RangeError(`Invariant: ${a} * ${b} / ${c} exceeds 2^53`);
  return floor;
}

/** Returns `ceil(a * b / c)` in exact integer arithmetic; c > 0. */
export function mulDivCeil(a: number, b: number, c: number): number {
  return withoutNegativeZero(-mulDivFloor(-a, b, c));
}

/** Returns `cost * part / held`, the cost of a part of the shares, rounded **down** (docs/spec/venue.md#cost-basis). */
export function partialCostFloor(cost: MicroUsd, part: MicroShares, held: MicroShares): MicroUsd {
  return part === held ? cost : (mulDivFloor(cost, part, held) as MicroUsd);
}

export function ascending(a: number, b: number): number {
  return a - b;
}

function exactUsd(value: number): MicroUsd {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Invariant: ${value} micro-USD is not exact`);
  return withoutNegativeZero(value) as MicroUsd;
}

/** Converts -0 to 0, because the bits of -0 would change a hash. */
function withoutNegativeZero(value: number): number {
  return value + 0;
}

/** One cent of the $1 payout in bps. */
const CENT = 100;

/**
 * Returns a size, rounded **down** to the lot of 0.01 share: `shares(10)`, `shares(0.5)`. Use `sharesFloor` for
 * computed sizes that may be negative or NaN.
 * @throws InputFault for a negative size, NaN, and more than the largest order
 */
export function shares(count: number): MicroShares {
  const lots = Math.floor(withoutFloatError(count * (SHARE / LOT)));
  if (!(count >= 0) || lots > MAX_ORDER_SHARES / LOT)
    throw new InputFault('shares', count, `a number of shares from 0 to ${MAX_ORDER_SHARES / SHARE}`);
  return microShares(lots * LOT);
}

/**
 * Returns a price in cents of the $1 payout, exactly: `cents(55)`, `cents(55.5)`. Use `gridDown` for a computed bid,
 * `gridUp` for a computed ask.
 * @throws InputFault unless a multiple of 0.01 cents from 0.01 to 99.99
 */
export function cents(count: number): PriceBps {
  const bps = withoutFloatError(count * CENT);
  if (!Number.isInteger(bps) || bps < 1 || bps >= FULL_BPS)
    throw new InputFault('cents', count, 'a price from 0.01 to 99.99 cents, a multiple of 0.01');
  return priceBps(bps);
}

/**
 * Returns an amount, rounded **down** (towards minus infinity) to the micro-dollar: `dollars(25)`, `dollars(-0.5)`.
 * @throws InputFault for NaN and for nine billion dollars or more
 */
export function dollars(count: number): MicroUsd {
  const micro = Math.floor(withoutFloatError(count * DOLLAR));
  if (!Number.isSafeInteger(micro)) throw new InputFault('dollars', count, 'an amount below nine billion dollars');
  return microUsd(micro);
}

/** Returns a size, which may be signed, as a float number of shares. */
export function toShares(size: number): number {
  return size / SHARE;
}

/** Returns a price or a distance in bps as a float number of cents. */
export function toCents(bps: number): number {
  return bps / CENT;
}

/** Returns an amount as a float number of dollars. */
export function toDollars(amount: number): number {
  return amount / DOLLAR;
}

/** Rounds to a whole number if only float errors separate it (1.15 * 100 is 114.99999999999999). */
function withoutFloatError(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= 1e-9 + 1e-12 * Math.abs(value) ? whole : value;
}
