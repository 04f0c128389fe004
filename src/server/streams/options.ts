/** Dependencies and limits of the streams. */
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

/** Limits of clients. The defaults allow ten thousand bots on one host. Lower `maxPerAddress` for public servers. */
export const STREAM_LIMITS = {
  /** Limit of open connections; more are refused with status 503. */
  maxConnections: 20_000,
  /** Limit of open connections per address (IPv6: per /64); more are refused with status 429. */
  maxPerAddress: 12_000,
  /** Limit of subscriptions per address, counting each market of a list; one more is answered with an error. */
  maxSubscriptionsPerAddress: 100_000,
  /** Limit of answer shapes per address (fields and book depth); one more is answered with an error. */
  maxShapes: 100,
  /** Limit of characters in these shapes; more are answered with an error. */
  maxShapeCharacters: 262_144,
  /** Limit of subscriptions per connection; one more is answered with an error. */
  maxSubscriptions: 1_000,
  /** Characters of a subscription's id; a longer one is answered with an error. */
  maxIdCharacters: 256,
  /** Bytes of a message; a longer one closes with 1009. */
  maxMessageBytes: 262_144,
  /** Bytes of `connection_init`, which the connection keeps; a longer one closes with 1009. */
  maxInitBytes: 8_192,
  /** Bytes of unfinished messages per address; more close with 1008. */
  maxUnfinishedBytes: 33_554_432,
  /** Messages and pings per second and connection, with bursts of twice as many; more close with 1008. */
  messagesPerSecond: 2_000,
  /** The same per address, for all its connections without credentials. */
  anonymousMessagesPerSecond: 5_000,
  /** Waiting bytes from which a subscriber is slow and replaceable messages are skipped. */
  slowBytes: 262_144,
  /** Waiting bytes from which a subscriber is closed with 1013. */
  maxBacklogBytes: 1_048_576,
  /** ms from the handshake to `connection_init`; later closes with 4408. */
  initTimeout: 10_000,
  /** ms between pings. A client is disconnected if it has not answered, or still has the same unfinished message, at the next ping. */
  keepAlive: 15_000,
};
export type StreamLimits = Readonly<typeof STREAM_LIMITS>;
