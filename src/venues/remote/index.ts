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
export type { StillOpen } from './orders/order-desk.ts';
export type { StuckCommand } from './orders/orders-of.ts';
export type { LostTime } from './reconcile/lost-orders.ts';
export { Loopback } from './rehearsal/loopback.ts';
export { RehearsalVenue, type RehearsalVenueOptions } from './rehearsal/rehearsal-venue.ts';
export type { RemoteSettings } from './remote-settings.ts';
export { RemoteVenue } from './remote-venue.ts';
export type { RemoteVenueOptions } from './remote-venue-options.ts';
export { compareSchema, type SchemaReport } from './schema-check/index.ts';
export {
  createTransport,
  endpointOf,
  measureClock,
  OperationTexts,
  readOperationTexts,
  type Transport,
  type TransportOptions,
} from './transport/index.ts';
