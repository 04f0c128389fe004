/** Prometheus metrics of HTTP traffic. They are read at each scrape and cost nothing per request. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Traffic } from './http-server.ts';

export interface TrafficSource {
  readonly traffic: Traffic;
  /** Size of the document cache. */
  readonly cached: { readonly documents: number; readonly characters: number };
}

/** Registers the metrics. @param source returns undefined until the server listens */
export function registerTraffic(registry: Registry, source: () => TrafficSource | undefined): void {
  new Counter({
    name: 'halfspread_http_requests_total',
    help: 'Requests since the start, whatever their result.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(source()?.traffic.requests ?? 0);
    },
  });
  const gauge = (name: string, help: string, read: (from: TrafficSource) => number): void => {
    new Gauge({
      name: `halfspread_${name}`,
      help,
      registers: [registry],
      collect() {
        const from = source();
        this.set(from === undefined ? 0 : read(from));
      },
    });
  };
  gauge('http_requests_running', 'Requests that are not answered yet.', ({ traffic }) => traffic.running);
  gauge('websockets_open', 'Open WebSockets.', ({ traffic }) => traffic.upgraded);
  gauge('graphql_documents_cached', 'Documents in the cache.', ({ cached }) => cached.documents);
  gauge(
    'graphql_characters_cached',
    'Characters of the documents in the cache, and of their memory beyond the text.',
    ({ cached }) => cached.characters,
  );
}
