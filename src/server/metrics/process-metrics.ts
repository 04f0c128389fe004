import { collectDefaultMetrics, Registry } from 'prom-client';

let shared: Registry | undefined;

/**
 * A registry with the metrics of this process; a server adds its own. The collectors never end, so all servers share
 * them: a collector per server would never release its server's memory.
 */
export function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return Registry.merge([shared]);
}
