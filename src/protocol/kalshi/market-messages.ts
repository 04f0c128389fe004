/** Public messages of Kalshi's streams: JSON in, whole units and YES terms out. */
import { z } from 'zod';
import { InputFault, type PriceBps, payoutBps } from '../../domain/index.ts';
import { BEST_PRICE, readFields, SIZE } from '../wire/fields.ts';
import {
  CENT_LEVELS,
  CENTS,
  DOLLAR_LEVELS,
  DOLLARS,
  LEG,
  type LegLevel,
  PAYOUT,
  priceOf,
  signedSize,
  TICKER,
  TIMES,
  takerSide,
  timeOf,
  yesTerms,
} from './fields.ts';
import { readFrequentMessage } from './frequent-messages.ts';
import type {
  KalshiCommand,
  KalshiDelta,
  KalshiLevel,
  KalshiLifecycle,
  KalshiMessage,
  KalshiSnapshot,
  KalshiTicker,
  KalshiTrade,
} from './message-types.ts';

/** Options of the subscription, which messages do not contain. */
export interface KalshiPrices {
  /** `use_yes_price` of the subscription: NO levels come in YES prices. The venue's default is false, but will change. */
  readonly usesYesPrices: boolean;
}

/**
 * One message of the stream, or a command of the client. A trade of `GET /markets/trades` counts as a `trade` without envelope.
 * @throws InputFault that names the field
 */
export function readKalshiMessage(json: unknown, prices: KalshiPrices): KalshiMessage {
  return readFrequentMessage(json, prices.usesYesPrices) ?? readBySchema(json, prices);
}

/** As `readKalshiMessage`, but with schemas only. @throws InputFault that names the field */
export function readBySchema(json: unknown, prices: KalshiPrices): KalshiMessage {
  const envelope = readFields(ENVELOPE, json);
  const { type, cmd, sid, seq, msg } = envelope;
  if (cmd !== undefined) return command(envelope.params?.use_yes_price);
  const numbers = { sid, seq };
  const inner = msg ?? (type === undefined && 'trade_id' in envelope ? envelope : undefined);
  switch (type ?? (inner === undefined ? '' : 'trade')) {
    case 'orderbook_snapshot':
      return { ...numbers, ...snapshot(within('msg', SNAPSHOT, inner), prices) };
    case 'orderbook_delta':
      return { ...numbers, ...delta(within('msg', DELTA, inner), prices) };
    case 'trade':
      return { ...numbers, ...trade(within(msg === undefined ? '' : 'msg', TRADE, inner)) };
    case 'ticker':
    case 'ticker_v2':
      return { ...numbers, ...ticker(within('msg', TICKER_MESSAGE, inner)) };
    case 'market_lifecycle':
    case 'market_lifecycle_v2':
      return { ...numbers, ...lifecycle(within('msg', LIFECYCLE, inner)) };
    default:
      return { type: 'other', name: type ?? '', at: undefined, ...numbers };
  }
}

const ENVELOPE = z.looseObject({
  type: z.string().max(100).optional(),
  cmd: z.string().max(100).optional(),
  params: z.looseObject({ use_yes_price: z.boolean().optional() }).optional(),
  sid: z.int().nonnegative().optional(),
  seq: z.int().nonnegative().optional(),
  msg: z.unknown().optional(),
});

type Body<T extends { sid: unknown; seq: unknown }> = Omit<T, 'sid' | 'seq'>;

function within<S extends z.ZodType>(field: string, schema: S, value: unknown): z.output<S> {
  try {
    return readFields(schema, value);
  } catch (cause) {
    if (!(cause instanceof InputFault) || field === '') throw cause;
    const at = cause.field === '' ? field : `${field}.${cause.field}`;
    throw new InputFault(at, cause.received, cause.expected, { cause });
  }
}

function command(usesYesPrices: boolean | undefined): KalshiCommand {
  return { type: 'command', usesYesPrices };
}

const SNAPSHOT = z.object({
  market_ticker: TICKER,
  yes_dollars_fp: DOLLAR_LEVELS.optional(),
  no_dollars_fp: DOLLAR_LEVELS.optional(),
  yes_dollars: DOLLAR_LEVELS.optional(),
  no_dollars: DOLLAR_LEVELS.optional(),
  yes: CENT_LEVELS.nullish(),
  no: CENT_LEVELS.nullish(),
  ...TIMES,
});

