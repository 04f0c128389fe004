import type { Clock } from '../../clock/index.ts';
import type { Archive } from '../../exchange/index.ts';
import type { Credentials } from '../access/credentials.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import type { GraphqlService } from '../graphql/service.ts';
import type { ListenSettings } from '../http/options.ts';
import type { MarketViewCache } from '../presenters/market-presenter.ts';
import type { Announcement } from '../venue-announcement.ts';
import type { WireIds } from '../wire-ids.ts';

export interface FeedDeps {
  readonly queue: Pick<CommandQueue, 'read' | 'view' | 'watch'>;
  readonly archive: Archive;
  readonly ids: WireIds;
  readonly marketViews: MarketViewCache;
  /** Preset bet amounts, cents. */
  readonly betPresets: readonly number[];
  readonly announcement: () => Announcement | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export interface StreamOptions extends FeedDeps {
  readonly graphql: GraphqlService;
  readonly credentials: Pick<Credentials, 'identify' | 'onEnd'>;
  /** Unguessable prefix of request ids, of fixed length. */
  readonly runId: string;
  readonly listen: Pick<ListenSettings, 'base' | 'trustedProxies' | 'origins'>;
  readonly limits: StreamLimits;
}

/**
 * Limits of clients. A request beyond a limit gets an error, unless the comment names an HTTP status or a close code.
 * The defaults allow ten thousand bots on one host. Lower `maxPerAddress` for public servers.
 */
export const STREAM_LIMITS = {
  /** Open connections; status 503. */
  maxConnections: 20_000,
  /** Open connections per address (IPv6: per /64); status 429. */
  maxPerAddress: 12_000,
  /** Subscriptions per address, counting each market of a list. */
  maxSubscriptionsPerAddress: 100_000,
  /** Answer shapes (fields and book depth) per address. */
  maxShapes: 100,
  /** Characters of an address's answer shapes. */
  maxShapeCharacters: 262_144,
  /** Subscriptions per connection. */
  maxSubscriptions: 1_000,
  /** Characters of a subscription's id. */
  maxIdCharacters: 256,
  /** Bytes of a message; close code 1009. */
  maxMessageBytes: 262_144,
  /** Bytes of `connection_init`, which the connection keeps; close code 1009. */
  maxInitBytes: 8_192,
  /** Bytes of unfinished messages per address; close code 1008. */
  maxUnfinishedBytes: 33_554_432,
  /** Messages and pings per second and connection, with bursts of twice as many; close code 1008. */
  messagesPerSecond: 2_000,
  /** Messages and pings per second and address, over all connections without credentials; close code 1008. */
  anonymousMessagesPerSecond: 5_000,
  /** Waiting bytes of a connection. With more, the server skips replaceable messages for the connection. */
  slowBytes: 262_144,
  /** Waiting bytes of a connection; close code 1013. */
  maxBacklogBytes: 1_048_576,
  /** ms from the handshake to `connection_init`; close code 4408. */
  initTimeoutMs: 10_000,
  /** ms between pings. The next ping disconnects a client without an answer or with the same unfinished message. */
  keepAliveMs: 15_000,
};
export type StreamLimits = Readonly<typeof STREAM_LIMITS>;
