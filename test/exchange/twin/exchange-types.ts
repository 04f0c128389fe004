/** Types of commands, events and configuration that the twin shares with the exchange. */

export type { VenueMode } from '../../../src/domain/index.ts';
export { VENUE_MODES } from '../../../src/domain/index.ts';
export type {
  AllowReversals,
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
  ReverseTrade,
  RevokeCredential,
  SetMode,
  Transfer,
  UpdateGroup,
} from '../../../src/exchange/command.ts';
export type { ExchangeConfig } from '../../../src/exchange/config.ts';
export type { ChainStep, CreateMarket, MarketCommand, RecordedVote } from '../../../src/exchange/market-command.ts';
export type { TransparencyStep } from '../../../src/exchange/market-event.ts';
export { orderKind } from '../../../src/exchange/matching/codes.ts';
export type { AccountCommand, OrderTerms } from '../../../src/exchange/order-terms.ts';
export type { Refusal } from '../../../src/exchange/refusal.ts';
export type { ExchangeSink, RareEvent } from '../../../src/exchange/sink.ts';
export { StateHash, type StateWriter } from '../../../src/exchange/state-writer.ts';
