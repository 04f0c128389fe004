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
export { CONFIG_KEYS, configRefusal, DEFAULT_CONFIG } from './engine/defaults.ts';
export { Exchange } from './engine/exchange.ts';
export { ExchangeStopped } from './engine/exchange-stopped.ts';
export { type Identities, MemoryIdentities } from './engine/identities.ts';
export type { ShownBook } from './engine/market-quotes.ts';
export type { OrderGroup } from './engine/order-groups.ts';
export type { ExchangeCapacity, ExchangeOptions } from './engine/rooms.ts';
export { STATE_VERSION } from './engine/state.ts';
export type { AccountView, ExchangeView, HoldingView, OpenOrderView, PositionView } from './engine/view.ts';
export {
  type CastVote,
  CHAIN_STEPS,
  type ChainConfirmed,
  type ChainFailed,
  type ChainStep,
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
export type { MarketRecord } from './markets/market-record.ts';
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
export type { MatchSink } from './matching/match-sink.ts';
export { MatchingBook, type MatchingBookOptions } from './matching/matching-book.ts';
export { OrderSlots } from './matching/order-slots.ts';
export {
  type Asked,
  type OrderTerms,
  type Restriction,
  SELF_TRADE_MODES,
  type SelfTradeMode,
} from './order-terms.ts';
export { type ExchangeEvent, recordEvents } from './record-events.ts';
export { LIMIT_UNITS, type LimitUnit, type Refusal } from './refusal.ts';
export type { ExchangeSink, RareEvent } from './sink.ts';
export { type Hash, StateHash } from './state-hash.ts';
export { HashWriter, type StateReader, type StateWriter } from './state-writer.ts';
export type { Sha256, TransparencyStep } from './transparency.ts';
