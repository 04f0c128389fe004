export {
  type FeedPorts,
  STREAM_LIMITS,
  type StreamCredentials,
  type StreamLimits,
  type StreamOptions,
} from './options.ts';
export type { ShownBalance, ShownPosition, Shows, VenueNotice } from './shows.ts';
export { type ShowsOf, showsOf } from './shows-of.ts';
export { StreamServer, type StreamTraffic } from './stream-server.ts';
