/**
 * Reads an account's orders, trades and payments from REST and the user channel. Converts amounts to whole units
 * (docs/spec/polymarket.md#order-life, docs/spec/polymarket.md#trades, docs/spec/polymarket.md#fees). Each reader
 * throws an InputFault that names the first invalid field.
 */
import { z } from 'zod';
import { AVERAGE_PRICE, PRICE, readFields, SIZE, TIME_ISO, TIME_S } from '../wire/fields.ts';
import { ASSET, CONDITION, SIDE } from './fields.ts';

/** `UNKNOWN`: a status that this version does not know. The order may be open. */
type PolymarketOrderStatus = 'LIVE' | 'MATCHED' | 'DELAYED' | 'CANCELED' | 'INVALID' | 'UNKNOWN';

/** Statuses of a trade. A RETRYING trade may still be MINED. CONFIRMED and FAILED are final. */
const POLYMARKET_TRADE_STATUSES = ['MATCHED', 'RETRYING', 'MINED', 'CONFIRMED', 'FAILED'] as const;
export type PolymarketTradeStatus = (typeof POLYMARKET_TRADE_STATUSES)[number];

export function readPolymarketOrderRecord(json: unknown): PolymarketOrderRecord {
  return readFields(ORDER, json);
}

export function readPolymarketOwnTrade(json: unknown): PolymarketOwnTrade {
  return readFields(TRADE, json);
}

const ID = z.string('an id').min(1).max(200);
const STATUS = z.string('a status').max(200);
/** The venue sends an empty text if nothing matched, for example for a killed FOK. */
const MATCHED = z.preprocess((value) => (value === '' ? '0' : value), SIZE);
const MATCH_TIME = z.union([TIME_S, TIME_ISO], 'seconds since 1970, or a time such as 2026-03-01T12:00:00Z');

function toOrderStatus(text: string): PolymarketOrderStatus {
  const name = text.toUpperCase().replace(/^ORDER_STATUS_/, '');
  if (name === 'LIVE' || name === 'UNMATCHED') return 'LIVE';
  if (name === 'MATCHED' || name === 'DELAYED' || name === 'INVALID') return name;
  return name.startsWith('CANCELED') ? 'CANCELED' : 'UNKNOWN';
}

function toTradeStatus(text: string): PolymarketTradeStatus | 'UNKNOWN' {
  const name = text.toUpperCase().replace(/^TRADE_STATUS_/, '');
  if (name === 'MATCHED_NOT_BROADCASTED') return 'MATCHED';
  return POLYMARKET_TRADE_STATUSES.find((status) => status === name) ?? 'UNKNOWN';
}

const ORDER = z
  .object({
    id: ID,
    market: CONDITION,
    asset_id: ASSET,
    side: SIDE,
    price: PRICE,
    original_size: SIZE,
    size_matched: MATCHED,
    status: STATUS,
    type: z.enum(['PLACEMENT', 'UPDATE', 'CANCELLATION']).optional().catch(undefined),
    associate_trades: z.array(ID).max(10_000).nullish(),
  })
  .transform((order) => ({
    id: order.id.toLowerCase(),
    market: order.market,
    asset: order.asset_id,
    side: order.side,
    price: order.price,
    /** Micro-shares, like `matched`. */
    size: order.original_size,
    matched: order.size_matched,
    status: toOrderStatus(order.status),
    /** Kind of the event on the user channel; undefined in answers of REST. */
    change: order.type,
    trades: order.associate_trades ?? [],
  }));

export type PolymarketOrderRecord = Readonly<z.output<typeof ORDER>>;

const MAKER = z
  .object({
    order_id: ID,
    owner: z.string().max(100).optional().default(''),
    asset_id: ASSET,
    side: SIDE.optional(),
    price: PRICE,
    matched_amount: SIZE,
  })
  .transform((part) => ({
    order: part.order_id.toLowerCase(),
    /** Id of an API key. */
    owner: part.owner,
    asset: part.asset_id,
    /** Undefined in older records. */
    side: part.side,
    price: part.price,
    size: part.matched_amount,
  }));

const TRADE = z
  .object({
    id: ID,
    taker_order_id: ID,
    market: CONDITION,
    asset_id: ASSET,
    side: SIDE,
    price: AVERAGE_PRICE,
    size: SIZE,
    status: STATUS,
    trader_side: z.enum(['TAKER', 'MAKER']).optional().catch(undefined),
    match_time: MATCH_TIME,
    maker_orders: z.array(MAKER).max(10_000).nullish(),
    transaction_hash: z.string().max(100).nullish(),
  })
  .transform((trade) => ({
    id: trade.id,
    takerOrder: trade.taker_order_id.toLowerCase(),
    market: trade.market,
    asset: trade.asset_id,
    side: trade.side,
    price: trade.price.price,
    size: trade.size,
    status: toTradeStatus(trade.status),
    role: trade.trader_side,
    matchedAt: trade.match_time,
    makers: trade.maker_orders ?? [],
    transaction: trade.transaction_hash || undefined,
  }));

/** A trade of the account. If the account is a maker, `makers` may also contain orders of other accounts. */
export type PolymarketOwnTrade = Readonly<z.output<typeof TRADE>>;

/** Reads a row of `/rebates/current`. */
export function readPolymarketRebate(json: unknown): PolymarketPaymentRecord {
  const { rebated_fees_usdc, ...common } = readFields(REBATE, json);
  return toPaymentRecord(common, rebated_fees_usdc);
}

/** Reads a row of `/rewards/user`. */
export function readPolymarketReward(json: unknown): PolymarketPaymentRecord {
  const { earnings, ...common } = readFields(REWARD, json);
  return toPaymentRecord(common, earnings);
}

const ADDRESS = z
  .string('an address')
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .transform((address) => address.toLowerCase());
const COMMON_FIELDS = {
  date: z
    .string('a day')
    .regex(/^\d{4}-\d\d-\d\d/, 'a day such as 2026-11-27')
    .transform((date) => date.slice(0, 10)),
  condition_id: CONDITION,
  maker_address: ADDRESS,
  asset_address: ADDRESS,
};
// `SIZE` also reads dollars, which have the same bounds and decimals as shares.
const REBATE = z.object({ ...COMMON_FIELDS, rebated_fees_usdc: SIZE });
const REWARD = z.object({ ...COMMON_FIELDS, earnings: SIZE });

function toPaymentRecord(common: z.output<z.ZodObject<typeof COMMON_FIELDS>>, amount: number) {
  const { date, condition_id: market, maker_address: maker, asset_address: asset } = common;
  return {
    /** Condition id. */
    market,
    /** ISO date, such as 2026-11-27. */
    date,
    /** Address of the account or its wallet, like `asset` in lower case. */
    maker,
    /** Address of the token contract. */
    asset,
    /** Micro-USD, rounded **down**. */
    amount,
  };
}

export type PolymarketPaymentRecord = Readonly<ReturnType<typeof toPaymentRecord>>;
