/** Converts a market of Polymarket to the types and units of a run. */
import {
  LOT,
  type MarketInfo,
  type MarketLimits,
  type MarketNo,
  type MicroShares,
  microShares,
  microUsd,
  unchecked,
} from '../../domain/index.ts';
import type {
  PolymarketListing,
  PolymarketMarketRecord,
  PolymarketTradingTerms,
} from '../../protocol/polymarket/index.ts';
import { polymarketMarketId } from '../../runtime/index.ts';
import type { MarketSetup } from '../../state/index.ts';

export interface PolymarketMarket {
  /** Condition id: 0x and 64 lower-case hex digits. */
  readonly condition: string;
  /** YES first. */
  readonly tokens: readonly [yes: string, no: string];
  readonly isNegRisk: boolean;
  readonly info: MarketInfo;
  readonly limits: MarketLimits;
}

/** Data of a market that does not have a number in the run yet. */
export interface MarketDetails {
  readonly record: PolymarketMarketRecord;
  readonly listing: PolymarketListing;
  readonly terms: PolymarketTradingTerms;
}

/** A billion dollars. Sums of a few such amounts stay exact. */
const NO_LIMIT = microUsd(1e15);

export function toPolymarketMarket({ record, terms }: MarketDetails, market: MarketNo): PolymarketMarket {
  const { market: condition, assets, slug, question, endsAt, negRiskEvent } = record;
  return {
    condition,
    tokens: assets,
    isNegRisk: terms.isNegRisk,
    info: {
      market,
      id: polymarketMarketId(condition),
      slug: slug ?? condition,
      question: question ?? slug ?? condition,
      grid: { type: 'tick', tickBps: terms.tickBps },
      scheduledResolution: endsAt,
      venue: 'polymarket',
      ...(negRiskEvent === undefined ? {} : { eventId: negRiskEvent, exclusive: true }),
    },
    limits: toMarketLimits(terms),
  };
}

/** Converts terms to limits. The venue limits only sizes. Its $1 minimum for a marketable BUY is not modelled. */
export function toMarketLimits({ minOrderShares, feeRateBps }: PolymarketTradingTerms): MarketLimits {
  return {
    minOrderShares: roundUpToLots(minOrderShares),
    minBet: microUsd(0),
    maxBet: NO_LIMIT,
    maxExposure: NO_LIMIT,
    feeRateBps,
    spreadBps: 0,
  };
}

export function toMarketSetup({ info, limits }: PolymarketMarket, { terms }: MarketDetails): MarketSetup {
  const state = { status: 'OPEN', acceptingOrders: terms.acceptsOrders, placeDelay: unchecked.duration(0) } as const;
  return { info, limits, state };
}

/** Rounds micro-shares **up** to whole lots. */
function roundUpToLots(micro: number): MicroShares {
  return microShares(Math.ceil(micro / LOT) * LOT);
}
