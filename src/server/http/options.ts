/** Options of the HTTP server: ports, addresses, bounds. It reads nothing else. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { Log, Viewer } from '../graphql/context.ts';
import type { GraphqlService } from '../graphql/service.ts';
import type { BareEndpoint } from './bare-request.ts';

/** Data of a request before its caller is known. */
export interface Presented {
  /** The `Authorization` header as it came. */
  readonly authorization: string | undefined;
  readonly ip: string;
  readonly now: EpochMs;
  /** The socket it came on, as something to remember by. */
  readonly connection?: object;
}

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

/** The server's ports and settings. */
export interface HttpOptions {
  readonly graphql: GraphqlService;
  /** The viewer of credentials; undefined for missing and invalid ones. Never throws for client input. */
  identify(presented: Presented): Viewer | undefined;
  health(): HealthReport;
  readonly metrics?: Metrics;
  readonly clock: Clock;
  readonly log: Log;
  /** Unguessable and of one length; begins the request ids of this run. */
  readonly runId: string;
  readonly version: string;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Prefix of every path, such as `/venue`; default none. */
  readonly base?: string;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed; default none. */
  readonly trustedProxies?: readonly string[];
  /** Origins of pages that may send requests; default all: there are no cookies that a page could use. */
  readonly origins?: readonly string[];
  readonly timeouts?: Partial<typeof TIMEOUTS>;
  /** Most connections at once; more are closed at once. Default 20,000. */
  readonly maxConnections?: number;
  /** Of these from one address that is no trusted proxy; more are closed at once. Default 15,000. */
  readonly maxPerAddress?: number;
  /** Removes untrusted headers from each request, before anything else. */
  clean?(request: IncomingMessage): void;
  /** Sees each request first (chaos does); calls `pass` for it to be answered, by `end` of the response then. */
  intercept?(request: IncomingMessage, response: ServerResponse, pass: () => void): void;
  /** Handles WebSocket upgrades on the two GraphQL paths. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** What is answered past Fastify, besides GraphQL, with the prefix. */
  readonly endpoints?: readonly BareEndpoint[];
  /** More routes, such as those of operators, without the prefix. */
  routes?(app: FastifyInstance): void;
}

/** Milliseconds. Long enough for a mobile connection, too short for a client that sends a byte a second. */
export const TIMEOUTS = {
  /** From the first byte of a request to the last one of its body, and before that for the first byte of a connection; then 408. */
  arrival: 10_000,
  /** Until a connection without a request is closed. */
  keepAlive: 75_000,
  /** Until a connection is closed on which nothing moves, though an answer is due or waits to be read. */
  stalled: 120_000,
};
