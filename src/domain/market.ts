/** Public data of a market, without facts of the future such as outcome and final volume. */
import type { MarketId, MarketNo } from './ids.ts';
import type { DurationMs, EpochMs, MicroShares, MicroUsd, PriceBps } from './units.ts';

/** Described in docs/spec/venue.md#market-states. */
export const MARKET_STATUSES = [
  'OPEN',
  'PENDING_RESOLUTION',
  'RESOLVED',
  'RESOLVED_YES',
  'RESOLVED_NO',
  'RESOLVED_UNCERTAIN',
  'RESOLUTION_FAILED',
  'CANCELLED',
  'PENDING_BLOCKCHAIN',
] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

export type Resolution = 'RESOLVED_YES' | 'RESOLVED_NO' | 'RESOLVED_UNCERTAIN' | 'CANCELLED';

/**
 * Prices at which orders may rest, in YES bps: every multiple of a tick, or ascending lists. Bids and asks have
 * separate lists, because odds convert to prices rounded down for bids and up for asks.
 */
export type PriceGrid =
  | { readonly type: 'tick'; readonly tickBps: number }
  | { readonly type: 'list'; readonly bids: readonly PriceBps[]; readonly asks: readonly PriceBps[] };

export interface MarketInfo {
  readonly market: MarketNo;
  readonly id: MarketId;
  readonly slug: string;
  readonly question: string;
  readonly grid: PriceGrid;
  /** Scheduled resolution, if it was known in advance (docs/spec/models.md#time-and-look-ahead). */
  readonly scheduledResolution: EpochMs | undefined;
  /** Name of the venue, such as `service`. Absent in recordings. */
  readonly venue?: string | undefined;
  /** The venue's id of the event to which the market belongs. */
  readonly eventId?: string | undefined;
  /** Set if at most one market of the event can resolve to YES, like the candidates of an election. */
  readonly exclusive?: true | undefined;
}

export interface MarketLimits {
  /** Smallest BUY in shares. */
  readonly minOrderShares: MicroShares;
  /** Smallest BUY in price times shares. */
  readonly minBet: MicroUsd;
  readonly maxBet: MicroUsd;
  /** Largest venue exposure of one account (docs/spec/venue.md#limits). */
  readonly maxExposure: MicroUsd;
  /** Taker fee rate in bps of p(1-p). The API allows 0 … 1000. A venue may report up to 10000, or `INVALID_FEE_BPS`. */
  readonly feeRateBps: number;
  readonly spreadBps: number;
}

export interface MarketState {
  readonly status: MarketStatus;
  /** False while the market is halted or not OPEN. */
  readonly acceptingOrders: boolean;
  /** Delay that the venue adds to places and replaces, but not to cancels. */
  readonly placeDelay: DurationMs;
}

export function isFinal(status: MarketStatus): status is Resolution {
  return (
    status === 'RESOLVED_YES' || status === 'RESOLVED_NO' || status === 'RESOLVED_UNCERTAIN' || status === 'CANCELLED'
  );
}
