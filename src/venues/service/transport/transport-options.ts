/** The options of a transport, and the types of its addresses and subscriptions. */
import type { Clock, Random } from '../../../clock/index.ts';
import { InputFault } from '../../../domain/index.ts';
import type { WireError } from '../../../protocol/index.ts';
import type { Log } from '../../base/index.ts';
import type { OperationTexts } from './operation-texts.ts';

/** Addresses of a venue in the configuration. */
export interface EndpointSettings {
  /** Base URL of the venue (`https://host`), or of its GraphQL path. */
  readonly url: string;
  /** WebSocket URL. Default: the GraphQL URL with `ws` in place of `http`. */
  readonly wsUrl?: string;
  /** Additional headers of every request and handshake. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Endpoint {
  readonly http: URL;
  readonly ws: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** What to do when the handshake of a socket is refused. */
export const BLOCKED_REMEDY = 'Check ws_url, headers, and whether this address may trade there';

export interface LinkState {
  readonly isUp: boolean;
  /** Why the connection is down, or why the last attempt to reconnect failed. */
  readonly problem?: string;
  /** Whether the handshake was refused and a retry may not help, as with HTTP 403. */
  readonly isBlocked?: boolean;
}

/** Times in ms. */
export const TRANSPORT_DEFAULTS = {
  /** Time after which a request without an answer is lost. */
  timeoutMs: 5_000,
  /** Maximum number of repeats of a lost read. */
  retries: 4,
  concurrency: 8,
  /** Maximum number of subscriptions per socket. More subscriptions open another socket. */
  maxSubscriptions: 900,
  /** Time limit of a socket's handshake, and of its takeover from an old socket. */
  takeoverMs: 10_000,
};
export type TransportSettings = Readonly<typeof TRANSPORT_DEFAULTS>;

export interface TransportOptions {
  readonly endpoint: Endpoint;
  readonly operations: OperationTexts;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly settings?: Partial<TransportSettings>;
  /** Called with each frame before it is read. `socket` counts sockets from 1. Must not throw or keep the bytes. */
  readonly onFrame?: ((frame: Buffer, socket: number) => void) | undefined;
}

export interface RequestOptions {
  /** Default: `timeoutMs` of the settings. */
  readonly timeoutMs?: number;
  /** Route of a mutation. Default: the socket if it is open, else HTTP. Reads always use HTTP. */
  readonly via?: 'http';
  /** Whether to omit credentials. Default false. */
  readonly isAnonymous?: boolean;
  /** Whether the caller checks every field of the answer itself. Default false. */
  readonly isUnchecked?: boolean;
  /** List whose malformed items are removed. Elsewhere, a malformed item makes the whole answer malformed. */
  readonly list?: CheckedList | undefined;
}

/** A list whose items are checked one by one. */
export interface CheckedList {
  /** Path in `data`, such as `markets`, `edges`. */
  readonly path: readonly string[];
  /** Called for each removed item. */
  onBad(item: unknown, problem: string): void;
}

export interface SubscribeOptions {
  /** Whether the sink checks every field of an event, so the transport need not (hot path). Default false. */
  readonly isUnchecked?: boolean;
  /** Whether the stream starts with an event, such as a snapshot. Then a new socket takes over. Default false. */
  readonly startsWithEvent?: boolean;
}

/**
 * Receives the events of a subscription. No method may throw, because an exception ends the connection.
 *
 * During the replacement of a socket, the old socket delivers events until the new socket's first event
 * (`startsWithEvent`) or until the old socket closes. An event may arrive twice. Compare its `seq`.
 */
export interface StreamSink<Data> {
  /** Called with `data` of a `next` message; null when the venue could not resolve the event. */
  next(data: Data | null): void;
  /** An event violates the API, so its contents are unknown. @param problem field and actual value */
  onMalformed(problem: string): void;
  /** The venue refused the subscription, for example for wrong arguments. The subscription is not repeated. */
  onRefused(errors: readonly WireError[]): void;
  /** The venue completed the subscription, such as for a market that it does not know. */
  onEnded?(): void;
  /** Called before each start on a socket, just before `variables` are read. */
  onBegin?(): void;
  /** The subscription's socket was lost. A new socket will be opened. */
  onLost?(problem: string): void;
}

/** Handle of a subscription, with or without an open socket. */
export interface StreamHandle {
  /** Subscribes again with current variables, after an error or silence. */
  resubscribe(): void;
  /** Ends the subscription. The sink receives nothing more. */
  end(): void;
}

const GRAPHQL_PATH = '/graphql';

/**
 * Adds the GraphQL path to a base URL. A URL that ends in `/graphql` is unchanged.
 * @throws InputFault for a URL that is not http(s) or ws(s), or that has a password, which would appear in logs
 */
export function parseEndpoint({ url, wsUrl, headers = {} }: EndpointSettings): Endpoint {
  const http = parseUrl('venue.url', url, ['http:', 'https:']);
  if (!http.pathname.endsWith(GRAPHQL_PATH)) http.pathname = `${http.pathname.replace(/\/$/, '')}${GRAPHQL_PATH}`;
  const ws = parseUrl('venue.ws_url', wsUrl ?? http.href.replace(/^http/, 'ws'), ['ws:', 'wss:']);
  return { http, ws, headers: { ...headers } };
}

function parseUrl(field: string, text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const expected = `a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`;
  if (url === undefined || !protocols.includes(url.protocol)) throw new InputFault(field, text, expected);
  if (url.username !== '' || url.password !== '')
    throw new InputFault(field, `${url.protocol}//…@${url.host}`, `${expected}, without user and password in it`);
  return url;
}
