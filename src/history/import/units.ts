/** Converts numbers of a source to bps and micro-shares; NaN for an invalid number. */
import { FULL_BPS, SHARE } from '../../domain/index.ts';

export const PRICE_UNITS = ['dollars', 'cents', 'bps', 'percent', 'decimal_odds'] as const;
export const SIZE_UNITS = ['shares', 'micro_shares', 'usd'] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];
export type SizeUnit = (typeof SIZE_UNITS)[number];

/** Text that is no number, although `Number` accepts it: empty text, and hexadecimal text such as addresses. */
const NOT_A_NUMBER = /^\s*(0[xob]|$)/i;

/** Reads a number from a cell. CSV has numbers as text. */
export function parseNumber(value: unknown): number {
  if (typeof value === 'string') return NOT_A_NUMBER.test(value) ? Number.NaN : Number(value);
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : Number.NaN;
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Converts a price to bps with fractions. */
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

/** Converts a size to micro-shares, rounded **down**. @param bps price of the row, for sizes in USD */
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

/** Rounds **down**, but a value within one rounding error of an integer becomes that integer. */
function floor(value: number): number {
  const nearest = Math.round(value);
  return Math.abs(value - nearest) <= Math.abs(value) * 4 * Number.EPSILON ? nearest : Math.floor(value);
}
