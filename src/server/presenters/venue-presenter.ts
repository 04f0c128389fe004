/** Settings of the venue. Cents: least amounts **up**, greatest **down**, so that what keeps to them is never refused. */
import type { ExchangeConfig } from '../../exchange/index.ts';
import { centsDown, centsUp, sharesFloat } from '../../protocol/index.ts';
import { LOT_SHARES } from './market-presenter.ts';
import type { Model } from './models.ts';

/** @param betPresets cents */
export function presentBettingConfig(config: ExchangeConfig, betPresets: readonly number[]): Model<'BettingConfig'> {
  return {
    minBetCents: centsUp(config.minBet),
    maxInitialBetCents: centsDown(config.maxInitialBet),
    betPresets,
    spreadBps: config.spreadBps,
    maxBatchOrders: config.maxBatchOrders,
    maxBatchCancels: config.maxBatchCancels,
    minHeartbeatMs: config.minHeartbeat,
    maxHeartbeatMs: config.maxHeartbeat,
    maxClockSkewMs: config.maxClockSkew,
    feeRateBps: config.feeRateBps,
  };
}

/** Seconds of the dispute window are rounded **down**: who disputes within them is never late. */
export function presentMarketConfig(config: ExchangeConfig): Model<'MarketConfig'> {
  return {
    maxQuestionLength: config.maxQuestionLength,
    maxExposurePerMarketCents: centsDown(config.maxExposurePerMarket),
    maxBetPerMarketCents: centsDown(config.maxBetPerMarket),
    tickSizeBps: config.tickBps,
    minOrderShares: sharesFloat(config.minOrderShares),
    lotShares: LOT_SHARES,
    disputeWindowSeconds: Math.floor(config.disputeWindow / 1_000),
  };
}
