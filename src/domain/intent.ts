/**
 * The intents that strategies return. `risk/` approves an intent, then `execution/` plans its commands. Quotes are in
 * YES terms: for orders of either outcome, a bid adds YES exposure and an ask removes it.
 */
import type { MarketNo } from './ids.ts';
import type { Outcome, Side } from './order.ts';
import type { MicroShares, PriceBps } from './units.ts';

/** One level of a quote set, with its price in YES terms. */
export interface Quote {
  readonly side: 'bid' | 'ask';
  readonly price: PriceBps;
  readonly shares: MicroShares;
  /** Copied to the events and fills of the quote's orders, but not sent to the venue; 1 to 64 characters. */
  readonly tag?: string;
}

/** All quotes of a strategy in a market. An empty set cancels all quotes. */
export interface QuoteIntent<Market = MarketNo> {
  readonly type: 'quote';
  readonly market: Market;
  readonly quotes: readonly Quote[];
  /** Default: the defaults of `QuoteTolerance`. */
  readonly tolerance?: QuoteTolerance;
}

/** How far a resting order may differ from its quote before it is replaced. */
export interface QuoteTolerance {
  /** Largest price difference, in percent of the quote's price. Default 0. */
  readonly pricePct?: number;
  /** Age below which an order stays, unless its price is worse than the quote's price. Default 0. */
  readonly minAgeMs?: number;
  /** Age above which an order is replaced even if nothing changed. Default: no limit. */
  readonly maxAgeMs?: number;
}

/** Trades at `limit` or better at once. The unfilled rest is cancelled. `limit` is a price of `outcome`. */
export interface TakeIntent<Market = MarketNo> {
  readonly type: 'take';
  readonly market: Market;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly limit: PriceBps;
  readonly shares: MicroShares;
  /** Like `Quote.tag`. */
  readonly tag?: string;
}

/** Converts cash to pairs of YES and NO shares (`split`) or pairs to cash (`merge`). `shares` counts pairs. */
export interface ConvertIntent<Market = MarketNo> {
  readonly type: 'split' | 'merge';
  readonly market: Market;
  readonly shares: MicroShares;
}

export interface ClaimIntent<Market = MarketNo> {
  readonly type: 'claim';
  readonly market: Market;
}

/** `Market` is a number internally. Strategies may also return an id or a slug. */
export type Intent<Market = MarketNo> =
  | QuoteIntent<Market>
  | TakeIntent<Market>
  | ConvertIntent<Market>
  | ClaimIntent<Market>;

declare const approval: unique symbol;

/** An intent that `risk/` approved. The planner accepts only this type, so an unchecked intent does not compile. */
export type Approved<I extends Intent = Intent> = I & { readonly [approval]: true };

/** Marks an intent as approved. The architecture test allows only `risk/` to call this function. */
export function approve<I extends Intent>(intent: I): Approved<I> {
  return intent as Approved<I>;
}

/** Codes of refusals (`docs/risk.md`). Stored by index, so append new values. */
export const RISK_CODES = [
  'KILLED',
  'REDUCE_ONLY',
  'MARKET_NOT_OPEN',
  'MARKET_NOT_FINAL',
  'MAX_POSITION',
  'MAX_ORDER',
  'MAX_MARKET_NOTIONAL',
  'MAX_TOTAL_NOTIONAL',
  'MAX_OPEN_ORDERS',
  'DAILY_LOSS',
  'DRAWDOWN',
  'STALE_BOOK',
  'PRICE_COLLAR',
  'SELF_TRADE',
  'OFF_GRID',
  'OFF_LOT',
  'BELOW_MIN',
  'ABOVE_MAX',
  'EXPOSURE_LIMIT',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_SHARES',
  'VENUE_MODE',
  'LINK_DOWN',
  'PAUSED',
  'RATE_LIMITED',
  'FEE_ABOVE_MAX',
  'FEE_ROSE',
  'MAX_EVENT_NOTIONAL',
] as const;
export type RiskCode = (typeof RISK_CODES)[number];

/** Codes of refusals that compare no values, because all trading is stopped. */
export const STOPPED_CODES: ReadonlySet<string> = new Set<RiskCode>(['PAUSED', 'KILLED']);

/** A refusal by the bot's own risk checks. The code determines the units of the compared numbers. */
export interface Refused {
  readonly ok: false;
  readonly market: MarketNo;
  readonly code: RiskCode;
  readonly limit: number;
  readonly actual: number;
}
