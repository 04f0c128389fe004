export { Account, type AccountNow, type AccountOptions, type Credential } from './account/account.ts';
export { type BotKeyWish, createBotKey } from './account/bot-key.ts';
export { keepEpoch } from './account/keep-epoch.ts';
export { type LoginChannel, type LoginPins, login, remedyFor } from './account/login.ts';
export { type KeySource, openKey, readSecret } from './keys/key-source.ts';
export {
  type BookAge,
  createMarketData,
  type MarketData,
  readTerms,
  type Selected,
  type Selection,
  selectMarkets,
  type VenueTerms,
} from './market-data/index.ts';
export { readMarkets, selectedOf, unreadable } from './market-data/select-markets.ts';
export type { StillOpen } from './orders/execution-client.ts';
export type { StuckCommand } from './orders/execution-deps.ts';
export type { LostTime } from './reconcile/lost-orders.ts';
export { compareSchema, type SchemaReport } from './schema-check/check-schema.ts';
export { ServiceVenue } from './service-venue.ts';
export type { ServiceVenueOptions, ServiceVenueSettings } from './service-venue-options.ts';
export {
  createTransport,
  endpointOf,
  measureClock,
  OperationTexts,
  readOperationTexts,
  type Transport,
  type TransportOptions,
} from './transport/index.ts';
export { WarmupVenue, type WarmupVenueOptions } from './warmup/warmup-venue.ts';
