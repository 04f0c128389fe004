/**
 * Reads level changes and trades, which are nearly all messages of a recording, without Zod. With Zod, an import takes
 * 50 % longer. The schemas in market-messages.ts read older forms, and read invalid messages to name the field.
 * Both readers accept the same values.
 */
import { isRecord, type JsonRecord } from '../../domain/index.ts';
import { readPrice, readSize, readTimeMs } from '../wire/fields.ts';
import { readSignedSize, toTakerSide, toYesPrice } from './fields.ts';
import {
  type KalshiDelta,
  type KalshiMessage,
  type KalshiPriceOptions,
  type KalshiTrade,
  readBySchema,
} from './market-messages.ts';

/** Reads a message, a command of the client, or a trade of `GET /markets/trades`. @throws InputFault with the field */
export function readKalshiMessage(json: unknown, prices: KalshiPriceOptions): KalshiMessage {
  return readFrequentMessage(json, prices) ?? readBySchema(json, prices);
}

/** Returns undefined for another kind, an older form, or an invalid message. */
export function readFrequentMessage(
  json: unknown,
  { usesYesPrices }: KalshiPriceOptions,
): KalshiDelta | KalshiTrade | undefined {
  if (!isRecord(json)) return undefined;
  const { type, cmd, params, sid, seq, msg } = json;
  if (cmd !== undefined || params !== undefined || !isOptionalNumber(sid) || !isOptionalNumber(seq) || !isRecord(msg))
    return undefined;
  // Older recordings have the time under these keys.
  if (msg['ts'] !== undefined || msg['created_time'] !== undefined) return undefined;
  if (type === 'orderbook_delta') return readDelta(msg, { sid, seq }, usesYesPrices);
  return type === 'trade' ? readTrade(msg, { sid, seq }) : undefined;
}

type SequenceNumbers = Pick<KalshiDelta, 'sid' | 'seq'>;

function readDelta(msg: JsonRecord, { sid, seq }: SequenceNumbers, usesYesPrices: boolean): KalshiDelta | undefined {
  const { market_ticker: market, price_dollars, price: cents, delta_fp, delta: whole, side, ts_ms } = msg;
  if (cents !== undefined || whole !== undefined || !isTicker(market) || !isOutcome(side)) return undefined;
  const price = readPrice(price_dollars);
  const change = readSignedSize(delta_fp);
  const at = readTimeMs(ts_ms);
  if (price === undefined || change === undefined || at === undefined) return undefined;
  const yesSide = side === 'yes' ? 'bid' : 'ask';
  const yesPrice = toYesPrice(side, price, usesYesPrices);
  return { type: 'orderbook_delta', sid, seq, market, at, side: yesSide, price: yesPrice, change };
}

function readTrade(msg: JsonRecord, { sid, seq }: SequenceNumbers): KalshiTrade | undefined {
  const { market_ticker: market, ticker, yes_price_dollars, yes_price: cents, count_fp, count, ts_ms } = msg;
  const { trade_id: id, taker_book_side, taker_outcome_side, taker_side, is_block_trade: isBlock } = msg;
  if (ticker !== undefined || cents !== undefined || count !== undefined) return undefined;
  if (!isTicker(market) || !isOptionalId(id) || !isOptionalSide(taker_book_side) || !isOptionalBoolean(isBlock))
    return undefined;
  if (!(taker_outcome_side === undefined || isOutcome(taker_outcome_side))) return undefined;
  if (!(taker_side === undefined || isOutcome(taker_side))) return undefined;
  const price = readPrice(yes_price_dollars);
  const size = readSize(count_fp);
  const at = readTimeMs(ts_ms);
  if (price === undefined || size === undefined || at === undefined) return undefined;
  const side = toTakerSide({ taker_book_side, taker_outcome_side, taker_side });
  return { type: 'trade', sid, seq, market, id, at, price, size, side, isBlock: isBlock === true };
}

function isOptionalNumber(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0);
}

function isTicker(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 200;
}

function isOptionalId(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= 200);
}

function isOutcome(value: unknown): value is 'yes' | 'no' {
  return value === 'yes' || value === 'no';
}

function isOptionalSide(value: unknown): value is 'bid' | 'ask' | undefined {
  return value === undefined || value === 'bid' || value === 'ask';
}

function isOptionalBoolean(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === 'boolean';
}
