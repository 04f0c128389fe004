export { fileMailSender, logMailSender } from './access/emails.ts';
export type { MailSender } from './access/ports.ts';
export {
  type AccessSettings,
  type BucketName,
  type BucketSize,
  completeAccessSettings,
  type GivenAccessSettings,
} from './access/settings.ts';
export type { PayoutSettings } from './access/simulated-payouts.ts';
export type { ChaosSettings } from './chaos/settings.ts';
export { checkVenue, type VenueFindings } from './check-venue.ts';
export type { Log } from './graphql/context.ts';
export type { HealthReport, ListenSettings } from './http/options.ts';
export { startLocalVenue } from './local-venue.ts';
export { OPERATOR_COMMANDS } from './operators/operators.ts';
export type { PolymarketSettings } from './polymarket/settings.ts';
export type { ReplaySettings } from './replay/recorded-markets.ts';
export { startServer } from './server.ts';
export type { ChainSettings, ResolverSettings, ServerOptions, VenueServer } from './server-options.ts';
export type { HouseSettings } from './simulation/house-market-maker.ts';
