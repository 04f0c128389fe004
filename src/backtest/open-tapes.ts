import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { wallClock } from '../clock/index.ts';
import { InputFault, type MarketInfo, parseTime, unchecked } from '../domain/index.ts';
import {
  type FoundTape,
  fetchRemoteTapes,
  findTapes,
  isRemote,
  isTapeFolder,
  MarketFilter,
  ReadAheadDecoder,
  readSignals,
  TapeFile,
} from '../history/index.ts';
import { checkQueue, ReplayFeed, ResolutionCheckFeed, tradesOnlyOptions } from '../replay/index.ts';
import { mergeFeeds, type TapeManifest } from '../tape/index.ts';
import { readLatency } from './latency-files.ts';
import type { RemoteAccess } from './run-options.ts';
import type { TapeUsed } from './run-result.ts';
import type { RunSpec } from './run-spec.ts';

/** Minimum number of rows for which a decoder thread saves more time than its start takes. */
const MIN_READ_AHEAD_ROWS = 2_000_000;

export type OpenTapes = ReturnType<typeof openTapes>;

/** Opens the tapes of a run. @throws FileFault for an unusable tape; InputFault for incompatible tapes or times */
export function openTapes(
  spec: Pick<RunSpec, 'tapes' | 'from' | 'to' | 'signals' | 'fitted_on' | 'latency'>,
  baseDir: string,
) {
  const from = spec.from === undefined ? undefined : parseTime('from', spec.from);
  const to = spec.to === undefined ? undefined : parseTime('to', spec.to);
  const { tapes, lookAheadFields } = openNamedTapes(spec.tapes, baseDir, from);
  const manifests = tapes.map(selectedManifest);
  const start = computeStart(manifests, from, to);
  const markets = manifests.flatMap((manifest) => manifest.markets);
  assertDistinctMarkets(manifests);
  assertSameKind(manifests);
  const totalRows = manifests.reduce((sum, { rows }) => sum + rows, 0);
  const decoder =
    totalRows >= MIN_READ_AHEAD_ROWS && availableParallelism() > 1 ? new ReadAheadDecoder(tapes.length) : undefined;
  const feeds = tapes.map(({ tape: file, markets: selected }) => {
    const tape = file.feed({ decoder, ...(to !== undefined && { to }) });
    const filtered = selected === undefined ? tape : new MarketFilter(tape, selected);
    return new ReplayFeed(new ResolutionCheckFeed(filtered, file.path), from);
  });
  decoder?.start();
  return {
    feed: mergeFeeds(
      feeds.map((feed, index) => {
        const { markets: tapeMarkets = [], from: first = 0 } = manifests[index] ?? {};
        return { feed, markets: tapeMarkets.length, from: Math.max(first, from ?? first) };
      }),
    ),
    /** The content hash of each tape, followed by the numbers of the used markets if the run uses only some. */
    hashes: tapes.map(({ tape, markets: selected = [] }) => [tape.manifest.contentHash, ...selected].join(' ')),
    /** Fields that chose tapes but are unknown when the run begins. Any such field makes the run in-sample. */
    lookAheadFields,
    /** Names of tapes on which the parameters were fitted. Such tapes make the run in-sample. */
    fittedTapes: findFittedTapes(spec.fitted_on, baseDir, manifests),
    /** Category and tags of each market. */
    labels: markets.map(({ category, tags = [] }) => ({ category, tags })),
    manifests,
    markets: markets.map(({ outcomes, commissionBps, category, tags, ...info }, index): MarketInfo => {
      return { market: unchecked.market(index), ...info };
    }),
    /** Names of the YES and NO outcomes of each market. */
    outcomes: markets.map(({ outcomes }) => outcomes),
    commissionBps: markets.map(({ commissionBps }) => commissionBps),
    /** Signals of the spec and the sha256 of their file; undefined without signals. */
    signals: spec.signals === undefined ? undefined : readSignals(resolve(baseDir, spec.signals)),
    latency: readLatency(spec.latency, baseDir),
    receiveTime: manifests[0]?.receiveTime ?? 'missing',
    /** Content of all tapes: trades or candles; undefined for books. */
    content: manifests[0]?.content,
    /** Exchange time, epoch ms. */
    start,
    totalRows,
    countRowsRead: (): number => feeds.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    usedTapes: (): readonly TapeUsed[] => feeds.map((feed, index) => toTapeUsed(manifests[index], feed)),
  };
}

/**
 * Returns the spec adapted to tapes of this content. Tapes without a book have no limit on the book's age.
 * @throws InputFault for maker fills on candles, and for the queue `fifo` on a tape without order ids
 */
export function adaptSpec(spec: RunSpec, { content, manifests }: Pick<OpenTapes, 'content' | 'manifests'>): RunSpec {
  for (const manifest of manifests) checkQueue(spec.queue, manifest, 'queue');
  if (content === undefined) return spec;
  const trades_only = tradesOnlyOptions(spec.trades_only, content, 'trades_only');
  return { ...spec, trades_only, risk: { ...spec.risk, max_book_age_ms: 'none' } };
}

/** Returns the tapes of a run, including those in folders. @throws the FileFaults and InputFaults of `openTapes` */
export function findRunTapes(spec: Pick<RunSpec, 'tapes' | 'from'>, baseDir: string): readonly FoundTape[] {
  return openNamedTapes(spec.tapes, baseDir, spec.from === undefined ? undefined : parseTime('from', spec.from)).tapes;
}

