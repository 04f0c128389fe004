/** Parses and formats units as decimal text for configuration, reports and terminal, without float arithmetic. */
import { InputFault } from './errors.ts';
import {
  DOLLAR,
  type EpochMs,
  epochMs,
  FULL_BPS,
  type MicroShares,
  type MicroUsd,
  microShares,
  microUsd,
  type PriceBps,
  priceBps,
  SHARE,
} from './units.ts';

/** Returns `1 order` or `3 orders`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Joins at most `max` texts, and says how many more there are. */
export function joinFirst(texts: readonly string[], max: number, separator: ', ' | '; '): string {
  const more = texts.length - max;
  return [...texts.slice(0, max), ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d{1,6}))?$/;

/** Parses dollars, such as "12.5" or 12.5. @throws InputFault unless a number with at most six decimals */
export function parseUsd(field: string, value: string | number): MicroUsd {
  return microUsd(parseMillionths(field, value, 'an amount in dollars with at most six decimals'));
}

/** Parses shares, such as "1.25". @throws InputFault unless whole lots of 0.01 share, at least 0 */
export function parseShares(field: string, value: string | number): MicroShares {
  const micro = parseMillionths(field, value, 'a number of shares with at most two decimals');
  if (micro < 0 || micro % 10_000 !== 0) throw new InputFault(field, value, 'whole lots of 0.01 share, not negative');
  return microShares(micro);
}

/** Parses a price: "52.5c", "0.525", or the number 5250 in bps. @throws InputFault unless whole bps of 1 … 9999 */
export function parsePrice(field: string, value: string | number): PriceBps {
  const bps = typeof value === 'number' ? value : parseBps(field, value);
  if (!Number.isInteger(bps) || bps < 1 || bps >= FULL_BPS)
    throw new InputFault(field, value, 'a price of 0.0001 to 0.9999 (0.01c to 99.99c), or the number of basis points');
  return priceBps(bps);
}

/** Parses an ISO 8601 time with `Z`, truncated to milliseconds. @throws InputFault for any other text */
export function parseTime(field: string, value: string): EpochMs {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(value);
  const text = match === null ? '' : `${match[1]}.${(match[2] ?? '').slice(0, 3).padEnd(3, '0')}Z`;
  const ms = Date.parse(text);
  // Date.parse reads 30 February as a day of March, so the formatted date differs from the text.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== text)
    throw new InputFault(field, value, 'a time such as 2026-03-01T12:00:00Z');
  return epochMs(ms);
}

/** Formats exactly, with six decimals: `-1234.567891`. */
export function formatMicros(value: MicroUsd | MicroShares): string {
  const digits = String(Math.abs(value)).padStart(7, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Formats for display as `$12.35` or `-$0.02`: rounded to the nearest cent, halves away from zero. */
export function formatUsd(value: MicroUsd): string {
  const cents = Math.round(Math.abs(value) / (DOLLAR / 100));
  const text = `${Math.floor(cents / 100).toLocaleString('en-US')}.${String(cents % 100).padStart(2, '0')}`;
  return `${value < 0 && cents > 0 ? '-' : ''}$${text}`;
}

/** Formats without trailing zeros: `1,234.5`. */
export function formatShares(value: MicroShares): string {
  return (value / SHARE).toLocaleString('en-US', { maximumFractionDigits: 2 });
}

export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats as `2022-07-11T11:00:20.540Z`. */
export function formatTime(value: EpochMs): string {
  return new Date(value).toISOString();
}

/** Formats the UTC day of a time as `2026-11-27`. @param time epoch ms */
export function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Parses a price in dollars or cents to bps, which may be fractional. */
function parseBps(field: string, value: string): number {
  const isCents = value.endsWith('c');
  const micro = parseMillionths(field, isCents ? value.slice(0, -1) : value, 'a price such as 0.525 or 52.5c');
  return micro / (isCents ? 10_000 : 100);
}

function parseMillionths(field: string, value: string | number, expected: string): number {
  const match = DECIMAL.exec(typeof value === 'number' ? decimal(value) : value.trim());
  if (match === null) throw new InputFault(field, value, expected);
  const micro = Number(match[2]) * 1_000_000 + Number((match[3] ?? '').padEnd(6, '0'));
  if (!Number.isSafeInteger(micro)) throw new InputFault(field, value, `${expected}, below nine billion`);
  return match[1] === '-' && micro !== 0 ? -micro : micro;
}

/** Returns the shortest decimal of a double, without a negative exponent. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(20).replace(/0+$/, '') : text;
}
