export {
  type AccessSettings,
  accessSettings,
  type BucketName,
  type BucketSize,
  fileOutbox,
  type GeoSettings,
  type GivenAccessSettings,
  logOutbox,
  type Outbox,
  type PayoutSettings,
} from './access/index.ts';
export type { ChaosSettings } from './chaos/index.ts';
export { type CheckedState, checkVenue, type VenueFindings } from './check-venue.ts';
export type { Log } from './graphql/index.ts';
export type { HealthReport } from './http/index.ts';
export { LOCAL_CHAIN_ID, type LocalVenueOptions, startLocalVenue } from './local-venue.ts';
export { OPERATOR_COMMANDS, type OperatorAnswer } from './operators/index.ts';
export type { ChainSettings, HouseSettings, ResolverSettings } from './outside/index.ts';
export type { RecordedTape, ReplaySettings } from './replay/index.ts';
export { startServer } from './server.ts';
export type { ListenSettings, ServerOptions, VenueServer } from './server-options.ts';
export type { StorePort } from './store-port.ts';
