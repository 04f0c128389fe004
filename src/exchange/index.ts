export type {
  Archive,
  FillFilter,
  LedgerFilter,
  OrderFilter,
  OrderPosition,
  Page,
  PageRequest,
  PriceRequest,
  ProjectorStart,
  ResumedEvents,
} from './archive/archive.ts';
export { MARKET_STATISTICS, STATISTIC_NAMES, type StatisticName, statisticsIn } from './archive/market-statistics.ts';
export { addMarketRow, toPricePoint } from './archive/market-tracker.ts';
export { unsignedId } from './archive/open-order.ts';
export { Projector } from './archive/projector.ts';
export {
  type Registry,
  type RegistryChange,
  type RegistryCodec,
  type RegistryEntry,
  RegistryTable,
  type RegistryTableName,
} from './archive/registry.ts';
export {
  ROW,
  type RowBatch,
  RowCursor,
  type RowKind,
  type RowSource,
  type RowText,
  RowWriter,
} from './archive/row-batch.ts';
export {
  cancelReasonOfCode,
  type EventNumbers,
  type FillNumbers,
  fromCode,
  ledgerKindCode,
  ledgerKindOfCode,
  marketStatusOfCode,
  timeInForceOfCode,
  toCode,
  toFillRow,
  toOrderEventRow,
  toOrderProgress,
} from './archive/row-codes.ts';
export {
  type AccountRow,
  type ClassifyTransfer,
  type FillRow,
  type HoldingRow,
  type LedgerRow,
  type MarketRow,
  ORDER_STATUSES,
  type OrderEventRow,
  type OrderRow,
  PRICE_INTERVALS,
  type PricePointRow,
  type TradeRow,
  type TransferKind,
  transferKindBySign,
} from './archive/rows.ts';
export type { ExchangeCommand, Place, Replace, Transfer } from './command.ts';
export {
  BET_PRESETS_CENTS,
  CONFIG_KEYS,
  configRefusal,
  DEFAULT_CONFIG,
  type ExchangeConfig,
} from './config.ts';
export { WHOLE_COMMAND } from './engine/event-sequencer.ts';
export { Exchange } from './engine/exchange.ts';
export type { ExchangeOptions } from './engine/exchange-context.ts';
export type { Identities } from './engine/identities.ts';
export type { VisibleBook } from './engine/public-book.ts';
export type { BookFactory, BookOptions, TapeEffects } from './engine/tape-effects.ts';
export type { ExchangeView, HoldingView, OpenOrderView, OutcomePosition } from './engine/view.ts';
export { visitBatch } from './journal/batch-codec.ts';
export { DurableExchange, MAX_TIME_STEP } from './journal/durable-exchange.ts';
export type { AppliedCommand, ExchangeEvent } from './journal/event-recorder.ts';
export type { Journal, JournalBatch, OnDurable, Snapshot } from './journal/journal.ts';
export { recover, restoreSnapshot } from './journal/recover.ts';
export { takeSnapshot } from './journal/snapshot-writer.ts';
export type { CreateMarket, Decision, MarketCommand, RecordedVote } from './market-command.ts';
export type { MarketChanged, ResolutionStepped, TransparencyStep } from './market-event.ts';
export type { Json } from './markets/canonical-json.ts';
export { type Chain, SimulatedChain } from './markets/chain.ts';
export { ChainAndResolver } from './markets/chain-and-resolver.ts';
export { toResolutionOutcome } from './markets/lifecycle-state.ts';
export { acceptsOrders, type MarketRecord } from './markets/market-record.ts';
export {
  manualResolver,
  type PanelModel,
  PanelResolver,
  type Resolver,
  type ScriptedOutcome,
  ScriptedResolver,
} from './markets/resolver.ts';
export { findRecordError, transparencyRecord } from './markets/transparency-record.ts';
export type { Book, MatchSink, RecordedMarket, RecordedMarketSink, RecordedState } from './matching/book.ts';
export {
  BOOK_RESULT,
  CLOSE,
  FORCE,
  inYesTerms,
  isBidKind,
  ORDER_KINDS,
  orderKind,
  SELF_TRADE,
} from './matching/codes.ts';
export { LevelQueues } from './matching/level-queues.ts';
export { MatchingBook } from './matching/matching-book.ts';
export { OrderSlots } from './matching/order-slots.ts';
export type { AccountCommand, OrderTerms, Restriction } from './order-terms.ts';
export { type BetCaller, type BetSize, betLimits, betQuote } from './quotes/bet-quote.ts';
export { type HouseOrder, houseCommand } from './quotes/house-maker.ts';
export { QUOTE_POLICIES, type QuotePolicy, type QuotePolicyName, type RetailQuote } from './quotes/retail-quote.ts';
export type { LimitUnit, Refusal } from './refusal.ts';
export type { ExchangeSink, RareEvent } from './sink.ts';
export type { StateReader, StateWriter } from './state-writer.ts';
export type { PlayTape, TapeRows } from './tape-command.ts';
