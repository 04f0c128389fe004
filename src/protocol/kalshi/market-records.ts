/** Reads markets of Kalshi's `GET /markets`. */
import { z } from 'zod';
import { FULL_BPS, type PriceGrid, priceBps } from '../../domain/index.ts';
import { readFields, TIME_ISO } from '../wire/fields.ts';
import { PAYOUT, RESULT_PAYOUTS, TICKER } from './fields.ts';

/** @throws InputFault that names the field */
export function readKalshiMarketRecord(json: unknown) {
  const record = readFields(MARKET, json);
  const resultPayout = RESULT_PAYOUTS.get(record.result ?? '');
  const payout = resultPayout ?? (record.result === 'scalar' ? record.settlement_value_dollars : undefined);
  return {
    market: record.ticker,
    event: record.event_ticker ?? undefined,
    /** Whether at most one market of the event can resolve to yes. */
    isExclusive: record.mutually_exclusive === true,
    category: record.category || undefined,
    title: [record.title, record.yes_sub_title].filter(Boolean).join(': ') || undefined,
    /** Prices for orders; undefined if the record lacks them. */
    grid: record.price_ranges === undefined ? undefined : toPriceGrid(record.price_ranges),
    closesAt: record.close_time ?? undefined,
    settledAt: record.settlement_ts ?? undefined,
    /** Payout of a YES share; undefined until the result is final. */
    payout: PROVISIONAL.has(record.status ?? '') ? undefined : payout,
  };
}

export type KalshiMarketRecord = Readonly<ReturnType<typeof readKalshiMarketRecord>>;

/** Statuses of a market with a result that can still change. */
const PROVISIONAL: ReadonlySet<string> = new Set(['determined', 'disputed', 'amended']);

const TEXT = z.string().max(2_000).nullish();
const RANGE = z.object({ start: PAYOUT, end: PAYOUT, step: PAYOUT.refine((step) => step > 0, 'a step above 0') });
const TIME = TIME_ISO.nullish().catch(undefined);

const MARKET = z.object({
  ticker: TICKER,
  event_ticker: TEXT,
  mutually_exclusive: z.boolean().nullish(),
  category: TEXT,
  title: TEXT,
  yes_sub_title: TEXT,
  status: TEXT,
  result: TEXT,
  close_time: TIME,
  settlement_ts: TIME,
  settlement_value_dollars: PAYOUT.optional(),
  price_ranges: z.array(RANGE).min(1).max(100).optional(),
});

/** Returns a tick for one step, and lists of prices for steps that change with the price. */
function toPriceGrid(ranges: z.output<typeof MARKET>['price_ranges'] & object): PriceGrid {
  const [first, ...others] = ranges;
  if (first !== undefined && FULL_BPS % first.step === 0 && others.every(({ step }) => step === first.step))
    return { type: 'tick', tickBps: first.step };
  const prices = new Set<number>();
  for (const { start, end, step } of ranges) {
    for (let price: number = start; price <= end; price += step) if (price > 0 && price < FULL_BPS) prices.add(price);
  }
  const sorted = [...prices].sort((a, b) => a - b).map(priceBps);
  return { type: 'list', bids: sorted, asks: sorted };
}
