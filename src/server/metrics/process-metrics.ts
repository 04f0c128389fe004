import { collectDefaultMetrics, Registry } from 'prom-client';

let shared: Registry | undefined;

/**
 * A registry with the metrics of this process, for a server to add its own. What collects them never ends, so all servers share it:
 * one of each server would keep that server in memory for ever.
 */
export function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return Registry.merge([shared]);
}
