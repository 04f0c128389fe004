/** Smallest and largest order at present (docs/api/types.md#betlimits). */
import { column, MAX_ORDER_SHARES, type Side } from '../../domain/index.ts';
import type { ExchangeConfig } from '../config.ts';
import type { MarketRecord } from '../markets/market-record.ts';

/** The caller in a market and an outcome. */
export interface BetCaller {
  /** As the venue limits it (docs/spec/venue.md#limits), micro-USD, not negative. */
  readonly exposure: number;
  /** Free shares of the requested outcome (not in open orders), micro-shares. */
  readonly available: number;
}

/** Returns the limits of configuration and market, reduced to the caller's exposure and shares. */
export function betLimits(
  config: Pick<ExchangeConfig, 'minBet' | 'maxBetPerMarket' | 'maxExposurePerMarket'>,
  { minOrderShares }: Readonly<Pick<MarketRecord, 'minOrderShares'>>,
  { caller, side }: { readonly caller: BetCaller | undefined; readonly side: Side | undefined },
) {
  const { minBet, maxBetPerMarket, maxExposurePerMarket } = config;
  const remaining = caller === undefined ? undefined : Math.max(0, maxExposurePerMarket - caller.exposure);
  const sellable = caller === undefined || side !== 'SELL' ? MAX_ORDER_SHARES : caller.available;
  return {
    /** Smallest price times shares of a BUY. */
    minBet,
    /** Largest price times shares of a BUY, at most the caller's remaining exposure. */
    maxBet: column.usd(Math.min(maxBetPerMarket, remaining ?? maxBetPerMarket)),
    /** Largest order; for a SELL at most the caller's available shares. */
    maxShares: column.shares(Math.min(sellable, MAX_ORDER_SHARES)),
    maxExposure: maxExposurePerMarket,
    /** Undefined without a caller. */
    remainingExposure: remaining === undefined ? undefined : column.usd(remaining),
    /** Smallest BUY. */
    minOrderShares,
  };
}
