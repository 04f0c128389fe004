import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { counted, InputFault, type MarketInfo, parseTime } from '../domain/index.ts';
import { AheadDecoder, readSignals, TapeFile, type TimedSignal } from '../history/index.ts';
import { ReplayFeed, ResolvedOnce } from '../replay/index.ts';
import { type Feed, mergeFeeds, type TapeManifest } from '../tape/index.ts';
import type { TapeUsed } from './run-result.ts';
import type { RunSpec } from './run-spec.ts';

/** From here on a thread that decodes ahead is worth its start, where a core is free for it. */
const AHEAD_ROWS = 2_000_000;

export interface OpenTapes {
  readonly feed: Feed;
  readonly manifests: readonly TapeManifest[];
  readonly markets: readonly MarketInfo[];
  /** Names of the YES and the NO outcome of each. */
  readonly outcomes: readonly (readonly [string, string])[];
  /** Signals of the spec and the sha256 of their file; undefined for none. */
  readonly signals: { readonly signals: readonly TimedSignal[]; readonly sha256: string } | undefined;
  /** Commission on net winnings of each, bps. */
  readonly commissionBps: readonly number[];
  readonly receiveTime: 'recorded' | 'missing';
  /** Exchange time at which the run begins. */
  readonly start: number;
  /** Rows that will have been read at the end. */
  readonly totalRows: number;
  read(): number;
  used(): readonly TapeUsed[];
}

/** @throws FileFault for a tape that cannot be used, InputFault for tapes that do not go together or an empty window */
export function openTapes(spec: Pick<RunSpec, 'tapes' | 'from' | 'to' | 'signals'>, baseDir: string): OpenTapes {
  const from = spec.from === undefined ? undefined : parseTime('from', spec.from);
  const to = spec.to === undefined ? undefined : parseTime('to', spec.to);
  const files = spec.tapes.map((path) => TapeFile.open(resolve(baseDir, path)));
  const manifests = files.map(({ manifest }) => manifest);
  const start = windowStart(manifests, from, to);
  const markets = manifests.flatMap((manifest) => manifest.markets);
  checkDistinct(manifests);
  const receiveTime = commonReceiveTime(manifests);
  const totalRows = manifests.reduce((sum, { rows }) => sum + rows, 0);
  const ahead = totalRows >= AHEAD_ROWS && availableParallelism() > 1 ? new AheadDecoder(files.length) : undefined;
  const feeds = files.map((file) => {
    const tape = file.feed({ ahead: ahead ?? false, ...(to !== undefined && { to }) });
    return new ReplayFeed(new ResolvedOnce(tape, file.path), from);
  });
  ahead?.start();
  return {
    feed: mergeFeeds(feeds.map((feed, index) => ({ feed, markets: manifests[index]?.markets.length ?? 0 }))),
    manifests,
    markets: markets.map(({ outcomes, commissionBps, ...info }, index) => {
      return { market: counted.market(index), ...info };
    }),
    outcomes: markets.map(({ outcomes }) => outcomes),
    commissionBps: markets.map(({ commissionBps }) => commissionBps),
    signals: spec.signals === undefined ? undefined : readSignals(resolve(baseDir, spec.signals)),
    receiveTime,
    start,
    totalRows,
    read: () => feeds.reduce((sum, { read }) => sum + read, 0),
    used: () => feeds.map((feed, index) => usedOf(manifests[index], feed)),
  };
}

function windowStart(manifests: readonly TapeManifest[], from: number | undefined, to: number | undefined): number {
  const first = Math.min(...manifests.map((manifest) => manifest.from));
  const last = Math.max(...manifests.map((manifest) => manifest.to));
  const span = `between ${new Date(first).toISOString()} and ${new Date(last).toISOString()}, where the tapes are`;
  if (from !== undefined && from > last) throw new InputFault('from', new Date(from).toISOString(), `a time ${span}`);
  if (to !== undefined && (to <= first || (from !== undefined && to <= from))) {
    throw new InputFault('to', new Date(to).toISOString(), `a time after "from", ${span}`);
  }
  return from === undefined ? first : Math.max(from, first);
}

/** The same market twice would be two books that know nothing of each other. */
function checkDistinct(manifests: readonly TapeManifest[]): void {
  const seen = new Set<string>();
  for (const [index, { name, markets }] of manifests.entries()) {
    for (const { id, slug } of markets) {
      if (seen.has(id))
        throw new InputFault(`tapes[${index}]`, name, `a tape without the market ${slug}, which is there already`);
      seen.add(id);
    }
  }
}

function commonReceiveTime(manifests: readonly TapeManifest[]): 'recorded' | 'missing' {
  const [first] = manifests;
  for (const [index, { name, receiveTime }] of manifests.entries()) {
    if (receiveTime !== first?.receiveTime) {
      throw new InputFault(
        `tapes[${index}]`,
        name,
        `a tape whose receive times are ${first?.receiveTime}, as in the first`,
      );
    }
  }
  return first?.receiveTime ?? 'missing';
}

function usedOf(manifest: TapeManifest | undefined, feed: ReplayFeed): TapeUsed {
  const { name = '', contentHash = '', from = 0, to = 0 } = manifest ?? {};
  return {
    name,
    sha256: contentHash,
    events: feed.replayed,
    from: new Date(feed.firstTime ?? from).toISOString(),
    to: new Date(feed.lastTime ?? to).toISOString(),
  };
}
