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
  readonly queue: { readonly waiting: number; readonly view: ExchangeView };
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
  gauge('queue_waiting', 'Commands and queries that wait for the exchange.', () => queue.waiting);
  gauge('open_orders', 'Orders that are open.', () => queue.view.openOrderCount);
  gauge('markets', 'Markets in any state.', () => queue.view.markets.length);
  gauge('accounts', 'Accounts that exist.', () => queue.view.accountCount);
  const stateSamples = (values: readonly string[], current: string): MetricSample[] =>
    values.map((is) => [is === current ? 1 : 0, { is }]);
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
  let durable = 0;
  exchange.onCommit = (ms, records) => {
    latency.observe(ms / 1000);
    durable += records;
  };
  counter('commands_total', 'Durable commands that changed the state.', () => durable);
  gauge('commit_waiting_seconds', 'Duration of the current commit so far.', () => exchange.commitMs / 1000);
  registerAll(registry, STREAMS, () => streams.traffic);
  for (const [name, help, field] of OPERATIONS) {
    add('counter', name, help, ['operation'], () =>
      Array.from(operations.fieldCounts, ([operation, counts]) => [counts[field], { operation }]),
    );
  }
}

const OPERATIONS: readonly (readonly [name: string, help: string, field: keyof FieldCounts])[] = [
  ['operations_total', 'Requests by root field, including refused ones.', 'requested'],
  ['operations_refused_total', 'Requests refused because of credentials, scope, rate or cost.', 'refused'],
  ['operations_failed_total', 'Root fields that ended with an error.', 'failed'],
];

type Metric<Source> = readonly ['gauge' | 'counter', name: string, help: string, read: (from: Source) => number];

const STREAMS: readonly Metric<StreamTraffic>[] = [
  ['gauge', 'stream_connections', 'WebSockets that are open.', ({ connections }) => connections],
  ['gauge', 'stream_subscriptions', 'Open subscriptions.', ({ subscriptions }) => subscriptions],
  ['gauge', 'stream_backlog_bytes', 'Bytes that wait for consumers.', ({ backlog }) => backlog],
  ['counter', 'stream_refused_total', 'Upgrades to a WebSocket that were refused.', ({ refused }) => refused],
  ['counter', 'stream_frames_total', 'Messages written to WebSockets.', ({ sent }) => sent.frames],
  ['counter', 'stream_bytes_total', 'Bytes written to WebSockets.', ({ sent }) => sent.bytes],
  [
    'counter',
    'stream_left_out_total',
    'Messages that were not sent to slow consumers, because a newer message replaces them.',
    ({ sent }) => sent.skipped,
  ],
  [
    'counter',
    'stream_caught_up_total',
    'Subscriptions of slow consumers that were brought up to date.',
    ({ sent }) => sent.recovered,
  ],
  [
    'counter',
    'stream_slow_closed_total',
    'WebSockets closed with 1013 because their consumer was too slow.',
    ({ sent }) => sent.closed,
  ],
];

function registerAll<Source>(registry: Registry, metrics: readonly Metric<Source>[], source: () => Source): void {
  const register = createMetrics(registry, PREFIX);
  for (const [type, name, help, read] of metrics) register[type](name, help, () => read(source()));
}

interface TrafficSource {
  readonly http: Pick<HttpServer, 'traffic'>;
  readonly graphql: Pick<GraphqlService, 'cacheSize'>;
}

/** Registers the metrics of HTTP and of the document cache. Call this when the server listens. */
export function registerTraffic(registry: Registry, source: TrafficSource): void {
  registerAll(registry, TRAFFIC, () => source);
}

const TRAFFIC: readonly Metric<TrafficSource>[] = [
  ['counter', 'http_requests_total', 'Requests since the start, with any result.', ({ http }) => http.traffic.requests],
  ['gauge', 'http_requests_running', 'Requests that are not answered yet.', ({ http }) => http.traffic.running],
  ['gauge', 'websockets_open', 'Open WebSockets.', ({ http }) => http.traffic.upgraded],
  ['gauge', 'graphql_documents_cached', 'Documents in the cache.', ({ graphql }) => graphql.cacheSize.documents],
  [
    'gauge',
    'graphql_characters_cached',
    'Characters of the documents in the cache, and of their memory beyond the text.',
    ({ graphql }) => graphql.cacheSize.characters,
  ],
];
