/** Public data of a market, without facts of the future (outcome, final volume). */
import type { MarketId, MarketNo } from './ids.ts';
import type { DurationMs, EpochMs, MicroShares, MicroUsd, PriceBps } from './units.ts';

/** The nine states of a market (docs/spec/venue.md#market-states). */
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

/** How a market can end for good. */
export type Resolution = 'RESOLVED_YES' | 'RESOLVED_NO' | 'RESOLVED_UNCERTAIN' | 'CANCELLED';

/**
 * Prices at which orders may stand, in YES bps: every multiple of a tick, or ascending lists. Bids and asks have lists
 * of their own, as odds round down for the one and up for the other: on a common list a bid could stand 1 bps before
 * all.
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
  /** When it was *scheduled* to resolve, where that was known beforehand (docs/spec/models.md#time-and-look-ahead). */
  readonly scheduledResolution: EpochMs | undefined;
  /** Name of its venue: `service`; absent in recordings. */
  readonly venue?: string | undefined;
  /** The venue's id of the event that it belongs to with other markets; absent when it stands alone. */
  readonly eventId?: string | undefined;
  /** Whether at most one market of the event can end YES, as the candidates of one election. */
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
  /**
   * Taker fee rate, bps of p(1-p): 0..1000 by the contract. A venue may name up to 10000, or none: `INVALID_FEE_BPS`.
   */
  readonly feeRateBps: number;
  readonly spreadBps: number;
}

export interface MarketState {
  readonly status: MarketStatus;
  /** False while halted, and whenever status is not OPEN. */
  readonly acceptingOrders: boolean;
  /** Added by the venue to places and replaces, never to cancels. */
  readonly placeDelay: DurationMs;
}

export function isFinal(status: MarketStatus): status is Resolution {
  return (
    status === 'RESOLVED_YES' || status === 'RESOLVED_NO' || status === 'RESOLVED_UNCERTAIN' || status === 'CANCELLED'
  );
}
