export type {
  Archive,
  FillFilter,
  LedgerFilter,
  MarketStart,
  OrderFilter,
  OrderPosition,
  Page,
  PageRequest,
  PriceRequest,
  ProjectorStart,
  ResumedEvents,
} from './archive/archive.ts';
export { unsignedId } from './archive/open-order.ts';
export { pricePointOf } from './archive/price-track.ts';
export { Projector, type ProjectorOptions } from './archive/projector.ts';
export {
  REGISTRY_TABLES,
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
  type RowKind,
  type RowSource,
  type RowText,
  RowWriter,
  visitRows,
} from './archive/row-batch.ts';
export {
  cancelReasonOf,
  codeOf,
  type EventNumbers,
  type FillNumbers,
  fillOf,
  forceOfCode,
  ledgerKindCode,
  ledgerKindOf,
  marketStatusCode,
  marketStatusOf,
  orderEventOf,
  progressOf,
  wordOf,
} from './archive/row-codes.ts';
export {
  type AccountRow,
  bySign,
  type FillRow,
  type HoldingRow,
  LEDGER_KINDS,
  type LedgerKind,
  type LedgerRow,
  type MarketRow,
  type NameTransfer,
  ORDER_EVENT_KINDS,
  ORDER_STATUSES,
  type OrderEventKind,
  type OrderEventRow,
  type OrderProgress,
  type OrderRow,
  type OrderStatus,
  PRICE_INTERVALS,
  type PriceInterval,
  type PricePointRow,
  type TradeRow,
  type TransferKind,
} from './archive/rows.ts';
export type {
  Cancel,
  CancelAllOrders,
  CancelMarketOrders,
  Claim,
  Configure,
  Convert,
  CreateGroup,
  DeleteGroup,
  DisarmHeartbeat,
  ExchangeCommand,
  Heartbeat,
  OpenAccount,
  Place,
  PlaceBatch,
  Reduce,
  Replace,
  RevokeCredential,
  SetMode,
  Tick,
  Transfer,
  UpdateGroup,
} from './command.ts';
export { type ExchangeConfig, VENUE_MODES, type VenueMode } from './config.ts';
export type { Switch } from './engine/credentials.ts';
export { BET_PRESETS_CENTS, CONFIG_KEYS, configRefusal, DEFAULT_CONFIG } from './engine/defaults.ts';
export { Exchange } from './engine/exchange.ts';
export type { ExchangeCapacity, ExchangeOptions } from './engine/exchange-context.ts';
export { ExchangeStopped } from './engine/exchange-stopped.ts';
export { type Identities, MemoryIdentities } from './engine/identities.ts';
export type { ExchangeLimits } from './engine/limits.ts';
export type { ShownBook } from './engine/market-quotes.ts';
export type { OrderGroup } from './engine/order-groups.ts';
export { RECORDING_VERSION, STATE_VERSION } from './engine/state.ts';
export type { BookMaker, BookOf, Tape } from './engine/tape.ts';
export type { AccountView, ExchangeView, HoldingView, OpenOrderView, PositionView } from './engine/view.ts';
export { type BatchVisitor, visitBatch } from './journal/batch-codec.ts';
export { DurableExchange, type DurableExchangeOptions } from './journal/durable-exchange.ts';
export { type AppliedCommand, EventRecorder, type ExchangeEvent } from './journal/event-recorder.ts';
export type { Durable, Journal, JournalBatch, Snapshot, StateMachine } from './journal/journal.ts';
export { type RecoverOptions, type Recovery, recover, restoreSnapshot } from './journal/recover.ts';
export {
  type CastVote,
  CHAIN_STEPS,
  type ChainConfirmed,
  type ChainFailed,
  type ChainStep,
  type ChangeMinOrder,
  type ChangeTick,
  type CloseEarly,
  type CreateMarket,
  type DecideManually,
  type Decision,
  type Dispute,
  type HaltMarket,
  type MarketCommand,
  type ModelVote,
  type MoveDate,
  type RecordedVote,
  type RetryResolution,
  type UpholdDispute,
  type VoidByCreator,
  type VoidMarket,
} from './market-command.ts';
export type { ChainAsked, MarketChanged, MarketEvent, ResolutionAsked, ResolutionStepped } from './market-event.ts';
export { Agenda } from './markets/agenda.ts';
export { canonicalJson, type Json } from './markets/canonical-json.ts';
export { type Chain, SimulatedChain, type SimulatedChainOptions } from './markets/chain.ts';
export { ChainAndResolver, type OpenQuestion, openQuestion } from './markets/chain-and-resolver.ts';
export { type LastQuotes, type MarketRecord, type RecordedDispute, takesOrders } from './markets/market-record.ts';
export { outcomeOf } from './markets/outcome.ts';
export { type PanelModel, type PanelOptions, PanelResolver } from './markets/panel-resolver.ts';
export { manualResolver, type Resolver, type ScriptedOutcome, ScriptedResolver } from './markets/resolver.ts';
export { TRANSITIONS, type Transition } from './markets/transitions.ts';
export {
  recordFault,
  type TransparencyRecord,
  timeText,
  transparencyRecord,
} from './markets/transparency-record.ts';
export type { Book } from './matching/book.ts';
export { CheckedBook } from './matching/checked-book.ts';
export {
  ANSWER,
  CLOSE,
  CLOSE_CODES,
  FORCE,
  forceOf,
  inYesTerms,
  isBidKind,
  MATCH,
  MATCH_TYPES,
  ORDER_KIND,
  ORDER_KINDS,
  orderKind,
  rejectReason,
  SELF_TRADE,
  selfTradeOf,
} from './matching/codes.ts';
export { Ladder as OrderLadder } from './matching/ladder.ts';
export type { MatchSink } from './matching/match-sink.ts';
export { MatchingBook, type MatchingBookOptions } from './matching/matching-book.ts';
export { OrderSlots } from './matching/order-slots.ts';
export type { RecordedState, Recording, RecordingSink } from './matching/recording.ts';
export {
  type AccountCommand,
  type OrderTerms,
  type Restriction,
  SELF_TRADE_MODES,
  type SelfTradeMode,
} from './order-terms.ts';
export { type BetCaller, type BetLimits, betLimits } from './quotes/bet-limits.ts';
export { type BetQuote, type BetRequest, type BetSize, betQuote } from './quotes/bet-quote.ts';
export type { BookView, Touch } from './quotes/book-view.ts';
export { referencePrice } from './quotes/book-view.ts';
export { type HouseConfig, type HouseOrder, type HouseView, houseCommand, housePrices } from './quotes/house-maker.ts';
export {
  additive,
  fromBook,
  multiplicative,
  QUOTE_POLICIES,
  type QuoteBasis,
  type QuotePolicy,
  type QuotePolicyName,
  varianceScaled,
} from './quotes/quote-policy.ts';
export { closedQuote, type RetailQuote, retailQuote } from './quotes/retail-quote.ts';
export { LIMIT_UNITS, type LimitUnit, type Refusal } from './refusal.ts';
export type { ExchangeSink, RareEvent, TapeEvent } from './sink.ts';
export { type Hash, StateHash } from './state-hash.ts';
export { HashWriter, type StateReader, type StateWriter } from './state-writer.ts';
export type {
  Following,
  FollowTape,
  PlayTape,
  RecordingTerms,
  TapeCommand,
  TapePlace,
  TapeRows,
} from './tape-command.ts';
export type { Sha256, TransparencyStep } from './transparency.ts';
