/** `bettingConfig` and `marketConfig` in units of the house, and what they let orders in one market be. */
import { column, feeRateBps, type MarketLimits, type MicroUsd, microUsd } from '../../../domain/index.ts';
import {
  type BettingConfigFieldsFragment,
  type MarketConfigFieldsFragment,
  microSharesOf,
  OPERATIONS,
  type VenueMode,
} from '../../../protocol/index.ts';
import { expectData, type Transport } from '../transport/index.ts';
import type { VenueTerms } from './selection-port.ts';

/** One cent in micro-USD. */
const CENT = 10_000;
/** A limit of a billion dollars is none; sums of a few such amounts stay exact. */
const MOST_LIMIT = 1e15;

/** What of a market its limits hang on. */
export interface MarketTerms {
  /** Shares. */
  readonly minOrderShares: number;
  /** As the venue names it. */
  readonly feeRateBps: unknown;
  /** `betLimits`, where they were read. */
  readonly bet?: BetTerms | undefined;
}

/** `betLimits` without an account. */
export interface BetTerms {
  readonly minBetCents: number;
  readonly maxBetCents: number;
  readonly maxExposurePerMarketCents: number;
  readonly minOrderShares: number;
}

/** Reads mode and configuration. @throws Fault LINK, BLOCKED or REFUSED */
export async function readTerms(transport: Transport): Promise<VenueTerms> {
  const options = { anonymous: true };
  const [health, betting, market] = await Promise.all([
    transport.query(OPERATIONS.health, {}, options),
    transport.query(OPERATIONS.bettingConfig, {}, options),
    transport.query(OPERATIONS.marketConfig, {}, options),
  ]);
  return termsOf(
    expectData(health, 'health').health.mode,
    expectData(betting, 'bettingConfig').bettingConfig,
    expectData(market, 'marketConfig').marketConfig,
  );
}

export function termsOf(
  mode: VenueMode,
  betting: BettingConfigFieldsFragment,
  market: MarketConfigFieldsFragment,
): VenueTerms {
  return {
    mode,
    minBet: limitOf(betting.minBetCents),
    maxBet: limitOf(market.maxBetPerMarketCents),
    maxExposure: limitOf(market.maxExposurePerMarketCents),
    spreadBps: betting.spreadBps,
    feeRateBps: betting.feeRateBps,
    tickBps: market.tickSizeBps,
    mostPlaces: betting.maxBatchOrders,
    mostCancels: betting.maxBatchCancels,
    minHeartbeat: column.duration(betting.minHeartbeatMs),
    maxHeartbeat: column.duration(betting.maxHeartbeatMs),
    maxClockSkew: column.duration(betting.maxClockSkewMs),
  };
}

/** The narrower one counts, where the venue's terms and those of the market both say something. */
export function limitsOf(terms: VenueTerms, { minOrderShares, feeRateBps: named, bet }: MarketTerms): MarketLimits {
  const rate = feeRateBps(named);
  const least = microSharesOf('minOrderShares', minOrderShares);
  if (bet === undefined) {
    const { minBet, maxBet, maxExposure, spreadBps } = terms;
    return { minOrderShares: least, minBet, maxBet, maxExposure, feeRateBps: rate, spreadBps };
  }
  const { maxBet, minBet, maxExposure } = terms;
  return {
    minOrderShares: column.shares(Math.max(least, microSharesOf('betLimits.minOrderShares', bet.minOrderShares))),
    minBet: microUsd(Math.max(minBet, limitOf(bet.minBetCents))),
    maxBet: microUsd(Math.min(maxBet, limitOf(bet.maxBetCents))),
    maxExposure: microUsd(Math.min(maxExposure, limitOf(bet.maxExposurePerMarketCents))),
    feeRateBps: rate,
    spreadBps: terms.spreadBps,
  };
}

function limitOf(cents: number): MicroUsd {
  return microUsd(Math.min(cents * CENT, MOST_LIMIT));
}

export function sameLimits(a: MarketLimits, b: MarketLimits): boolean {
  return (
    a.minOrderShares === b.minOrderShares &&
    a.minBet === b.minBet &&
    a.maxBet === b.maxBet &&
    a.maxExposure === b.maxExposure &&
    a.feeRateBps === b.feeRateBps &&
    a.spreadBps === b.spreadBps
  );
}
