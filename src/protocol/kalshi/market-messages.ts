/**
 * Reads public messages of Kalshi's streams. Converts NO levels to YES: a NO bid at p is a YES ask at 10000 - p. Prices
 * are bps, sizes are micro-shares.
 *
 * `sid` is the subscription's id. `seq` is the message's number within the subscription (sequence.ts). Both are
 * undefined if a recording lacks the envelope. `at` is the exchange's time; undefined if the message has no time.
 */
import { z } from 'zod';
import { InputFault, type PriceBps } from '../../domain/index.ts';
import { BEST_PRICE, createFieldSchema, type Level, PRICE, readFields, SIZE } from '../wire/fields.ts';
import {
  CENT_LEVELS,
  CENTS,
  choosePrice,
  chooseTime,
  DOLLAR_LEVELS,
  OUTCOME,
  PAYOUT,
  RESULT_PAYOUTS,
  readSignedSize,
  TICKER,
  TIMES,
  toTakerSide,
  toYesPrice,
} from './fields.ts';

export interface KalshiPriceOptions {
  /** `use_yes_price` of the subscription: NO levels have YES prices. The venue's default is false, but will change. */
  readonly usesYesPrices: boolean;
}

/** Reads any message with schemas; frequent-messages.ts reads the frequent kinds faster. @throws InputFault */
export function readBySchema(json: unknown, prices: KalshiPriceOptions): KalshiMessage {
  const envelope = readFields(ENVELOPE, json);
  const { type, cmd, sid, seq, msg } = envelope;
  if (cmd !== undefined) return { type: 'command', usesYesPrices: envelope.params?.use_yes_price };
  const numbers = { sid, seq };
  const inner = msg ?? (type === undefined && 'trade_id' in envelope ? envelope : undefined);
  switch (type ?? (inner === undefined ? '' : 'trade')) {
    case 'orderbook_snapshot':
      return toSnapshot(numbers, readInner('msg', SNAPSHOT, inner), prices);
    case 'orderbook_delta':
      return toDelta(numbers, readInner('msg', DELTA, inner), prices);
    case 'trade':
      return toTrade(numbers, readInner(msg === undefined ? '' : 'msg', TRADE, inner));
    case 'ticker':
    case 'ticker_v2':
      return toTicker(numbers, readInner('msg', TICKER_MESSAGE, inner));
    case 'market_lifecycle':
    case 'market_lifecycle_v2':
      return toLifecycle(numbers, readInner('msg', LIFECYCLE, inner));
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

interface SequenceNumbers {
  readonly sid: number | undefined;
  readonly seq: number | undefined;
}

function readInner<S extends z.ZodType>(field: string, schema: S, value: unknown): z.output<S> {
  try {
    return readFields(schema, value);
  } catch (cause) {
    if (!(cause instanceof InputFault) || field === '') throw cause;
    const at = cause.field === '' ? field : `${field}.${cause.field}`;
    throw new InputFault(at, cause.received, cause.expected, { cause });
  }
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

function toSnapshot(numbers: SequenceNumbers, book: z.output<typeof SNAPSHOT>, { usesYesPrices }: KalshiPriceOptions) {
  const toYesLevels = (outcome: 'yes' | 'no', levels: readonly Level[]) =>
    levels.map(({ price, size }) => ({ price: toYesPrice(outcome, price, usesYesPrices), size }));
  return {
    type: 'orderbook_snapshot' as const,
    ...numbers,
    market: book.market_ticker,
    at: chooseTime(book),
    bids: toYesLevels('yes', book.yes_dollars_fp ?? book.yes_dollars ?? book.yes ?? []),
    asks: toYesLevels('no', book.no_dollars_fp ?? book.no_dollars ?? book.no ?? []),
  };
}

const CHANGE = createFieldSchema(readSignedSize, 'a change of contracts such as "-4.00"');

const DELTA = z.object({
  market_ticker: TICKER,
  price_dollars: PRICE.optional(),
  price: CENTS.optional(),
  delta_fp: CHANGE.optional(),
  delta: CHANGE.optional(),
  side: OUTCOME,
  ...TIMES,
});

function toDelta(numbers: SequenceNumbers, change: z.output<typeof DELTA>, { usesYesPrices }: KalshiPriceOptions) {
  const size = change.delta_fp ?? change.delta;
  if (size === undefined) throw new InputFault('msg.delta_fp', undefined, 'a change of contracts');
  const price = choosePrice('msg.price_dollars', change.price_dollars, change.price);
  return {
    type: 'orderbook_delta' as const,
    ...numbers,
    market: change.market_ticker,
    at: chooseTime(change),
    side: change.side === 'yes' ? ('bid' as const) : ('ask' as const),
    price: toYesPrice(change.side, price, usesYesPrices),
    /** Micro-shares that the level gains, or loses if negative. */
    change: size,
  };
}

const TRADE = z.object({
  trade_id: z.string().max(200).optional(),
  market_ticker: TICKER.optional(),
  ticker: TICKER.optional(),
  yes_price_dollars: PRICE.optional(),
  yes_price: CENTS.optional(),
  count_fp: SIZE.optional(),
  count: SIZE.optional(),
  taker_book_side: z.enum(['bid', 'ask'], '"bid" or "ask"').optional(),
  taker_outcome_side: OUTCOME.optional(),
  taker_side: OUTCOME.optional(),
  is_block_trade: z.boolean().optional(),
  ...TIMES,
});

function toTrade(numbers: SequenceNumbers, trade: z.output<typeof TRADE>) {
  const market = trade.market_ticker ?? trade.ticker;
  const size = trade.count_fp ?? trade.count;
  if (market === undefined) throw new InputFault('msg.market_ticker', undefined, 'a market ticker');
  if (size === undefined) throw new InputFault('msg.count_fp', undefined, 'a number of contracts');
  return {
    type: 'trade' as const,
    ...numbers,
    market,
    id: trade.trade_id,
    at: chooseTime(trade),
    price: choosePrice('msg.yes_price_dollars', trade.yes_price_dollars, trade.yes_price),
    size,
    side: toTakerSide(trade),
    /** True for a trade without a resting order, agreed away from the book. */
    isBlock: trade.is_block_trade === true,
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

function toTicker(numbers: SequenceNumbers, ticker: z.output<typeof TICKER_MESSAGE>) {
  const best = (dollars: PriceBps | undefined, cents = 0): PriceBps | undefined =>
    dollars ?? (cents > 0 && cents < 100 ? choosePrice('', undefined, cents) : undefined);
  return {
    type: 'ticker' as const,
    ...numbers,
    market: ticker.market_ticker,
    at: chooseTime(ticker),
    bestBid: best(ticker.yes_bid_dollars, ticker.yes_bid),
    bestAsk: best(ticker.yes_ask_dollars, ticker.yes_ask),
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

function toLifecycle(numbers: SequenceNumbers, event: z.output<typeof LIFECYCLE>) {
  return {
    type: 'lifecycle' as const,
    ...numbers,
    market: event.market_ticker,
    at: chooseTime(event),
    /** Such as `activated`, `deactivated`, `determined` or `settled`. */
    event: event.event_type ?? (event.is_deactivated === true ? 'deactivated' : 'metadata_updated'),
    /** Payout of a YES share; undefined if the event contains none. */
    payout: event.settlement_value ?? RESULT_PAYOUTS.get(event.result ?? ''),
  };
}

/** A market's whole book, which replaces the known book. */
export type KalshiSnapshot = Readonly<ReturnType<typeof toSnapshot>>;
export type KalshiDelta = Readonly<ReturnType<typeof toDelta>>;
export type KalshiTrade = Readonly<ReturnType<typeof toTrade>>;
export type KalshiLifecycle = Readonly<ReturnType<typeof toLifecycle>>;

export type KalshiMessage =
  | KalshiSnapshot
  | KalshiDelta
  | KalshiTrade
  | KalshiLifecycle
  | Readonly<ReturnType<typeof toTicker>>
  /** A command of the client in a recording. */
  | { readonly type: 'command'; readonly usesYesPrices: boolean | undefined }
  /** A reply, a private message or an unknown kind, which also has a number in the sequence of its subscription. */
  | ({ readonly type: 'other'; readonly name: string; readonly at: undefined } & SequenceNumbers);
