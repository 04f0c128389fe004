/**
 * Reads events of Polymarket's market channel, and books of the REST API.
 *
 * Every price and size belongs to the event's token (`asset`). The YES and NO tokens of a market have two books that
 * mirror each other. Sizes are micro-shares, rounded **down**, and not always whole lots.
 */
import { z } from 'zod';
import { InputFault, isRecord, type PriceBps } from '../../domain/index.ts';
import {
  AVERAGE_PRICE,
  BEST_PRICE,
  createLevelListSchema,
  type Level,
  PRICE,
  readFields,
  readPrice,
  readSize,
  SIZE,
  TIME_MS,
  toLevel,
} from '../wire/fields.ts';
import { ASSET, ASSETS, CONDITION, SIDE, TICK } from './fields.ts';

/** Returns the events of a frame, which is one object or a list of objects. @throws InputFault for another frame */
export function readPolymarketFrame(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) {
    if (json.length <= MAX_EVENTS) return json;
    throw new InputFault('', json.length, `at most ${MAX_EVENTS} events in a frame`);
  }
  if (isRecord(json)) return [json];
  throw new InputFault('', json, 'an event of the market channel or a list of them');
}

/** Reads an event with schemas only. @throws InputFault that names the field */
export function readBySchema(json: unknown): PolymarketEvent {
  const { event_type: type, bids, asks } = readFields(KIND, json);
  const schema = SCHEMAS.get(type ?? (bids !== undefined && asks !== undefined ? 'book' : ''));
  return schema === undefined ? { type: 'unknown', name: type ?? '' } : readFields(schema, json);
}

export interface PolymarketLevelChange extends Level {
  readonly asset: string;
  /** The level's side. Size 0 removes the level. */
  readonly side: 'BUY' | 'SELL';
  readonly hash: string | undefined;
  /** Best prices after the change; undefined for an empty side, and in recordings from before September 2025. */
  readonly bestBid: PriceBps | undefined;
  readonly bestAsk: PriceBps | undefined;
  /** Whether the message contains best prices. */
  readonly hasTouch: boolean;
}

const MAX_EVENTS = 10_000;
export const MAX_CHANGES = 20_000;

const KIND = z.looseObject({ event_type: z.string().max(100).optional() });

const LEVELS = createLevelListSchema(
  (value) => (isRecord(value) ? toLevel(readPrice(value['price']), readSize(value['size'])) : undefined),
  'a level: {"price": "0.52", "size": "10"}',
);

const HASH = z.string().max(100).optional();
const TOKEN_EVENT = { market: CONDITION, asset_id: ASSET, timestamp: TIME_MS };

/** A token's whole book, which replaces the known book. */
const BOOK = z
  .object({
    ...TOKEN_EVENT,
    bids: LEVELS.optional(),
    asks: LEVELS.optional(),
    // Names of bids and asks in older recordings.
    buys: LEVELS.optional(),
    sells: LEVELS.optional(),
    hash: HASH,
    tick_size: TICK.optional(),
  })
  .transform(({ market, asset_id: asset, timestamp: at, bids, asks, buys, sells, hash, tick_size: tickBps }) => ({
    type: 'book' as const,
    market,
    asset,
    at,
    /** Bids and asks are in the order of the message, which is not always sorted. */
    bids: bids ?? buys ?? [],
    asks: asks ?? sells ?? [],
    /** In a book of the stream, the hash only shows that the book changed (see book-hash.ts). */
    hash,
    tickBps,
  }));

function reportMissing(context: z.RefinementCtx, expected: string, ...path: (string | number)[]): never {
  context.addIssue({ code: 'custom', path, message: expected });
  return z.NEVER;
}

const LEVEL_CHANGE = z.object({
  asset_id: ASSET.optional(),
  price: PRICE,
  size: SIZE,
  side: SIDE,
  hash: HASH,
  best_bid: BEST_PRICE.optional(),
  best_ask: BEST_PRICE.optional(),
});

/** Changed levels of one token or of both tokens of a market. */
const PRICE_CHANGES = z
  .object({
    market: CONDITION,
    timestamp: TIME_MS,
    price_changes: z.array(LEVEL_CHANGE).max(MAX_CHANGES).optional(),
    // Messages from before September 2025 are about one token.
    asset_id: ASSET.optional(),
    changes: z.array(LEVEL_CHANGE).max(MAX_CHANGES).optional(),
    hash: HASH,
  })
  .transform((message, context) => {
    const changes: PolymarketLevelChange[] = [];
    const list = message.price_changes ?? message.changes;
    if (list === undefined) return reportMissing(context, 'a list of changes', 'price_changes');
    for (const change of list) {
      const { asset_id: asset = message.asset_id, side, price, size, hash = message.hash } = change;
      if (asset === undefined) return reportMissing(context, 'a token id', 'price_changes', changes.length, 'asset_id');
      const { best_bid: bestBid, best_ask: bestAsk } = change;
      const hasTouch = 'best_bid' in change && 'best_ask' in change;
      changes.push({ asset, side, price, size, hash, bestBid, bestAsk, hasTouch });
    }
    return { type: 'price_change' as const, market: message.market, at: message.timestamp, changes };
  });

