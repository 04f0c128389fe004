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

/** Whose credentials these are, and when they end. */
export interface StreamCredentials {
  /** Never throws for what a client sent; undefined for none and for such as do not hold. */
  identify(presented: Presented): Viewer | undefined;
  /**
   * Calls back once when a credential (`Viewer.credential`) has ended: logged out, revoked, expired. At once, but not before
   * this returns, where it has already.
   * @returns what forgets it
   */
  onEnd(credential: string, ended: () => void): () => void;
}

/** Dependencies of the feeds. */
export interface FeedDeps {
  readonly queue: Pick<CommandQueue, 'read' | 'view' | 'watch'>;
  readonly archive: Pick<Archive, 'account' | 'fill' | 'fillsOfOrder' | 'holding' | 'order' | 'orderEvents'>;
  readonly ids: WireIds;
  readonly marketViews: MarketViewCache;
  /** Amounts that are offered to people, cents. */
  readonly betPresets: readonly number[];
  /** The current message of the operator. */
  readonly announcement: () => Announcement | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Options of `StreamServer`. */
export interface StreamOptions extends FeedDeps {
  readonly graphql: GraphqlService;
  readonly credentials: StreamCredentials;
  /** Unguessable and of one length; begins the request ids of this run. */
  readonly runId: string;
  /** As for HTTP, likewise below. */
  readonly base?: string;
  readonly trustedProxies?: readonly string[];
  readonly origins?: readonly string[];
  readonly limits?: Partial<StreamLimits>;
}

/** Bounds of what a client may do and cost. */
export interface StreamLimits {
  /** Open at once; more are refused with status 503. */
  readonly maxConnections: number;
  /** Open at once from one address (IPv6: a /64), likewise below; more are refused with status 429. */
  readonly maxPerAddress: number;
  /** Subscriptions of all connections of one address, each market of a list counted; one more is answered with an error. */
  readonly maxSubscriptionsPerAddress: number;
  /** Different answers that an address may have asked for: other fields, or another depth of a book; likewise. */
  readonly maxShapes: number;
  /** Characters in them; likewise. */
  readonly maxShapeCharacters: number;
  /** Open at once on one connection; one more is answered with an error. */
  readonly maxSubscriptions: number;
  /** Characters of a subscription's id; a longer one is answered with an error. */
  readonly maxIdCharacters: number;
  /** Bytes of a message; a longer one closes with 1009. */
  readonly maxMessageBytes: number;
  /** Bytes of `connection_init`, which the connection keeps; a longer one closes with 1009. */
  readonly maxInitBytes: number;
  /** Bytes of messages that did not come whole yet, of all connections of one address; more close with 1008. */
  readonly maxUnfinishedBytes: number;
  /** Of one connection, pings too: sustained, and twice as many at once; more close with 1008. */
  readonly messagesPerSecond: number;
  /** Likewise of all connections of one address that have no credentials. */
  readonly strangersMessagesPerSecond: number;
  /** Bytes that wait for a consumer before what can be told anew is left out. */
  readonly slowBytes: number;
  /** Bytes that wait for a consumer before it is closed with 1013. */
  readonly maxBacklogBytes: number;
  /** ms from the handshake to `connection_init`; later closes with 4408. */
  readonly initTimeout: number;
  /** ms between pings; whoever has not answered one by the next, or not ended a message that began before, is cut off. */
  readonly keepAlive: number;
}

/** Room for ten thousand bots of one host: whoever is one of many clients behind a proxy sets `maxPerAddress` lower. */
export const STREAM_LIMITS: StreamLimits = {
  maxConnections: 20_000,
  maxPerAddress: 12_000,
  maxSubscriptionsPerAddress: 100_000,
  maxShapes: 100,
  maxShapeCharacters: 262_144,
  maxSubscriptions: 1_000,
  maxIdCharacters: 256,
  maxMessageBytes: 262_144,
  maxInitBytes: 8_192,
  maxUnfinishedBytes: 33_554_432,
  messagesPerSecond: 2_000,
  strangersMessagesPerSecond: 5_000,
  slowBytes: 262_144,
  maxBacklogBytes: 1_048_576,
  initTimeout: 10_000,
  keepAlive: 15_000,
};