function openNamedTapes(entries: RunSpec['tapes'], baseDir: string, from: number | undefined) {
  const tapes: FoundTape[] = [];
  const lookAheadFields = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const { folder, where } = typeof entry === 'string' ? { folder: entry, where: undefined } : entry;
    const path = resolve(baseDir, folder);
    if (typeof entry === 'string' && !isTapeFolder(path)) {
      tapes.push({ tape: TapeFile.open(path), markets: undefined });
      continue;
    }
    const settingNames = { folder: `tapes[${index}]`, where: `tapes[${index}].where` };
    const found = findTapes({ folder: path, where, from, settingNames });
    tapes.push(...found.tapes);
    for (const name of found.lookAheadFields) lookAheadFields.add(name);
  }
  return { tapes, lookAheadFields: [...lookAheadFields] };
}

function selectedManifest({ tape: { manifest }, markets }: FoundTape): TapeManifest {
  if (markets === undefined) return manifest;
  return { ...manifest, markets: markets.flatMap((market) => manifest.markets[market] ?? []) };
}

function computeStart(manifests: readonly TapeManifest[], from: number | undefined, to: number | undefined): number {
  const first = Math.min(...manifests.map((manifest) => manifest.from));
  const last = Math.max(...manifests.map((manifest) => manifest.to));
  const span = `between ${new Date(first).toISOString()} and ${new Date(last).toISOString()}, the range of the tapes`;
  if (from !== undefined && from > last) throw new InputFault('from', new Date(from).toISOString(), `a time ${span}`);
  if (to !== undefined && (to <= first || (from !== undefined && to <= from)))
    throw new InputFault('to', new Date(to).toISOString(), `a time after "from", ${span}`);
  return from === undefined ? first : Math.max(from, first);
}

/** Refuses tapes that share a market, because the market would get two independent books. @throws InputFault */
function assertDistinctMarkets(manifests: readonly TapeManifest[]): void {
  const seen = new Set<string>();
  for (const [index, { name, markets }] of manifests.entries()) {
    for (const { id, slug } of markets) {
      if (seen.has(id))
        throw new InputFault(`tapes[${index}]`, name, `a tape without the market ${slug} of an earlier tape`);
      seen.add(id);
    }
  }
}

/** Refuses tapes that differ from the first one in receive times or content. @throws InputFault */
function assertSameKind(manifests: readonly TapeManifest[]): void {
  const [first] = manifests;
  for (const [index, { name, receiveTime, content }] of manifests.entries()) {
    const field = `tapes[${index}]`;
    if (receiveTime !== first?.receiveTime)
      throw new InputFault(field, name, `a tape whose receive times are ${first?.receiveTime}, like the first tape`);
    // One set of models serves all markets of a run.
    const expected = `a tape of ${first.content ?? 'books'}, like the first tape`;
    if (content !== first.content)
      throw new InputFault(field, name, `${expected}. Run tapes of ${content ?? 'books'} separately`);
  }
}

function toTapeUsed(manifest: TapeManifest | undefined, feed: ReplayFeed): TapeUsed {
  const { name = '', contentHash = '', from = 0, to = 0 } = manifest ?? {};
  return {
    name,
    sha256: contentHash,
    events: feed.rowsReplayed,
    from: new Date(feed.firstTime ?? from).toISOString(),
    to: new Date(feed.lastTime ?? to).toISOString(),
  };
}

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Returns the names of the run's tapes on which its parameters were fitted: tapes with the same content, or with the
 * same market in an overlapping time, such as results of `tape cut` and `tape join`.
 * @param fittedOn paths of tapes, or sha256 of their content
 * @param folder base of relative paths
 * @throws FileFault for a path that is not a tape
 */
function findFittedTapes(
  fittedOn: readonly string[],
  folder: string,
  manifests: readonly TapeManifest[],
): readonly string[] {
  const paths = fittedOn.filter((entry) => !SHA256.test(entry));
  const fitted = paths.map((path) => TapeFile.open(resolve(folder, path)).manifest);
  const hashes = new Set([...fittedOn, ...fitted.map(({ contentHash }) => contentHash)]);
  return manifests
    .filter((tape) => hashes.has(tape.contentHash) || fitted.some((other) => hasOverlap(tape, other)))
    .map(({ name }) => name);
}

function hasOverlap(one: TapeManifest, other: TapeManifest): boolean {
  if (one.from > other.to || other.from > one.to) return false;
  const ids = new Set(one.markets.map(({ id }) => id));
  return other.markets.some(({ id }) => ids.has(id));
}

/**
 * Returns the spec with local copies in place of URLs. Missing copies are downloaded.
 * @throws FileFault for an unavailable tape, InputFault for an unusable URL, and the reason of an aborted `signal`
 */
export async function withLocalTapes(
  spec: RunSpec,
  remote: RemoteAccess | undefined,
  signal?: AbortSignal,
): Promise<RunSpec> {
  const firstRemote = spec.tapes.find(isRemote);
  if (firstRemote === undefined) return spec;
  if (remote === undefined)
    throw new InputFault('tapes', firstRemote, 'a path, because no folder for copies of remote tapes is set');
  const { max_gb, s3_endpoint, s3_region } = spec.remote_tapes;
  const tapes = await fetchRemoteTapes(spec.tapes, {
    clock: wallClock(),
    cacheFolder: remote.cacheFolder,
    maxBytes: max_gb * 1_000_000_000,
    s3: { endpoint: s3_endpoint, region: s3_region, credentials: remote.credentials },
    from: spec.from === undefined ? undefined : parseTime('from', spec.from),
    signal,
    ...(remote.onProgress !== undefined && { onProgress: remote.onProgress }),
  });
  return { ...spec, tapes: [...tapes] };
}
