/**
 * Prometheus metrics of process, HTTP traffic, exchange, commits, streams and operations. Each commit updates the
 * commit metrics. A scrape reads all other values.
 */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { DurableExchange, ExchangeView } from '../../exchange/index.ts';
import { createMetrics, type MetricSample } from '../../network/metrics/index.ts';
import type { FieldCounts } from '../graphql/operation.ts';
import type { GraphqlService } from '../graphql/service.ts';
import type { Health } from '../health.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { StreamTraffic } from '../streams/stream-server.ts';

export interface VenueMetricsDeps {
  readonly health: Health;
  readonly queue: { readonly waitingCount: number; readonly view: ExchangeView };
  readonly exchange: Pick<DurableExchange, 'onCommit' | 'commitMs'>;
  readonly streams: { readonly traffic: StreamTraffic };
  readonly operations: { readonly fieldCounts: Iterable<readonly [string, Readonly<FieldCounts>]> };
}

/** Histogram bounds in seconds, from an idle SSD to a failing disk. */
const COMMIT_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5];
const PREFIX = 'halfspread';
const HEALTH = ['OK', 'DEGRADED', 'DOWN'];
const MODES = ['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'];

let processRegistry: Registry | undefined;

/**
 * Creates a server's registry with the metrics of this process. All servers share the process collectors, because
 * collectors never end and would keep their server in memory.
 */
export function createRegistry(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return Registry.merge([processRegistry]);
}

/** Registers the venue's metrics. Call this once per registry. */
export function registerVenue(registry: Registry, deps: VenueMetricsDeps): void {
  const { health, queue, exchange, streams, operations } = deps;
  const { add, gauge, counter } = createMetrics(registry, PREFIX);
  gauge('engine_seq', 'Number of the last event that is durable.', () => Number(health.report().engineSeq));
  gauge('uptime_seconds', 'Time since the start.', () => health.report().uptimeSeconds);
  gauge('clock_behind_seconds', 'How far the clock is behind the last event.', () => health.clockLagMs / 1000);
  gauge('queue_waiting', 'Commands and queries that wait for the exchange.', () => queue.waitingCount);
  gauge('open_orders', 'Orders that are open.', () => queue.view.openOrderCount);
  gauge('markets', 'Markets in any state.', () => queue.view.markets.length);
  gauge('accounts', 'Accounts that exist.', () => queue.view.accountCount);
  const stateSamples = (values: readonly string[], current: string): MetricSample[] =>
    values.map((value) => [value === current ? 1 : 0, { is: value }]);
  add('gauge', 'health', 'Status of /health: 1 for the current status, else 0.', ['is'], () =>
    stateSamples(HEALTH, health.status),
  );
  add('gauge', 'mode', 'Mode of the venue: 1 for the current mode, else 0.', ['is'], () =>
    stateSamples(MODES, health.report().mode),
  );
  const latency = new Histogram({
    name: 'halfspread_commit_seconds',
    help: 'Time from passing a batch of commands to the store until it is durable.',
    buckets: COMMIT_BUCKETS,
    registers: [registry],
  });
  let durableCommands = 0;
  exchange.onCommit = (ms, records) => {
    latency.observe(ms / 1000);
    durableCommands += records;
  };
  counter('commands_total', 'Durable commands that changed the state.', () => durableCommands);
  gauge('commit_waiting_seconds', 'Duration of the current commit so far.', () => exchange.commitMs / 1000);
  gauge('stream_connections', 'WebSockets that are open.', () => streams.traffic.connections);
  gauge('stream_subscriptions', 'Open subscriptions.', () => streams.traffic.subscriptions);
  gauge('stream_backlog_bytes', 'Bytes that wait for consumers.', () => streams.traffic.backlogBytes);
  counter('stream_refused_total', 'Upgrades to a WebSocket that were refused.', () => streams.traffic.refused);
  for (const [name, help, field] of STREAM_COUNTERS) counter(name, help, () => streams.traffic.sent[field]);
  for (const [name, help, field] of OPERATION_COUNTERS) {
    add('counter', name, help, ['operation'], () =>
      Array.from(operations.fieldCounts, ([operation, counts]) => [counts[field], { operation }]),
    );
  }
}

const STREAM_COUNTERS = [
  ['stream_frames_total', 'Messages written to WebSockets.', 'frames'],
  ['stream_bytes_total', 'Bytes written to WebSockets.', 'bytes'],
  [
    'stream_left_out_total',
    'Messages that were not sent to slow consumers, because a newer message replaces them.',
    'skipped',
  ],
  ['stream_caught_up_total', 'Subscriptions of slow consumers that were brought up to date.', 'recovered'],
  ['stream_slow_closed_total', 'WebSockets closed with 1013 because their consumer was too slow.', 'closed'],
] as const;

const OPERATION_COUNTERS = [
  ['operations_total', 'Requests by root field, including refused ones.', 'requested'],
  ['operations_refused_total', 'Requests refused because of credentials, scope, rate or cost.', 'refused'],
  ['operations_failed_total', 'Root fields that ended with an error.', 'failed'],
] as const;

/** Registers the metrics of HTTP and of the document cache. Call this when the server listens. */
export function registerTraffic(
  registry: Registry,
  {
    http,
    graphql,
  }: { readonly http: Pick<HttpServer, 'traffic'>; readonly graphql: Pick<GraphqlService, 'cacheSize'> },
): void {
  const { gauge, counter } = createMetrics(registry, PREFIX);
  counter('http_requests_total', 'Requests since the start, with any result.', () => http.traffic.requests);
  gauge('http_requests_running', 'Requests that are not answered yet.', () => http.traffic.running);
  gauge('websockets_open', 'Open WebSockets.', () => http.traffic.upgraded);
  gauge('graphql_documents_cached', 'Documents in the cache.', () => graphql.cacheSize.documents);
  const help = 'Characters of the cached documents, plus their compiled code at about 50 bytes per character.';
  gauge('graphql_characters_cached', help, () => graphql.cacheSize.characters);
}
