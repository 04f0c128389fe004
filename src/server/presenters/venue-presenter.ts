/** Public settings. Rounds cents of minimums **up** and of maximums **down**, so that amounts within them are never refused. */
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

/** Rounds the dispute window **down** to seconds, so that a dispute within it is never late. */
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
