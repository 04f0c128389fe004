/** Numbers of a source, in its own units, as bps and micro-shares. What is no number becomes NaN. */
import { FULL_BPS, SHARE } from '../../domain/index.ts';

export const PRICE_UNITS = ['dollars', 'cents', 'bps', 'percent', 'decimal_odds'] as const;
export const SIZE_UNITS = ['shares', 'micro_shares', 'usd'] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];
export type SizeUnit = (typeof SIZE_UNITS)[number];

/** Text that `Number` reads and no source means as a number: none at all, and 0x10, as in an account's address. */
const NO_NUMBER = /^\s*(0[xob]|$)/i;

/** A number of a cell: JSON and Parquet have numbers, CSV has text. */
export function numberOf(value: unknown): number {
  if (typeof value === 'string') return NO_NUMBER.test(value) ? Number.NaN : Number(value);
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** Whether a cell says that there is no value. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A price in bps, with its fractions. */
export function toBps(value: number, unit: PriceUnit): number {
  switch (unit) {
    case 'dollars':
      return value * FULL_BPS;
    case 'cents':
    case 'percent':
      return value * 100;
    case 'bps':
      return value;
    case 'decimal_odds':
      return FULL_BPS / value;
  }
}

/** Micro-shares, rounded **down**. @param bps price of the row, for amounts of money */
export function toMicroShares(value: number, unit: SizeUnit, bps: number): number {
  switch (unit) {
    case 'shares':
      return floor(value * SHARE);
    case 'micro_shares':
      return floor(value);
    case 'usd':
      return floor((value * SHARE * FULL_BPS) / bps);
  }
}

/** Rounds **down**, except what is a whole number but for the error of one multiplication. */
function floor(value: number): number {
  const near = Math.round(value);
  return Math.abs(value - near) <= Math.abs(value) * 4 * Number.EPSILON ? near : Math.floor(value);
}
