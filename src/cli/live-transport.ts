/** The way to the venue of a live bot. */
import { secureSeed, seededRandom } from '../clock/index.ts';
import type { Log } from '../ops/index.ts';
import { createTransport, endpointOf, type Transport, type TransportOptions } from '../venues/remote/index.ts';
import type { LiveConfiguration } from './live-file.ts';
import type { VenueAccess } from './wire-venue.ts';

/** Opens no connection yet. @param tap sees each frame before it is read */
export function openTransport(
  { file }: Pick<LiveConfiguration, 'file'>,
  { clock, headers, operations }: VenueAccess,
  log: Log,
  tap: TransportOptions['tap'],
): Transport {
  const { url, ws_url: wsUrl, timeout_ms: timeoutMs } = file.venue;
  const endpoint = endpointOf({ url, headers, ...(wsUrl === undefined ? {} : { wsUrl }) });
  return createTransport({
    endpoint,
    operations,
    clock,
    log,
    random: seededRandom(secureSeed()),
    settings: { timeoutMs },
    tap,
  });
}
