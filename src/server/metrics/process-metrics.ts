import { collectDefaultMetrics, Registry } from 'prom-client';

let shared: Registry | undefined;

/**
 * A registry with the metrics of this process, for a server to extend. All servers share the process collectors, because
 * these never end: collectors per server would leak the server's memory.
 */
export function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return Registry.merge([shared]);
}
