/** Dependencies and limits of the streams. */
import type { Clock } from '../../clock/index.ts';
import type { Archive } from '../../exchange/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log, Viewer } from '../graphql/context.ts';
import type { GraphqlService } from '../graphql/service.ts';
import type { Presented } from '../http/options.ts';
import type { MarketViewCache } from '../presenters/market-view-cache.ts';
import type { Announcement } from '../venue-announcement.ts';
import type { WireIds } from '../wire-ids.ts';

/** Looks up credentials and watches their end. */
export interface StreamCredentials {
  /** Undefined for missing and invalid credentials. Never throws for client input. */
  identify(presented: Presented): Viewer | undefined;
  /**
   * Calls `ended` once when a credential (`Viewer.credential`) was logged out, revoked or has expired. For an ended one it calls soon
   * after this function returns.
   * @returns a function that removes the watcher
   */
  onEnd(credential: string, ended: () => void): () => void;
}

export interface FeedDeps {
  readonly queue: Pick<CommandQueue, 'read' | 'view' | 'watch'>;
  readonly archive: Pick<
    Archive,
    'account' | 'fill' | 'fillsOfOrder' | 'holding' | 'order' | 'orderEvents' | 'reversalOf' | 'reversedBy'
  >;
  readonly ids: WireIds;
  readonly marketViews: MarketViewCache;
  /** Preset bet amounts, cents. */
  readonly betPresets: readonly number[];
  /** The current announcement of the operator. */
  readonly announcement: () => Announcement | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Options of `StreamServer`. */
export interface StreamOptions extends FeedDeps {
  readonly graphql: GraphqlService;
  readonly credentials: StreamCredentials;
  /** Unguessable prefix of request ids, of fixed length. */
  readonly runId: string;
  /** As in `HttpOptions`; the next ones too. */
  readonly base?: string;
  readonly trustedProxies?: readonly string[];
  readonly origins?: readonly string[];
  readonly limits?: Partial<StreamLimits>;
}

/** Limits of clients. Defaults allow ten thousand bots of one host. Set `maxPerAddress` lower for public servers. */
export const STREAM_LIMITS = {
  /** Open at once; more are refused with status 503. */
  maxConnections: 20_000,
  /** Open at once from one address (IPv6: a /64), likewise below; more are refused with status 429. */
  maxPerAddress: 12_000,
  /** Subscriptions of all connections of one address, each market of a list counted; one more is answered with an error. */
  maxSubscriptionsPerAddress: 100_000,
  /** Answer shapes of one address: other fields or another book depth; one more is answered with an error. */
  maxShapes: 100,
  /** Characters of these shapes; more are answered with an error. */
  maxShapeCharacters: 262_144,
  /** Open at once on one connection; one more is answered with an error. */
  maxSubscriptions: 1_000,
  /** Characters of a subscription's id; a longer one is answered with an error. */
  maxIdCharacters: 256,
  /** Bytes of a message; a longer one closes with 1009. */
  maxMessageBytes: 262_144,
  /** Bytes of `connection_init`, which the connection keeps; a longer one closes with 1009. */
  maxInitBytes: 8_192,
  /** Bytes of unfinished messages of one address; more close with 1008. */
  maxUnfinishedBytes: 33_554_432,
  /** Messages and pings per second of one connection, with bursts of twice as many; more close with 1008. */
  messagesPerSecond: 2_000,
  /** The same for all connections of one address without credentials. */
  strangersMessagesPerSecond: 5_000,
  /** Waiting bytes from which a subscriber is slow and replaceable messages are skipped. */
  slowBytes: 262_144,
  /** Waiting bytes from which a subscriber is closed with 1013. */
  maxBacklogBytes: 1_048_576,
  /** ms from the handshake to `connection_init`; later closes with 4408. */
  initTimeout: 10_000,
  /** ms between pings. A client without a pong, or with the same unfinished message, at the next ping is disconnected. */
  keepAlive: 15_000,
};
export type StreamLimits = Readonly<typeof STREAM_LIMITS>;