/** Messages of 2024 contain the fields of a single change instead of a list. */
const PRICE_CHANGE = z.preprocess(
  (json) =>
    isRecord(json) && 'price' in json && !('changes' in json || 'price_changes' in json)
      ? { ...json, changes: [json] }
      : json,
  PRICE_CHANGES,
);

const TRADE = z
  .object({ ...TOKEN_EVENT, price: AVERAGE_PRICE, side: SIDE, size: SIZE })
  .transform(({ market, asset_id: asset, timestamp: at, price: { price, isExact }, side, size }) => ({
    type: 'last_trade_price' as const,
    market,
    asset,
    at,
    side,
    price,
    /** False if the price was rounded to the nearest basis point. */
    isExactPrice: isExact,
    size,
  }));

const TICK_CHANGE = z
  .object({ ...TOKEN_EVENT, old_tick_size: TICK, new_tick_size: TICK })
  .transform(({ market, asset_id: asset, timestamp: at, old_tick_size: oldTickBps, new_tick_size: newTickBps }) => {
    return { type: 'tick_size_change' as const, market, asset, at, oldTickBps, newTickBps };
  });

const TOUCH = z
  .object({ ...TOKEN_EVENT, best_bid: BEST_PRICE, best_ask: BEST_PRICE })
  .transform(({ market, asset_id: asset, timestamp: at, best_bid: bestBid, best_ask: bestAsk }) => {
    return { type: 'best_bid_ask' as const, market, asset, at, bestBid, bestAsk };
  });

const NEW_MARKET = z
  .object({
    market: CONDITION.optional(),
    condition_id: CONDITION.optional(),
    timestamp: TIME_MS,
    question: z.string().max(2_000),
    slug: z.string().max(500),
    assets_ids: z.tuple([ASSET, ASSET]),
    outcomes: z.tuple([z.string().max(500), z.string().max(500)]),
    order_price_min_tick_size: TICK.optional(),
  })
  .transform((event, context) => {
    const { question, slug, outcomes, condition_id: market = event.market } = event;
    if (market === undefined) return reportMissing(context, 'a condition id', 'condition_id');
    return {
      type: 'new_market' as const,
      market,
      at: event.timestamp,
      question,
      slug,
      /** The tokens, in the order of `outcomes`: YES first. */
      assets: event.assets_ids,
      outcomes,
      tickBps: event.order_price_min_tick_size,
    };
  });

const RESOLVED = z
  .object({ market: CONDITION, timestamp: TIME_MS, assets_ids: ASSETS, winning_asset_id: ASSET.optional() })
  .transform(({ market, timestamp: at, assets_ids: assets, winning_asset_id: winner }) => ({
    type: 'market_resolved' as const,
    market,
    at,
    assets,
    /** The winning token; undefined for a split payout. */
    winner,
  }));

export type PolymarketBook = Readonly<z.output<typeof BOOK>>;
export type PolymarketPriceChange = Readonly<z.output<typeof PRICE_CHANGES>>;
export type PolymarketTrade = Readonly<z.output<typeof TRADE>>;
export type PolymarketTouch = Readonly<z.output<typeof TOUCH>>;

export type PolymarketEvent =
  | PolymarketBook
  | PolymarketPriceChange
  | PolymarketTrade
  | PolymarketTouch
  | Readonly<z.output<typeof TICK_CHANGE>>
  | Readonly<z.output<typeof NEW_MARKET>>
  | Readonly<z.output<typeof RESOLVED>>
  /** A kind that this version does not know. */
  | { readonly type: 'unknown'; readonly name: string };

const SCHEMAS = new Map<string, z.ZodType<PolymarketEvent>>([
  ['book', BOOK],
  ['price_change', PRICE_CHANGE],
  ['last_trade_price', TRADE],
  ['tick_size_change', TICK_CHANGE],
  ['best_bid_ask', TOUCH],
  ['new_market', NEW_MARKET],
  ['market_resolved', RESOLVED],
]);
