export { accountChangingFault, accountDiffersFault } from './account-monitor.ts';
export { batches, groupCommands } from './batches.ts';
export { ClockOffset } from './clock-offset.ts';
export { ExecutionReporter } from './execution-reporter.ts';
export {
  type BadMarket,
  type KnownMarkets,
  type MarketDirectory,
  type MarketSelector,
  type Selection,
  type SelectionNumbers,
  unreadableMarketFault,
} from './market-directory.ts';
export { MarketFeed, type MarketFeedDeps } from './market-feed.ts';
export { MarketStatusTracker } from './market-status-tracker.ts';
export { checkFill, marketNumber, type OwnFill, type OwnOrderEvent } from './own-event.ts';
export type { FailingCommand, Log, MarketDataSink, ReporterDeps, VenueProblem } from './ports.ts';
export { PrintFlusher, type PublicTrade } from './prints.ts';
export { RecentKeys } from './recent-keys.ts';
export { type ComparisonResult, countJournal } from './recovery-recorder.ts';
export { RowWriter } from './row-writer.ts';
export { saltSecret } from './salt-secret.ts';
export { seenTime } from './staleness-monitor.ts';
export { Backoff, Timers } from './timers.ts';
export {
  type AccountSettings,
  type StartPolicy,
  type StartResult,
  TradingVenue,
  type TradingVenueOptions,
  type UnrecordedPeriod,
} from './trading-venue.ts';
export { type MarketData, VenueMarketData } from './venue-market-data.ts';
export { type SentReplace, VenueOrder, VenueOrders } from './venue-orders.ts';
