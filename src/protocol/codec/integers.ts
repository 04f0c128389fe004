/** Reads and writes integers as decimal strings, because these integers may exceed 2^53 or must be exact. */
import { InputFault } from '../../domain/index.ts';
import type { Raw } from '../field.ts';
import { parseArgument, unwrapRaw } from './argument.ts';

const UINT = /^(?:0|[1-9]\d{0,77})$/;
const INT = /^(?:0|-?[1-9]\d{0,77})$/;
const UINT_LIMIT = 1n << 256n;
/** The number of digits of 2^53 - 1. Numbers with fewer digits are always exact. */
const EXACT_DIGITS = 16;

function parseUint(field: string, text: string): bigint {
  const value = UINT.test(text) ? BigInt(text) : UINT_LIMIT;
  if (value < UINT_LIMIT) return value;
  throw new InputFault(field, text, 'an unsigned decimal integer of at most 256 bits, without leading zeros');
}

/** Parses a signed integer whose absolute value is below 2^256. Refuses `-0`. @throws InputFault */
export function parseInteger(field: string, text: string): bigint {
  const value = INT.test(text) ? BigInt(text) : UINT_LIMIT;
  if (value >= UINT_LIMIT || value <= -UINT_LIMIT)
    throw new InputFault(field, text, 'a decimal integer of at most 256 bits, without leading zeros');
  return value;
}

/** Parses an unsigned integer. @throws InputFault for other texts, and for values above 2^53 - 1 */
export function parseSafeUint(field: string, text: string): number {
  if (text.length < EXACT_DIGITS && UINT.test(text)) return Number(text);
  const value = Number(parseUint(field, text));
  if (!Number.isSafeInteger(value)) throw new InputFault(field, text, 'an integer within 2^53 - 1');
  return value;
}

/** Reads a `UintString` argument below 2^256. @throws WireFault */
export function readUint(field: string, raw: Raw<'UintString'>): bigint {
  return parseArgument(() => parseUint(field, unwrapRaw(raw)));
}

/** Reads a `UintString` argument. @throws WireFault for other texts, and for values above 2^53 - 1 */
export function readSafeUint(field: string, raw: Raw<'UintString'>): number {
  return parseArgument(() => parseSafeUint(field, unwrapRaw(raw)));
}

/** Formats a `UintString` of an answer. @throws RangeError for a negative value, or a number that is no safe integer */
export function uintText(value: number | bigint): string {
  if (value < 0) throw new RangeError(`Invariant: ${value} is not an unsigned integer`);
  return intText(value);
}

/** Formats an `IntString` of an answer. @throws RangeError for a number that is no safe integer */
export function intText(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
  throw new RangeError(`Invariant: ${value} is not an exact integer`);
}
