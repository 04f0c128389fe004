/** Smallest and largest order now (docs/api/types.md#betlimits). */
import { column, MAX_ORDER_SHARES, type MicroShares, type MicroUsd, type Side } from '../../domain/index.ts';
import type { ExchangeConfig } from '../config.ts';
import type { MarketRecord } from '../markets/market-record.ts';

/** The caller in a market and an outcome. */
export interface BetCaller {
  /** By the venue's measure (docs/spec/venue.md#limits), micro-USD, not negative. */
  readonly exposure: number;
  /** Free shares of the requested outcome (not in open orders), micro-shares. */
  readonly available: number;
}

/** The limits that stand, in the units of the engine. */
export interface BetLimits {
  /** Of a BUY's price times shares. */
  readonly minBet: MicroUsd;
  /** Likewise; what is left of the caller's exposure where that is less. */
  readonly maxBet: MicroUsd;
  /** In one order; of a caller's SELL no more than is available. */
  readonly maxShares: MicroShares;
  readonly maxExposure: MicroUsd;
  /** Undefined without a caller. */
  readonly remainingExposure: MicroUsd | undefined;
  /** Of a BUY. */
  readonly minOrderShares: MicroShares;
}

/** The limits of configuration and market, narrowed by what the caller has; of no account where `caller` is undefined. */
export function betLimits(
  config: Pick<ExchangeConfig, 'minBet' | 'maxBetPerMarket' | 'maxExposurePerMarket'>,
  { minOrderShares }: Readonly<Pick<MarketRecord, 'minOrderShares'>>,
  { caller, side }: { readonly caller: BetCaller | undefined; readonly side: Side | undefined },
): BetLimits {
  const { minBet, maxBetPerMarket, maxExposurePerMarket } = config;
  const remaining = caller === undefined ? undefined : Math.max(0, maxExposurePerMarket - caller.exposure);
  const sellable = caller === undefined || side !== 'SELL' ? MAX_ORDER_SHARES : caller.available;
  return {
    minBet,
    maxBet: column.usd(Math.min(maxBetPerMarket, remaining ?? maxBetPerMarket)),
    maxShares: column.shares(Math.min(sellable, MAX_ORDER_SHARES)),
    maxExposure: maxExposurePerMarket,
    remainingExposure: remaining === undefined ? undefined : column.usd(remaining),
    minOrderShares,
  };
}
