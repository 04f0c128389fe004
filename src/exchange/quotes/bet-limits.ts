/** Smallest and largest order now (docs/api/types.md#betlimits). */
import { column, MAX_ORDER_SHARES, type Side } from '../../domain/index.ts';
import type { ExchangeConfig } from '../config.ts';
import type { MarketRecord } from '../markets/market-record.ts';

/** The caller in a market and an outcome. */
export interface BetCaller {
  /** By the venue's measure (docs/spec/venue.md#limits), micro-USD, not negative. */
  readonly exposure: number;
  /** Free shares of the requested outcome (not in open orders), micro-shares. */
  readonly available: number;
}

/** The limits of configuration and market, narrowed by what the caller has; of no account where `caller` is undefined. */
export function betLimits(
  config: Pick<ExchangeConfig, 'minBet' | 'maxBetPerMarket' | 'maxExposurePerMarket'>,
  { minOrderShares }: Readonly<Pick<MarketRecord, 'minOrderShares'>>,
  { caller, side }: { readonly caller: BetCaller | undefined; readonly side: Side | undefined },
) {
  const { minBet, maxBetPerMarket, maxExposurePerMarket } = config;
  const remaining = caller === undefined ? undefined : Math.max(0, maxExposurePerMarket - caller.exposure);
  const sellable = caller === undefined || side !== 'SELL' ? MAX_ORDER_SHARES : caller.available;
  return {
    /** Of a BUY's price times shares. */
    minBet,
    /** Likewise; what is left of the caller's exposure where that is less. */
    maxBet: column.usd(Math.min(maxBetPerMarket, remaining ?? maxBetPerMarket)),
    /** In one order; of a caller's SELL no more than is available. */
    maxShares: column.shares(Math.min(sellable, MAX_ORDER_SHARES)),
    maxExposure: maxExposurePerMarket,
    /** Undefined without a caller. */
    remainingExposure: remaining === undefined ? undefined : column.usd(remaining),
    /** Of a BUY. */
    minOrderShares,
  };
}
