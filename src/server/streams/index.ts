export {
  type FeedDeps,
  STREAM_LIMITS,
  type StreamCredentials,
  type StreamLimits,
  type StreamOptions,
} from './options.ts';
export { StreamServer, type StreamTraffic } from './stream-server.ts';
