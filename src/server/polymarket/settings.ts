/** Settings of the dialect. Milliseconds unless a name says otherwise. */
import type { PolymarketOrderVersion, PolymarketTier } from '../../protocol/polymarket/index.ts';

export interface PolymarketSettings {
  /** Chain of the signatures: 137 or 80002. */
  readonly chainId: number;
  /** Rate limits of each signer; undefined for none. */
  readonly tier: PolymarketTier | undefined;
  /** Version of accepted orders. */
  readonly orderVersion: PolymarketOrderVersion;
  /** Largest difference between the time of a signed request and the clock, seconds. Polymarket does not document its limit. */
  readonly maxClockSkewSeconds: number;
  /** Time from a match to MINED, and from MINED to CONFIRMED. */
  readonly minedMs: number;
  readonly confirmedMs: number;
  /** Share of taker fees that makers receive, bps. */
  readonly rebateBps: number;
  /** Ids of neg-risk events, in which at most one market resolves to YES. */
  readonly negRiskEvents: readonly string[];
  /** Time without a heartbeat after which the orders of an API key with an armed switch are cancelled. */
  readonly heartbeatMs: number;
}

export const POLYMARKET_DEFAULTS: PolymarketSettings = {
  chainId: 137,
  tier: 'Standard',
  orderVersion: 2,
  maxClockSkewSeconds: 60,
  minedMs: 2_000,
  confirmedMs: 3_000,
  rebateBps: 0,
  // An event of the examples of `serve --seed`.
  negRiskEvents: ['next-rate-decision'],
  heartbeatMs: 10_000,
};