function snapshot(book: z.output<typeof SNAPSHOT>, { usesYesPrices }: KalshiPrices): Body<KalshiSnapshot> {
  const inYesTerms = (leg: 'yes' | 'no', levels: readonly LegLevel[]): KalshiLevel[] =>
    levels.map(([price, size]) => ({ price: yesTerms(leg, price, usesYesPrices), size }));
  return {
    type: 'orderbook_snapshot',
    market: book.market_ticker,
    at: timeOf(book),
    bids: inYesTerms('yes', book.yes_dollars_fp ?? book.yes_dollars ?? book.yes ?? []),
    asks: inYesTerms('no', book.no_dollars_fp ?? book.no_dollars ?? book.no ?? []),
  };
}

const CHANGE = z
  .unknown()
  .optional()
  .transform((value, context): number => {
    const size = signedSize(value);
    if (size !== undefined) return size;
    context.addIssue({ code: 'custom', message: 'a change of contracts such as "-4.00"' });
    return z.NEVER;
  });

const DELTA = z.object({
  market_ticker: TICKER,
  price_dollars: DOLLARS.optional(),
  price: CENTS.optional(),
  delta_fp: CHANGE.optional(),
  delta: CHANGE.optional(),
  side: LEG,
  ...TIMES,
});

function delta(change: z.output<typeof DELTA>, { usesYesPrices }: KalshiPrices): Body<KalshiDelta> {
  const size = change.delta_fp ?? change.delta;
  if (size === undefined) throw new InputFault('msg.delta_fp', undefined, 'a change of contracts');
  const price = priceOf('msg.price_dollars', change.price_dollars, change.price);
  return {
    type: 'orderbook_delta',
    market: change.market_ticker,
    at: timeOf(change),
    side: change.side === 'yes' ? 'bid' : 'ask',
    price: yesTerms(change.side, price, usesYesPrices),
    change: size,
  };
}

const TRADE = z.object({
  trade_id: z.string().max(200).optional(),
  market_ticker: TICKER.optional(),
  ticker: TICKER.optional(),
  yes_price_dollars: DOLLARS.optional(),
  yes_price: CENTS.optional(),
  count_fp: SIZE.optional(),
  count: SIZE.optional(),
  taker_book_side: z.enum(['bid', 'ask'], '"bid" or "ask"').optional(),
  taker_outcome_side: LEG.optional(),
  taker_side: LEG.optional(),
  is_block_trade: z.boolean().optional(),
  ...TIMES,
});

function trade(print: z.output<typeof TRADE>): Body<KalshiTrade> {
  const market = print.market_ticker ?? print.ticker;
  const size = print.count_fp ?? print.count;
  if (market === undefined) throw new InputFault('msg.market_ticker', undefined, 'a market ticker');
  if (size === undefined) throw new InputFault('msg.count_fp', undefined, 'a number of contracts');
  return {
    type: 'trade',
    market,
    id: print.trade_id,
    at: timeOf(print),
    price: priceOf('msg.yes_price_dollars', print.yes_price_dollars, print.yes_price),
    size,
    side: takerSide(print),
    isBlock: print.is_block_trade === true,
  };
}

const BEST_CENTS = z.int().min(0).max(100).optional();
const TICKER_MESSAGE = z.object({
  market_ticker: TICKER,
  yes_bid_dollars: BEST_PRICE.optional(),
  yes_ask_dollars: BEST_PRICE.optional(),
  yes_bid: BEST_CENTS,
  yes_ask: BEST_CENTS,
  ...TIMES,
});

function ticker(touch: z.output<typeof TICKER_MESSAGE>): Body<KalshiTicker> {
  const best = (dollars: PriceBps | undefined, cents = 0): PriceBps | undefined =>
    dollars ?? (cents > 0 && cents < 100 ? priceOf('', undefined, cents) : undefined);
  return {
    type: 'ticker',
    market: touch.market_ticker,
    at: timeOf(touch),
    bestBid: best(touch.yes_bid_dollars, touch.yes_bid),
    bestAsk: best(touch.yes_ask_dollars, touch.yes_ask),
  };
}

const LIFECYCLE = z.object({
  market_ticker: TICKER,
  event_type: z.string().max(100).optional(),
  result: z.string().max(100).nullish(),
  settlement_value: PAYOUT.optional(),
  is_deactivated: z.boolean().optional(),
  ...TIMES,
});

/** Times of determination, settlement and closing have whole seconds, and may be in the past or the future. */
function lifecycle(event: z.output<typeof LIFECYCLE>): Body<KalshiLifecycle> {
  const byResult = { yes: payoutBps(10_000), no: payoutBps(0) }[event.result ?? ''];
  return {
    type: 'lifecycle',
    market: event.market_ticker,
    at: timeOf(event),
    event: event.event_type ?? (event.is_deactivated === true ? 'deactivated' : 'metadata_updated'),
    payout: event.settlement_value ?? byResult,
  };
}
