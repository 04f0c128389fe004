export {
  assertMarkets,
  assignStrategies,
  type ConfiguredStrategy,
  checkStrategyParams,
  instantiateAssignment,
  type LoadedEntry,
  loadStrategies,
  type NamedMarket,
  runWithFaultPrefix,
  tradesMarket,
} from './configured-strategies.ts';
export { TradingCore } from './core.ts';
export { checkFolder, isSpecialFile, makeFolder, readFileAtMost } from './files.ts';
export { flattenObstacles } from './flattening.ts';
export { hashFolder, SOURCE_HASH_FILE } from './folder-hash.ts';
export { HashStore, hashState, type RunIdentity } from './hash-store.ts';
export type { WantedQuotes } from './intent-executor.ts';
export { strategyLine } from './load-fault.ts';
export { type LoadOptions, loadParamsSchema, loadStrategy } from './loader.ts';
export { isMarketId, marketIdFromName, polymarketMarketId, toIdOrSlug } from './market-id-from-name.ts';
export {
  computeSelectionChange,
  type LeaveReason,
  type MarketCandidate,
  type SelectionRules,
  selectionSchema,
} from './market-selection.ts';
export { MissedFills } from './missed-fills.ts';
export {
  type Core,
  checkConsecutive,
  type EventStore,
  type OrderRecords,
  placedOrders,
  type SignedRecord,
  type Step,
  type StoredCash,
  type StoredTrade,
  type Venue,
  type VenueSession,
  type VenueSink,
} from './ports.ts';
export { type BotSnapshot, type RecoveredBot, recover, rejectInterruptedCommands, type StoredRun } from './recovery.ts';
export {
  GAP_CAUSES,
  type Gap,
  type HeldShares,
  hasFindings,
  type PositionChange,
  type RecoveryReport,
  recoveryText,
} from './recovery-report.ts';
export { replaySession } from './replay-session.ts';
export { Run } from './run.ts';
export { encodeStep } from './step-codec.ts';
export { decodeStep } from './step-decoder.ts';
export { instantiateStrategy, parseParams, type StrategyInstance, signalNames } from './strategy-instance.ts';
export { createStrategyLog, type LogSource, type StrategyLogLine } from './strategy-log.ts';
export { mergeParams, type StrategyAssignment, StrategyAssignments } from './strategy-registry.ts';
export type { StateOwner } from './strategy-states.ts';
