/** Options of the HTTP server. All are required, so that the compiler finds a forgotten or misspelt one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock/index.ts';
import type { RequestCredentials } from '../access/credentials.ts';
import type { Log, Viewer } from '../graphql/context.ts';
import type { GraphqlService } from '../graphql/service.ts';
import type { HttpEndpoint } from './endpoint-request.ts';

/** `GET /health` (docs/spec/venue.md#errors-and-transport). */
export interface HealthReport {
  readonly status: 'OK' | 'DEGRADED' | 'DOWN';
  readonly mode: string;
  readonly version: string;
  /** ISO 8601. */
  readonly serverTime: string;
  /** Decimal. */
  readonly engineSeq: string;
  readonly uptimeSeconds: number;
}

/** Metrics for Prometheus, such as a registry of prom-client. */
interface Metrics {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Where the venue listens, and which proxies and pages it trusts. */
export interface ListenSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Prefix of every path, such as `/venue`; empty for none. */
  readonly base: string;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins of pages that may send requests; undefined for all, because there are no cookies. */
  readonly origins: readonly string[] | undefined;
}

export interface HttpOptions {
  readonly graphql: GraphqlService;
  /** Returns the viewer; undefined for missing or invalid credentials. Never throws for client input. */
  identify(presented: RequestCredentials): Viewer | undefined;
  health(): HealthReport;
  /** Undefined for no `/metrics`. */
  readonly metrics: Metrics | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Prefix of this run's request ids: unguessable, of fixed length. */
  readonly runId: string;
  readonly version: string;
  readonly listen: ListenSettings;
  readonly limits: HttpLimits;
  /** Lower-case name of a header that only trusted proxies may send; it is removed from other requests. Undefined for none. */
  readonly proxyHeader: string | undefined;
  /** Intercepts requests for chaos; calls `pass` to have one answered, which then ends with `response.end`. */
  readonly intercept: ((request: IncomingMessage, response: ServerResponse, pass: () => void) => void) | undefined;
  /** Handles WebSocket upgrades. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Endpoints besides GraphQL that bypass Fastify. Their paths include `base`. */
  readonly endpoints: readonly HttpEndpoint[];
  /** Adds routes, such as those of operators. Their paths must include `base`. */
  routes(app: FastifyInstance): void;
}

/** Times in ms: long enough for a mobile connection, too short for a client that sends one byte per second. */
export const HTTP_LIMITS = {
  /** Limit of connections; more are closed immediately. */
  maxConnections: 20_000,
  /** Limit of connections from one address, except trusted proxies; more are closed immediately. */
  maxPerAddress: 15_000,
  /** From the first byte of a request to the end of its body, and from a new connection to its first byte. Then 408. */
  arrival: 10_000,
  /** Lifetime of a connection without a request. */
  keepAlive: 75_000,
  /** Lifetime of a connection that transfers nothing while an answer is pending or unread. */
  stalled: 120_000,
};
export type HttpLimits = Readonly<typeof HTTP_LIMITS>;
