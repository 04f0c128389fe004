/** Records the market data of a venue to a tape. Needs no account and sends no order. */
import { repeatEvery, sleep } from '../clock/index.ts';
import type { LiveConfiguration } from '../config/live-file.ts';
import { type DurationMs, formatTime, InputFault, ZERO_USD } from '../domain/index.ts';
import { FrameLog, Recording } from '../history/index.ts';
import type { Log, Redactor } from '../ops/index.ts';
import { version } from '../package-files.ts';
import { AccountState } from '../state/index.ts';
import { readTerms, ServiceDirectory, ServiceMarketData } from '../venues/service/index.ts';
import { readLiveMarkets } from './live/markets.ts';
import { tapeHead } from './live/recording.ts';
import { openTransport } from './live/service.ts';
import { listenForSignals } from './signals.ts';
import { openVenue } from './venue-access.ts';

export interface RecordInput {
  readonly live: LiveConfiguration;
  readonly log: Log;
  readonly redactor: Redactor;
  /** Returns the path of a tape that begins at this ISO 8601 time. */
  readonly pathAt: (time: string) => string;
  readonly raw: boolean;
  /** Length of the recording; undefined for a recording that ends only with a signal. */
  readonly durationMs: DurationMs | undefined;
  readonly onStart: (markets: number, venue: string, path: string) => void;
}

const FLUSH_MS = 1_000;

/**
 * Records until a signal, or for a duration. The result's `file` is null if no data was recorded.
 * @throws InputFault, FileFault; Fault LINK, BLOCKED, VENUE
 */
export async function recordTape(input: RecordInput) {
  const { live, log, redactor, raw, durationMs } = input;
  const { file } = live;
  if (file.markets.select !== undefined)
    throw new InputFault('markets.select', '{…}', 'ids, slugs or a filter: the markets of a tape cannot change');
  const access = await openVenue(live, redactor);
  const { clock, http } = access;
  const { depth, silence_ms: silenceMs } = file.venue;
  let frames: FrameLog | undefined;
  const onFrame = (frame: Buffer, socket: number): void => frames?.append(frame, socket, clock.now());
  const transport = openTransport(live, access, log, raw ? onFrame : undefined);
  const signals = listenForSignals(() => {});
  const failed = Promise.withResolvers<never>();
  // A failure before the wait below must not count as unhandled.
  failed.promise.catch(() => {});
  const fail = (error: unknown): void => failed.reject(error);
  let recording: Recording | undefined;
  let stopFlushing = (): void => {};
  try {
    const terms = await readTerms(transport);
    const directory = new ServiceDirectory(transport, terms);
    const { present } = await readLiveMarkets({ live, directory, log }, undefined);
    const { markets } = new AccountState({ cash: ZERO_USD, markets: present });
    const head = tapeHead(markets);
    const path = input.pathAt(formatTime(clock.now()));
    const tape = new Recording({ path, head: () => head, onFault: fail });
    recording = tape;
    if (raw) {
      const session = { format: 1, version: version(), venue: http.baseUrl };
      frames = new FrameLog({ path: path.replace(/(\.tape)?$/, '.frames'), head: session, onFault: fail });
    }
    const marketData = new ServiceMarketData({ transport, terms, settings: { depth, silenceMs } });
    await transport.open();
    await marketData.start(present, {
      rows: (block, from, to) => tape.append(block, from, to),
      onLimitsChanged: () => {},
      onVenueChanged: ({ mode, link }) => log.info({ mode, link }, 'the venue changed'),
      onMarketFailed: (market, fault) => log.warn({ market, err: fault }, 'a market is no longer recorded'),
      onFailed: fail,
    });
    input.onStart(present.length, http.baseUrl, path);
    stopFlushing = repeatEvery(clock, FLUSH_MS, () => {
      tape.flush();
      frames?.flush();
    });
    const timeLimit = durationMs === undefined ? [] : [sleep(clock, durationMs)];
    await Promise.race([signals.stopRequested, failed.promise, ...timeLimit]);
    marketData.close();
    const manifest = tape.finish();
    if (manifest === undefined) return { file: null, rows: 0, contentHash: null };
    return { file: path, rows: manifest.rows, contentHash: manifest.contentHash };
  } finally {
    stopFlushing();
    recording?.finish();
    signals.release();
    await transport.close();
    await frames?.close();
  }
}
