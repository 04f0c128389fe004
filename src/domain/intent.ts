/**
 * What a strategy wishes. Wishes become commands only by way of `risk/` (may it?) and `execution/` (how?).
 *
 * Quotes are in YES terms: a bid adds YES exposure, an ask removes it, whichever leg carries it out.
 */
import type { MarketNo } from './ids.ts';
import type { Outcome, Side } from './order.ts';
import type { MicroShares, PriceBps } from './units.ts';

/** One level one wants to show. `price` in YES terms. */
export interface Quote {
  readonly side: 'bid' | 'ask';
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/** The whole desired set of one strategy in one market; an empty set withdraws everything. */
export interface QuoteIntent {
  readonly type: 'quote';
  readonly market: MarketNo;
  readonly quotes: readonly Quote[];
  /** When resting orders that are close enough may stay; execution's defaults where left out. */
  readonly tolerance?: QuoteTolerance;
}

/** How far a resting order may be from what is wished before it is touched. */
export interface QuoteTolerance {
  /** Relative distance of price, in percent of the wished price (`order_refresh_tolerance_pct`). Default 0. */
  readonly pricePct?: number;
  /** An order younger than this is left alone unless it is on the wrong side of its limit; ms. Default 0. */
  readonly minAgeMs?: number;
  /** An order older than this is renewed even if nothing moved (`max_order_age`); ms. Default never. */
  readonly maxAgeMs?: number;
}

/** Take what stands at `limit` or better, at once; the rest is not left behind. `limit` in the terms of `outcome`. */
export interface TakeIntent {
  readonly type: 'take';
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly limit: PriceBps;
  readonly shares: MicroShares;
}

/** Cash into pairs of YES and NO (`split`), pairs back into cash (`merge`); `shares` counts pairs. */
export interface ConvertIntent {
  readonly type: 'split' | 'merge';
  readonly market: MarketNo;
  readonly shares: MicroShares;
}

/** Collect the payout of a final market. */
export interface ClaimIntent {
  readonly type: 'claim';
  readonly market: MarketNo;
}

export type Intent = QuoteIntent | TakeIntent | ConvertIntent | ClaimIntent;

declare const approval: unique symbol;

/** An intent that `risk/` let pass: the only thing `execution/` accepts, so that an unchecked order does not compile. */
export type Approved<I extends Intent = Intent> = I & { readonly [approval]: true };

/** Gives the brand. For `risk/` alone: the architecture test refuses any other caller. */
export function approve<I extends Intent>(intent: I): Approved<I> {
  return intent as Approved<I>;
}

/** Names of what risk compares, for refusals (see `docs/` for each). New ones come at the end: stored as places. */
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
] as const;
export type RiskCode = (typeof RISK_CODES)[number];

/** A refusal by our own risk: what was compared with what. Units follow from the code. */
export interface Refused {
  readonly ok: false;
  readonly market: MarketNo;
  readonly code: RiskCode;
  readonly limit: number;
  readonly was: number;
}
