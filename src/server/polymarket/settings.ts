/** Settings of the dialect. Milliseconds unless a name says otherwise. */
import type { PolymarketOrderVersion, PolymarketTier } from '../../protocol/polymarket/index.ts';

export interface PolymarketSettings {
  /** Chain of the signatures: 137 or 80002. */
  readonly chainId: number;
  /** Rate limits of each signer; undefined for none. */
  readonly tier: PolymarketTier | undefined;
  /** Version of orders that it takes. */
  readonly orderVersion: PolymarketOrderVersion;
  /** Largest difference between the time of a signed request and the clock, seconds. The venue does not document its own. */
  readonly maxClockSkewSeconds: number;
  /** From a match to its transaction, and from there to its confirmation. */
  readonly minedMs: number;
  readonly confirmedMs: number;
  /** Part of the taker fees of their fills that makers get, bps. */
  readonly rebateBps: number;
  /** Ids of events whose markets are neg-risk: at most one of them ends YES. */
  readonly negRiskEvents: readonly string[];
  /** Silence after which the orders of an API key that beats are cancelled. */
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
  // Of the examples of `serve --seed`.
  negRiskEvents: ['next-rate-decision'],
  heartbeatMs: 10_000,
};
