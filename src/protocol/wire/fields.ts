/** Zod schemas for other venues' messages. They check bounds, and convert texts and numbers to whole units. */
import { z } from 'zod';
import { type EpochMs, epochMs, FULL_BPS, InputFault, type PriceBps, priceBps } from '../../domain/index.ts';
import { decimalDown, decimalText, hasAtMostDecimals } from './decimal.ts';

/** The end of the year 9999. */
const MAX_TIME_MS = 253_402_300_799_999;
/** The largest size of one order. A larger level or trade is an error of the recording. */
const MAX_MICRO_SHARES = 1e15;

/** Maximum number of levels, because an outcome or token has 9,999 prices. */
export const MAX_LEVELS = 9_999;

export interface Level {
  readonly price: PriceBps;
  /** Micro-shares. */
  readonly size: number;
}

/** Parses a value by a schema. @throws InputFault that names the first wrong field */
export function readFields<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  const expected = (issue?.message ?? 'a valid value').replace(/^Invalid input: expected /, '');
  const received = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
  throw new InputFault(path.map(String).join('.'), received, expected.replace(/, received .*$/, ''));
}

/** Makes a schema for one field. @param read returns undefined for an invalid value */
export function createFieldSchema<T>(read: (value: unknown) => T | undefined, expected: string) {
  return z
    .unknown()
    .optional()
    .transform((value, context): T => {
      const result = read(value);
      if (result !== undefined) return result;
      context.addIssue({ code: 'custom', message: expected });
      return z.NEVER;
    });
}

/** Makes a schema that drops empty levels, and reads levels without Zod, because Zod takes several times as long. */
export function createLevelListSchema(readLevel: (value: unknown) => Level | undefined, expected: string) {
  return z
    .array(z.unknown(), 'a list of levels')
    .max(MAX_LEVELS, `at most ${MAX_LEVELS} levels`)
    .transform((values, context): readonly Level[] => {
      const levels: Level[] = [];
      for (const [index, value] of values.entries()) {
        const level = readLevel(value);
        if (level === undefined) {
          context.addIssue({ code: 'custom', path: [index], message: expected });
          return z.NEVER;
        }
        if (level.size > 0) levels.push(level);
      }
      return levels;
    });
}

export function toLevel(price: PriceBps | undefined, size: number | undefined): Level | undefined {
  return price === undefined || size === undefined ? undefined : { price, size };
}

/** Reads a decimal in units of 10^-places. Returns undefined for an invalid decimal, or one with more places. */
export function readExactUnits(value: unknown, places: number): number | undefined {
  const text = decimalText(value);
  if (text === undefined || !hasAtMostDecimals(text, places)) return undefined;
  const units = decimalDown(text, places);
  return Number.isNaN(units) ? undefined : units;
}

/** Reads a price in dollars as bps. Returns undefined unless the result is a whole number from 1 to 9999. */
export function readPrice(value: unknown): PriceBps | undefined {
  const bps = readExactUnits(value, 4);
  return bps !== undefined && bps > 0 && bps < FULL_BPS ? priceBps(bps) : undefined;
}

/** Reads shares as micro-shares, rounded **down**. Returns undefined unless the size is within 0..10^9 shares. */
export function readSize(value: unknown): number | undefined {
  const text = decimalText(value);
  if (text === undefined) return undefined;
  const micro = decimalDown(text, 6);
  return micro <= MAX_MICRO_SHARES ? micro : undefined;
}

export const PRICE = createFieldSchema(readPrice, 'a price of 0.0001 to 0.9999 dollars in whole basis points');
/** A best price; undefined for an empty side, which venues write as 0 or 1, or omit. */
export const BEST_PRICE = createFieldSchema(readBestPrice, 'a price of 0 to 1 dollar in whole basis points').transform(
  (best) => best ?? undefined,
);
export const SIZE = createFieldSchema(readSize, 'a number of shares from 0 to 1000000000');

/** An average price, rounded to the **nearest** basis point, halves up. */
export const AVERAGE_PRICE = createFieldSchema(
  readAveragePrice,
  'a price of more than 0 and less than 1 dollar, at least half a basis point away from both',
);

export interface AveragePrice {
  readonly price: PriceBps;
  /** False if the price was rounded. */
  readonly isExact: boolean;
}

export function readAveragePrice(value: unknown): AveragePrice | undefined {
  const text = decimalText(value);
  if (text === undefined) return undefined;
  const bps = Math.floor((decimalDown(text, 5) + 5) / 10);
  return bps > 0 && bps < FULL_BPS ? { price: priceBps(bps), isExact: hasAtMostDecimals(text, 4) } : undefined;
}

export const TIME_MS = createFieldSchema(readTimeMs, 'milliseconds since 1970');
/** Whole seconds since 1970, as milliseconds. */
export const TIME_S = createFieldSchema((value) => readWholeTime(value, 1_000), 'seconds since 1970');

/** An ISO 8601 time with an offset or `Z`, and up to nine decimals. Rounds **down** to milliseconds. */
export const TIME_ISO = createFieldSchema((value) => {
  if (typeof value !== 'string') return undefined;
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d(?::?\d\d)?)$/.exec(value);
  if (match === null) return undefined;
  const [, day, time, decimals = '', zone = ''] = match;
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '').padEnd(2, '0')}`;
  const ms = Date.parse(`${day}T${time}.${decimals.slice(0, 3).padEnd(3, '0')}${offset}`);
  // Compare the day, because Date.parse accepts 30 February as a day of March.
  if (day === undefined || new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().slice(0, 10) !== day)
    return undefined;
  return ms >= 0 && ms <= MAX_TIME_MS ? epochMs(ms) : undefined;
}, 'a time such as 2026-03-01T12:00:00Z');

/** Returns null for an empty side, undefined for an invalid price. */
export function readBestPrice(value: unknown): PriceBps | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  const bps = readExactUnits(value, 4);
  if (bps === undefined || bps > FULL_BPS) return undefined;
  return bps === 0 || bps === FULL_BPS ? null : priceBps(bps);
}

export function readTimeMs(value: unknown): EpochMs | undefined {
  return readWholeTime(value, 1);
}

function readWholeTime(value: unknown, msPerUnit: number): EpochMs | undefined {
  const whole = readExactUnits(value, 0);
  return whole !== undefined && whole * msPerUnit <= MAX_TIME_MS ? epochMs(whole * msPerUnit) : undefined;
}
