/** Options of the HTTP server. All options are required, so that the compiler finds a forgotten option. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock/index.ts';
import type { RequestCredentials } from '../access/credentials.ts';
import type { Log, Viewer } from '../graphql/context.ts';
import type { GraphqlService } from '../graphql/service.ts';
import type { HttpEndpoint } from './endpoint-request.ts';

/** The answer to `GET /health` (docs/spec/venue.md#errors-and-transport). */
export interface HealthReport {
  readonly status: 'OK' | 'DEGRADED' | 'DOWN';
  readonly mode: string;
  readonly version: string;
  /** ISO 8601. */
  readonly serverTime: string;
  /** Decimal digits. */
  readonly engineSeq: string;
  readonly uptimeSeconds: number;
}

export interface ListenSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Prefix of every path, such as `/venue`; empty for none. */
  readonly base: string;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins of pages that may send requests; undefined for all. */
  readonly origins: readonly string[] | undefined;
}

export interface HttpOptions {
  readonly graphql: GraphqlService;
  /** Returns the viewer; undefined for missing or invalid credentials. Never throws for client input. */
  identify(credentials: RequestCredentials): Viewer | undefined;
  health(): HealthReport;
  /** Undefined for no `/metrics`. */
  readonly metrics: { readonly contentType: string; metrics(): Promise<string> } | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Prefix of this run's request ids. Nobody can guess the prefix, and its length is fixed. */
  readonly runId: string;
  readonly version: string;
  readonly listen: ListenSettings;
  readonly limits: HttpLimits;
  /** Lower-case name of a header that the server accepts only from trusted proxies; undefined for none. */
  readonly proxyHeader: string | undefined;
  /** Intercepts requests to inject faults. `pass` lets the server answer the request and call `response.end`. */
  readonly intercept: ((request: IncomingMessage, response: ServerResponse, pass: () => void) => void) | undefined;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Further endpoints that bypass Fastify. Their paths include `base`. */
  readonly endpoints: readonly HttpEndpoint[];
  /** Adds routes, such as those of operators. Their paths must include `base`. */
  routes(app: FastifyInstance): void;
}

/** The times suffice for a mobile connection, but not for a client that sends one byte per second. */
export const HTTP_LIMITS = {
  /** Connections from all addresses. The server closes further connections. */
  maxConnections: 20_000,
  /** Connections from one IPv4 address or IPv6 /64, except trusted proxies. The server closes further connections. */
  maxPerAddress: 15_000,
  /** Time for a request to arrive, and for a connection to send its first byte. A later request gets 408. */
  arrivalMs: 10_000,
  /** Time after which the server closes a connection without a request. */
  keepAliveMs: 75_000,
  /** Time after which the server closes a connection that transfers nothing while an answer is pending or unread. */
  stalledMs: 120_000,
};
export type HttpLimits = Readonly<typeof HTTP_LIMITS>;
