/**
 * Events of Polymarket's market channel in whole units.
 *
 * Every price and size belongs to the token (`asset`) of the event: YES and NO of a market come as two books that mirror each
 * other. Sizes are micro-shares, rounded **down** to a millionth of a share; they are not always whole lots.
 */
import type { EpochMs, PriceBps } from '../../domain/index.ts';

export interface PolymarketLevel {
  readonly price: PriceBps;
  /** Micro-shares. */
  readonly size: number;
}

/** The whole book of one token; it replaces what was known. Levels in the order of the message: sort, never index. */
export interface PolymarketBook {
  readonly type: 'book';
  readonly market: string;
  readonly asset: string;
  readonly at: EpochMs;
  readonly bids: readonly PolymarketLevel[];
  readonly asks: readonly PolymarketLevel[];
  /** Of a stream book only a mark that changes with the book (see book-hash.ts). */
  readonly hash: string | undefined;
  readonly tickBps: number | undefined;
}

export interface PolymarketLevelChange extends PolymarketLevel {
  readonly asset: string;
  /** Side of the level. Size 0 removes it. */
  readonly side: 'BUY' | 'SELL';
  readonly hash: string | undefined;
  /** The touch of this token after the change; undefined for an empty side, and in recordings from before September 2025. */
  readonly bestBid: PriceBps | undefined;
  readonly bestAsk: PriceBps | undefined;
  /** Whether the message states the touch at all. */
  readonly statesTouch: boolean;
}

/** Levels from now on, of one or both tokens of a market. */
export interface PolymarketPriceChange {
  readonly type: 'price_change';
  readonly market: string;
  readonly at: EpochMs;
  readonly changes: readonly PolymarketLevelChange[];
}

export interface PolymarketTrade {
  readonly type: 'last_trade_price';
  readonly market: string;
  readonly asset: string;
  readonly at: EpochMs;
  /** Side of the taker. */
  readonly side: 'BUY' | 'SELL';
  readonly price: PriceBps;
  /** False when the price lies between basis points and was rounded to the nearest. */
  readonly isExactPrice: boolean;
  /** Micro-shares. */
  readonly size: number;
}

export interface PolymarketTickChange {
  readonly type: 'tick_size_change';
  readonly market: string;
  readonly asset: string;
  readonly at: EpochMs;
  readonly oldTickBps: number;
  readonly newTickBps: number;
}

export interface PolymarketTouch {
  readonly type: 'best_bid_ask';
  readonly market: string;
  readonly asset: string;
  readonly at: EpochMs;
  readonly bestBid: PriceBps | undefined;
  readonly bestAsk: PriceBps | undefined;
}

export interface PolymarketNewMarket {
  readonly type: 'new_market';
  readonly market: string;
  readonly at: EpochMs;
  readonly question: string;
  readonly slug: string;
  /** Tokens and their outcomes, YES first. */
  readonly assets: readonly [string, string];
  readonly outcomes: readonly [string, string];
  readonly tickBps: number | undefined;
}

export interface PolymarketResolved {
  readonly type: 'market_resolved';
  readonly market: string;
  readonly at: EpochMs;
  readonly assets: readonly string[];
  /** Undefined where no token wins alone. */
  readonly winner: string | undefined;
}

/** An event of a kind that this version does not know. */
interface UnknownEvent {
  readonly type: 'unknown';
  readonly name: string;
}

export type PolymarketEvent =
  | PolymarketBook
  | PolymarketPriceChange
  | PolymarketTrade
  | PolymarketTickChange
  | PolymarketTouch
  | PolymarketNewMarket
  | PolymarketResolved
  | UnknownEvent;
