import type { PolymarketOrderVersion, PolymarketTier } from '../../protocol/polymarket/index.ts';

export interface PolymarketSettings {
  /** Chain of the signatures: 137 or 80002. */
  readonly chainId: number;
  /** Rate limits of each signer; undefined for no limits. */
  readonly tier: PolymarketTier | undefined;
  readonly orderVersion: PolymarketOrderVersion;
  /** Maximum difference between a signed request's time and the clock. Polymarket does not document its limit. */
  readonly maxClockSkewSeconds: number;
  /** Time from a match to MINED. */
  readonly minedMs: number;
  /** Time from MINED to CONFIRMED. */
  readonly confirmedMs: number;
  /** Share of taker fees that makers receive, bps. */
  readonly rebateBps: number;
  /** Ids of neg-risk events. At most one market of a neg-risk event resolves to YES. */
  readonly negRiskEvents: readonly string[];
  /** After this time without a heartbeat, an armed switch cancels the orders of its API key. */
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
  // An event among the examples of `serve --seed`.
  negRiskEvents: ['next-rate-decision'],
  heartbeatMs: 10_000,
};
