export { BlockDraws, BlockSums } from './block-bootstrap.ts';
export { Drawdown, EquityCurve, sharpeRatio } from './equity-curve.ts';
export { ExtremesLine } from './extremes-line.ts';
export { computeHalfSpreads, MarketHalfSpreads, pairHalfSpreads } from './half-spreads.ts';
export { LiquidityRewards, paidRewards, type RewardTerms } from './liquidity-rewards.ts';
export { DetailHalfSpreads, MarketDetailCollector } from './market-detail.ts';
export { type CollectedMarket, MarketTotals } from './market-totals.ts';
export { HORIZONS, MarkoutTotals, type MeanSums } from './markouts.ts';
export type {
  FillPoint,
  HalfSpreads,
  HorizonRow,
  LevelRow,
  Line,
  MakerHalfSpreads,
  MarketLines,
  MeasuredOrder,
  TagResults,
  WeightedMean,
} from './measure-types.ts';
export {
  FillRatio,
  LevelTotals,
  type PlacedLevel,
  QueueAhead,
  type QueueAheadResult,
  rankLevel,
} from './order-levels.ts';
export { QuotingUptime, type TimeAtBest, type UptimeConditions } from './quoting-uptime.ts';
export { type StrategyResult, StrategyTotals, type StrategyTotalsSnapshot } from './strategy-totals.ts';
export { TagTotals } from './tag-totals.ts';
export { TimeIntegral } from './time-statistics.ts';
