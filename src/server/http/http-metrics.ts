/** Prometheus metrics of HTTP traffic. They are read at each scrape and cost nothing per request. */
import type { Registry } from 'prom-client';
import { metricsIn } from '../../network/metrics/index.ts';
import type { Traffic } from './http-server.ts';

export interface TrafficSource {
  readonly traffic: Traffic;
  /** Size of the document cache. */
  readonly cached: { readonly documents: number; readonly characters: number };
}

/** Registers the metrics. @param source returns undefined until the server listens */
export function registerTraffic(registry: Registry, source: () => TrafficSource | undefined): void {
  const metrics = metricsIn(registry, 'halfspread');
  metrics.counter(
    'http_requests_total',
    'Requests since the start, with any result.',
    () => source()?.traffic.requests ?? 0,
  );
  const gauge = (name: string, help: string, read: (from: TrafficSource) => number): void =>
    metrics.gauge(name, help, () => {
      const from = source();
      return from === undefined ? 0 : read(from);
    });
  gauge('http_requests_running', 'Requests that are not answered yet.', ({ traffic }) => traffic.running);
  gauge('websockets_open', 'Open WebSockets.', ({ traffic }) => traffic.upgraded);
  gauge('graphql_documents_cached', 'Documents in the cache.', ({ cached }) => cached.documents);
  gauge(
    'graphql_characters_cached',
    'Characters of the documents in the cache, and of their memory beyond the text.',
    ({ cached }) => cached.characters,
  );
}
