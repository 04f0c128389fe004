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
import {
  exactUnits,
  field,
  levelList,
  levelOf,
  readPrice,
  readSize,
  TIME_ISO,
  TIME_MS,
  TIME_S,
} from '../wire/fields.ts';

/** Whole cents, 1..99. */
export const CENTS = z.int().min(1, 'whole cents from 1 to 99').max(99, 'whole cents from 1 to 99');
export const TICKER = z.string('a market ticker').min(1).max(200);
export const LEG = z.enum(['yes', 'no'], '"yes" or "no"');

/** 0 to 1 dollar as bps. */
export const PAYOUT = field((value): PriceBps | undefined => {
  const bps = exactUnits(value, 4);
  return bps !== undefined && bps <= FULL_BPS ? payoutBps(bps) : undefined;
}, '0 to 1 dollar in whole basis points');

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
export const DOLLAR_LEVELS = levels(readPrice, 'a level ["0.5200", "10.00"]: dollars and contracts');
export const CENT_LEVELS = levels((value) => {
  const cents = CENTS.safeParse(value);
  return cents.success ? priceBps(cents.data * 100) : undefined;
}, 'a level [52, 10]: cents and contracts');

function levels(priceFrom: (value: unknown) => PriceBps | undefined, expected: string) {
  return levelList(
    (value) => (Array.isArray(value) ? levelOf(priceFrom(value[0]), readSize(value[1])) : undefined),
    expected,
  );
}

/** `ts_ms`, or `ts` and `created_time` of older recordings: seconds or ISO 8601. */
export const TIMES = {
  ts_ms: TIME_MS.optional(),
  ts: z.union([TIME_S, TIME_ISO]).optional(),
  created_time: TIME_ISO.optional(),
};

export function timeOf(times: z.output<z.ZodObject<typeof TIMES>>): EpochMs | undefined {
  return times.ts_ms ?? times.ts ?? times.created_time;
}
