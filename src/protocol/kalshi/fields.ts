/** Reads Kalshi's prices, sizes and sides. Older recordings have whole cents and whole counts. */
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
  createFieldSchema,
  createLevelListSchema,
  readExactUnits,
  readPrice,
  readSize,
  TIME_ISO,
  TIME_MS,
  TIME_S,
  toLevel,
} from '../wire/fields.ts';

export const CENTS = z.int().min(1, 'whole cents from 1 to 99').max(99, 'whole cents from 1 to 99');
export const TICKER = z.string('a market ticker').min(1).max(200);
export const OUTCOME = z.enum(['yes', 'no'], '"yes" or "no"');

export const PAYOUT = createFieldSchema((value): PriceBps | undefined => {
  const bps = readExactUnits(value, 4);
  return bps !== undefined && bps <= FULL_BPS ? payoutBps(bps) : undefined;
}, '0 to 1 dollar in whole basis points');

/** Payouts of a YES share by a market's result. Other results, such as `scalar`, have no payout here. */
export const RESULT_PAYOUTS: ReadonlyMap<string, PriceBps> = new Map([
  ['yes', payoutBps(FULL_BPS)],
  ['no', payoutBps(0)],
]);

/** Prefers dollars, which are exact, to cents. @throws InputFault if both are missing */
export function choosePrice(field: string, dollars: PriceBps | undefined, cents: number | undefined): PriceBps {
  if (dollars !== undefined) return dollars;
  if (cents === undefined) throw new InputFault(field, undefined, 'a price in dollars or cents');
  return priceBps(cents * 100);
}

/** Reads a signed number of contracts as micro-shares, rounded towards zero; undefined for an invalid number. */
export function readSignedSize(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const isNegative = text.startsWith('-');
  const size = readSize(isNegative || text.startsWith('+') ? text.slice(1) : text);
  if (size === undefined) return undefined;
  return isNegative ? -size : size;
}

/** @param usesYesPrices whether NO levels already have YES prices */
export function toYesPrice(outcome: 'yes' | 'no', price: PriceBps, usesYesPrices: boolean): PriceBps {
  return outcome === 'yes' || usesYesPrices ? price : complement(price);
}

interface Taker {
  readonly taker_book_side?: 'bid' | 'ask' | undefined;
  readonly taker_outcome_side?: 'yes' | 'no' | undefined;
  /** Name of `taker_outcome_side` in older recordings. */
  readonly taker_side?: 'yes' | 'no' | undefined;
}

/** Returns whether the taker buys or sells YES; undefined if unknown. A taker who buys NO sells YES. */
export function toTakerSide({ taker_book_side: book, taker_outcome_side, taker_side }: Taker): Side | undefined {
  if (book !== undefined) return book === 'bid' ? 'BUY' : 'SELL';
  const outcome = taker_outcome_side ?? taker_side;
  if (outcome === undefined) return undefined;
  return outcome === 'yes' ? 'BUY' : 'SELL';
}

export const DOLLAR_LEVELS = createLevelsSchema(readPrice, 'a level ["0.5200", "10.00"]: dollars and contracts');
export const CENT_LEVELS = createLevelsSchema((value) => {
  const cents = CENTS.safeParse(value);
  return cents.success ? priceBps(cents.data * 100) : undefined;
}, 'a level [52, 10]: cents and contracts');

function createLevelsSchema(readLevelPrice: (value: unknown) => PriceBps | undefined, expected: string) {
  return createLevelListSchema(
    (value) => (Array.isArray(value) ? toLevel(readLevelPrice(value[0]), readSize(value[1])) : undefined),
    expected,
  );
}

/** Older recordings have `ts` or `created_time` instead of `ts_ms`. */
export const TIMES = {
  ts_ms: TIME_MS.optional(),
  ts: z.union([TIME_S, TIME_ISO]).optional(),
  created_time: TIME_ISO.optional(),
};

export function chooseTime(times: z.output<z.ZodObject<typeof TIMES>>): EpochMs | undefined {
  return times.ts_ms ?? times.ts ?? times.created_time;
}
