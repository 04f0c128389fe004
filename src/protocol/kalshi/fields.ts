/** Prices, sizes and sides as Kalshi writes them: dollars and decimal counts, and the whole cents and counts of older recordings. */
import { z } from 'zod';
import {
  complement,
  type EpochMs,
  FULL_BPS,
  InputFault,
  type PriceBps,
  payoutBps,
  priceBps,
  type Side,
} from '../../domain/index.ts';
import { decimalDown, decimalText, endsWithin } from '../wire/decimal.ts';
import { PRICE, readPrice, readSize, TIME_ISO, TIME_MS, TIME_S } from '../wire/fields.ts';

/** A leg has 9,999 prices. */
const MAX_LEVELS = 9_999;

/** Whole cents, 1..99. */
export const CENTS = z.int().min(1, 'whole cents from 1 to 99').max(99, 'whole cents from 1 to 99');
export const TICKER = z.string('a market ticker').min(1).max(200);
export const LEG = z.enum(['yes', 'no'], '"yes" or "no"');
export const DOLLARS = PRICE;

/** 0 to 1 dollar as bps. */
export const PAYOUT = z
  .unknown()
  .optional()
  .transform((value, context): PriceBps => {
    const text = decimalText(value);
    const bps = text === undefined || !endsWithin(text, 4) ? Number.NaN : decimalDown(text, 4);
    if (bps <= FULL_BPS) return payoutBps(bps);
    context.addIssue({ code: 'custom', message: '0 to 1 dollar in whole basis points' });
    return z.NEVER;
  });

/** A price in dollars, in cents, or in both. Dollars are exact. */
export function priceOf(field: string, dollars: PriceBps | undefined, cents: number | undefined): PriceBps {
  if (dollars !== undefined) return dollars;
  if (cents === undefined) throw new InputFault(field, undefined, 'a price in dollars or cents');
  return priceBps(cents * 100);
}

/** A signed number of contracts as micro-shares; undefined unless at most six decimals are given. */
export function signedSize(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const isNegative = text.startsWith('-');
  const size = readSize(isNegative || text.startsWith('+') ? text.slice(1) : text);
  return size === undefined ? undefined : isNegative ? -size : size;
}

/** A leg's price in YES terms. */
export function yesTerms(leg: 'yes' | 'no', price: PriceBps, usesYesPrices: boolean): PriceBps {
  return leg === 'yes' || usesYesPrices ? price : complement(price);
}

/** Fields of a trade about its taker. */
interface Taker {
  readonly taker_book_side?: 'bid' | 'ask' | undefined;
  readonly taker_outcome_side?: 'yes' | 'no' | undefined;
  /** The name of the outcome side in older recordings. */
  readonly taker_side?: 'yes' | 'no' | undefined;
}

/** Side of the taker in YES terms: a taker of NO sells YES. Undefined if unknown. */
export function takerSide({ taker_book_side: book, taker_outcome_side, taker_side }: Taker): Side | undefined {
  if (book !== undefined) return book === 'bid' ? 'BUY' : 'SELL';
  const leg = taker_outcome_side ?? taker_side;
  if (leg === undefined) return undefined;
  return leg === 'yes' ? 'BUY' : 'SELL';
}

/** `[price, count]`. */
export const DOLLAR_LEVELS = levels((value) => readPrice(value), '["0.5200", "10.00"]: dollars and contracts');
export const CENT_LEVELS = levels((value) => {
  const cents = CENTS.safeParse(value);
  return cents.success ? priceBps(cents.data * 100) : undefined;
}, '[52, 10]: cents and contracts');

export type LegLevel = readonly [price: PriceBps, size: number];

/** Read without Zod, which takes several times as long. */
function levels(priceFrom: (value: unknown) => PriceBps | undefined, example: string) {
  return z
    .array(z.unknown(), 'a list of levels')
    .max(MAX_LEVELS, `at most ${MAX_LEVELS} levels`)
    .transform((values, context) => {
      const read: LegLevel[] = [];
      for (const [at, value] of values.entries()) {
        const price = Array.isArray(value) ? priceFrom(value[0]) : undefined;
        const size = Array.isArray(value) ? readSize(value[1]) : undefined;
        if (price === undefined || size === undefined) {
          context.addIssue({ code: 'custom', path: [at], message: `a level ${example}` });
          return z.NEVER;
        }
        if (size > 0) read.push([price, size]);
      }
      return read;
    });
}

/** `ts_ms`, or `ts` and `created_time` of older recordings: seconds or ISO 8601. */
export const TIMES = {
  ts_ms: TIME_MS.optional(),
  ts: z.union([TIME_S, TIME_ISO]).optional(),
  created_time: TIME_ISO.optional(),
};

export function timeOf(times: {
  readonly ts_ms?: EpochMs | undefined;
  readonly ts?: EpochMs | undefined;
  readonly created_time?: EpochMs | undefined;
}): EpochMs | undefined {
  return times.ts_ms ?? times.ts ?? times.created_time;
}
