/**
 * Reads level changes and trades, which are nearly all messages of a recording, without Zod. Zod would take most of an
 * import's time. The schemas in market-events.ts read invalid messages again, to name the field. Both readers accept
 * the same values.
 */
import { isRecord, type JsonRecord } from '../../domain/index.ts';
import { readAveragePrice, readBestPrice, readPrice, readSize, readTimeMs } from '../wire/fields.ts';
import {
  MAX_CHANGES,
  type PolymarketEvent,
  type PolymarketLevelChange,
  type PolymarketPriceChange,
  type PolymarketTrade,
  readBySchema,
} from './market-events.ts';

/** Reads an event, or a book of the REST API as a `book` event. @throws InputFault that names the field */
export function readPolymarketEvent(json: unknown): PolymarketEvent {
  return readFrequentEvent(json) ?? readBySchema(json);
}

/** Returns undefined for another kind, an older form and an invalid event. */
export function readFrequentEvent(json: unknown): PolymarketPriceChange | PolymarketTrade | undefined {
  if (!isRecord(json)) return undefined;
  const { event_type: type } = json;
  if (type === 'price_change') return readPriceChange(json);
  return type === 'last_trade_price' ? readTrade(json) : undefined;
}

function readPriceChange(json: JsonRecord): PolymarketPriceChange | undefined {
  const { price_changes: list, changes: olderList, asset_id: messageAsset, hash: messageHash } = json;
  // The schema reads messages from before September 2025.
  if (olderList !== undefined || messageAsset !== undefined || !isOptionalHash(messageHash)) return undefined;
  if (!Array.isArray(list) || list.length > MAX_CHANGES) return undefined;
  const market = readConditionId(json['market']);
  const at = readTimeMs(json['timestamp']);
  if (market === undefined || at === undefined) return undefined;
  const changes: PolymarketLevelChange[] = [];
  for (const value of list) {
    const change = readChange(value, messageHash);
    if (change === undefined) return undefined;
    changes.push(change);
  }
  return { type: 'price_change', market, at, changes };
}

function readChange(json: unknown, messageHash: string | undefined): PolymarketLevelChange | undefined {
  if (!isRecord(json)) return undefined;
  const { asset_id: asset, side, hash } = json;
  const price = readPrice(json['price']);
  const size = readSize(json['size']);
  const bestBid = readBestPrice(json['best_bid']);
  const bestAsk = readBestPrice(json['best_ask']);
  if (price === undefined || size === undefined || bestBid === undefined || bestAsk === undefined) return undefined;
  if (!isAsset(asset) || !isSide(side) || !isOptionalHash(hash)) return undefined;
  return {
    asset,
    side,
    price,
    size,
    hash: hash ?? messageHash,
    bestBid: bestBid ?? undefined,
    bestAsk: bestAsk ?? undefined,
    hasTouch: 'best_bid' in json && 'best_ask' in json,
  };
}

function readTrade(json: JsonRecord): PolymarketTrade | undefined {
  const { asset_id: asset, side } = json;
  const market = readConditionId(json['market']);
  const at = readTimeMs(json['timestamp']);
  const price = readAveragePrice(json['price']);
  const size = readSize(json['size']);
  if (market === undefined || at === undefined || price === undefined || size === undefined) return undefined;
  if (!isAsset(asset) || !isSide(side)) return undefined;
  return { type: 'last_trade_price', market, asset, at, side, price: price.price, isExactPrice: price.isExact, size };
}

function readConditionId(value: unknown): string | undefined {
  const isId = typeof value === 'string' && value.length === 66 && /^0x[0-9a-fA-F]+$/.test(value);
  return isId ? value.toLowerCase() : undefined;
}

function isAsset(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 78 && !/\D/.test(value);
}

function isSide(value: unknown): value is 'BUY' | 'SELL' {
  return value === 'BUY' || value === 'SELL';
}

function isOptionalHash(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= 100);
}
