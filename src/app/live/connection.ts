/** The connection of a bot to its venue, live or paper: configured access, transport, market data, terms of the venue. */
import { secureSeed, seededRandom } from '../../clock/index.ts';
import type { LiveConfiguration } from '../../config/live-file.ts';
import type { KillLimits, Log } from '../../ops/index.ts';
import type { MarketData, MarketDirectory } from '../../venues/base/index.ts';
import {
  createMarketData,
  createTransport,
  endpointOf,
  readTerms,
  ServiceDirectory,
  type Transport,
  type TransportOptions,
  type VenueTerms,
} from '../../venues/service/index.ts';
import { type OpenedTargets, openTargets } from '../alert-targets.ts';
import { openVenue, type VenueAccess } from '../venue-access.ts';
import { bookSettings, killLimits } from './checks.ts';
import type { LiveStart } from './opened-live.ts';
import { SessionRecorder } from './recording.ts';

export interface OpenedVenue extends VenueAccess, OpenedTargets {}

export interface VenueConnection {
  readonly directory: MarketDirectory;
  readonly transport: Transport;
  readonly terms: VenueTerms;
  readonly marketData: MarketData;
  readonly recorder: SessionRecorder;
  readonly limits: KillLimits;
}

/** @throws InputFault for a missing secret, FileFault for unusable operation files */
export async function openAccess({ live, redactor }: LiveStart): Promise<OpenedVenue> {
  return { ...(await openVenue(live, redactor)), ...openTargets(live, redactor) };
}

/** Opens the transport and reads the venue's terms. @throws Fault LINK, BLOCKED, VENUE */
export async function connect(start: LiveStart, access: VenueAccess): Promise<VenueConnection> {
  const { live, paths, log, closers } = start;
  const recorder = new SessionRecorder(paths);
  const transport = openTransport(live, access, log, recorder.tap);
  closers.add(() => transport.close());
  const terms = await readTerms(transport);
  return {
    transport,
    terms,
    recorder,
    directory: new ServiceDirectory(transport, terms),
    marketData: createMarketData({ transport, terms, settings: bookSettings(live.file) }),
    limits: killLimits(live.file, terms.maxClockSkew),
  };
}

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
