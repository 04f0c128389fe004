export { type LoginChannel, type LoginPins, login, remedyFor } from './account/login.ts';
export { storeEpoch } from './account/order-epoch.ts';
export { openKey, readSecret } from './keys/key-source.ts';
export { readTerms, ServiceDirectory, ServiceMarketData, type VenueTerms } from './market-data/index.ts';
export { compareSchema } from './schema-check/check-schema.ts';
export { ServiceVenue } from './service-venue.ts';
export {
  createTransport,
  measureClock,
  OperationTexts,
  parseEndpoint,
  readOperationTexts,
  type Transport,
  type TransportOptions,
} from './transport/index.ts';
export { WarmupVenue } from './warmup/warmup-venue.ts';
