/** Options of the HTTP server: ports, addresses, limits. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock/index.ts';
import type { Presented } from '../access/credentials.ts';
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

export interface HttpOptions {
  readonly graphql: GraphqlService;
  /** Returns the viewer; undefined for missing or invalid credentials. Never throws for client input. */
  identify(presented: Presented): Viewer | undefined;
  health(): HealthReport;
  readonly metrics?: Metrics;
  readonly clock: Clock;
  readonly log: Log;
  /** Prefix of this run's request ids: unguessable, of fixed length. */
  readonly runId: string;
  readonly version: string;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Prefix of every path, such as `/venue`; default none. */
  readonly base?: string;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted; default none. */
  readonly trustedProxies?: readonly string[];
  /** Origins of pages that may send requests; default all, because there are no cookies. */
  readonly origins?: readonly string[];
  readonly timeouts?: Partial<typeof TIMEOUTS>;
  /** Limit of connections; more are closed immediately. Default 20,000. */
  readonly maxConnections?: number;
  /** Limit of connections from one address, except trusted proxies; more are closed immediately. Default 15,000. */
  readonly maxPerAddress?: number;
  /** Removes untrusted headers. Called first for each request. */
  readonly clean?: ((request: IncomingMessage) => void) | undefined;
  /** Intercepts requests for chaos; calls `pass` to have one answered, which then ends with `response.end`. */
  readonly intercept?: ((request: IncomingMessage, response: ServerResponse, pass: () => void) => void) | undefined;
  /** Handles WebSocket upgrades on the two GraphQL paths. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Endpoints besides GraphQL that bypass Fastify. Their paths include `base`. */
  readonly endpoints?: readonly HttpEndpoint[];
  /** Adds routes, such as those of operators. Their paths must include `base`. */
  routes?(app: FastifyInstance): void;
}

/** Milliseconds. Long enough for a mobile connection, too short for a client that sends one byte per second. */
export const TIMEOUTS = {
  /** From the first byte of a request to the end of its body, and from a new connection to its first byte. Then 408. */
  arrival: 10_000,
  /** Lifetime of a connection without a request. */
  keepAlive: 75_000,
  /** Lifetime of a connection that transfers nothing while an answer is pending or unread. */
  stalled: 120_000,
};
