export { type AccessSettings, accessSettings, fileOutbox, type GeoSettings, logOutbox } from './access/index.ts';
export type { ChaosSettings } from './chaos/index.ts';
export type { Log } from './graphql/index.ts';
export { OPERATOR_COMMANDS, type OperatorAnswer } from './operators/index.ts';
export type { ChainSettings, HouseSettings, ResolverSettings } from './outside/index.ts';
export { startServer } from './server.ts';
export type { ListenSettings, ServerOptions, VenueServer } from './server-options.ts';
export type { StorePort } from './store-port.ts';
