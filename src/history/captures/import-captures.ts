import { resolve, sep } from 'node:path';
import { FileFault } from '../../domain/index.ts';
import type { TapeMarket } from '../../tape/index.ts';
import { BatchCursor, findEarliest } from '../import/batch-cursor.ts';
import { ImportCounts } from '../import/counts.ts';
import type { ImportResult } from '../import/import-files.ts';
import { type ImportOptions, ImportState } from '../import/import-state.ts';
import { type ImportHead, TapePartsWriter } from '../import/tape-parts-writer.ts';
import { computeReadFraction, readLineBatches } from '../lines.ts';
import { type CaptureDecoder, type CapturedMessage, CaptureFile } from './capture-file.ts';
import type { CaptureTarget } from './captured-markets.ts';
import { readMarketFile } from './market-file.ts';

/** Maximum number of files. A part of each file is in memory. */
const MAX_FILES = 256;
const MESSAGES_PER_PROGRESS_REPORT = 10_000;
const PART_MESSAGES = 2_000_000;
/** Maximum lateness of a message. The streams of one venue differ by seconds. */
const MAX_LATE_MS = 60_000;
/** The finest price grid, because the grid of a market is known only at the end. */
const FINEST_GRID = { type: 'tick', tickBps: 1 } as const;

export interface CaptureImportOptions extends ImportOptions {
  readonly markets?: string | undefined;
  readonly name: string;
  /** Messages between two saved states. Default 2,000,000. */
  readonly partMessages?: number | undefined;
  readonly description?: string | undefined;
  readonly licence?: string | undefined;
  /** A print that follows its level change within this time moves before the change, ms. Default: 50. */
  readonly pairWindowMs?: number | undefined;
}

/** The part of an import that depends on the venue. */
export interface CaptureVenue<E> {
  decoder(): CaptureDecoder<E>;
  apply(message: CapturedMessage<E>, file: string): void;
  /** Called after the last message of a file. */
  endFile?(file: string): void;
  /** Writes pending results after the last message of all files. */
  finish(): void;
  describe(market: string): TapeMarket;
  /** Conversions of prices and sizes, for the manifest. */
  units(): readonly string[];
  /** Returns the state between two messages as plain values, for `restore`. */
  save(): unknown;
  restore(saved: unknown): void;
}

export interface CaptureImportResult extends ImportResult {
  readonly countsByKind: Readonly<Record<string, number>>;
}

interface CaptureRun<E, VenueRecord extends { readonly market: string }> {
  readonly options: CaptureImportOptions;
  /** @throws InputFault if the value is not metadata of a market */
  readonly readRecord: (json: unknown) => VenueRecord;
  readonly tradePattern: RegExp;
  /** Returns the inputs that depend on the venue. A saved state is valid only for equal inputs. */
  readonly getVenueInputs: (records: readonly VenueRecord[]) => unknown;
  readonly makeVenue: (target: CaptureTarget<VenueRecord>) => CaptureVenue<E>;
}

/**
 * Writes captures to tapes. A killed import with the same files and options continues after its last finished part.
 * @throws FileFault that names file and line, or an existing tape of other files
 * @throws Error when traded shares do not add up to prints and dropped trades
 */
export async function importCaptures<E, VenueRecord extends { readonly market: string }>(
  run: CaptureRun<E, VenueRecord>,
): Promise<CaptureImportResult> {
  const { options } = run;
  const { folder, name } = options;
  const counts = new ImportCounts();
  const countsByKind: Record<string, number> = {};
  const recordList = options.markets === undefined ? [] : readMarketFile(options.markets, run.readRecord, counts);
  const records = new Map(recordList.map((record) => [record.market, record]));
  const inferPrints = !(await anyLineMatches(options.files, run.tradePattern));
  const paths = resolveFiles(options);
  const { separate, pairWindowMs, partMessages } = options;
  const settings = [name, separate, pairWindowMs, partMessages, run.getVenueInputs(recordList), inferPrints];
  const inputs = (files: readonly unknown[]) => [files, ...settings];
  const state = new ImportState({ ...options, files: paths }, { name, nameOption: '--name …', inputs }, counts);
  const { partsFolder, saved, finished } = state;
  if (finished !== undefined) return { ...finished, counts, resumedAt: 0, isUpToDate: true };
  const tapes = new TapePartsWriter(
    {
      folder,
      partsFolder,
      name,
      separate: options.separate ?? false,
      rules: { grid: FINEST_GRID, startsEmpty: false, inferPrints },
      messages: { maxLateMs: MAX_LATE_MS, tooLate: 'drop', pairWindowMs: options.pairWindowMs ?? 50 },
      describe: (key) => venue.describe(key),
    },
    counts,
  );
  const venue = run.makeVenue({ tapes, counts, records, countsByKind, inferPrints });
  const names = shortenPaths(paths);
  const files = paths.map((path, at) => new CaptureFile(path, names[at] ?? path, venue.decoder(), counts));
  const cursors = files.map((file) => new BatchCursor(file, file.messages()));
  const onProgress = () => options.onProgress?.(computeReadFraction(files));
  try {
    for (const cursor of cursors) await cursor.refill();
    if (saved !== undefined) {
      for (const [at, cursor] of cursors.entries()) await cursor.skipTo(saved.taken[at] ?? 0, onProgress);
      tapes.restore(saved.part, saved.tapes);
      venue.restore(saved.venue);
      counts.restore(saved.counts);
    }
    const resumedAt = cursors.reduce((sum, { itemsPassed }) => sum + itemsPassed, 0);
    let messages = resumedAt;
    for (let cursor = findEarliest(cursors); cursor !== undefined; cursor = findEarliest(cursors)) {
      const { name: file } = cursor.source;
      const message = cursor.batch?.messages[cursor.indexInBatch];
      if (message !== undefined) venue.apply(message, file);
      // Await only at the end of a batch, because an await for each message would cost more than `apply`.
      if (!cursor.advance()) await cursor.refill();
      if (cursor.batch === undefined) venue.endFile?.(file);
      messages += 1;
      const isPart = messages % (options.partMessages ?? PART_MESSAGES) === 0;
      if (isPart) {
        const taken = cursors.map((each) => each.itemsPassed);
        state.endPart(tapes, makeHead(options, venue, files), { taken, ids: [], venue: venue.save() });
      }
      if (isPart || messages % MESSAGES_PER_PROGRESS_REPORT === 0) onProgress();
    }
    venue.finish();
    const written = state.finish(tapes, makeHead(options, venue, files), countsByKind);
    if (written.length === 0) throw nothingImportedFault(paths[0] ?? '', counts);
    return { tapes: written, counts, countsByKind, resumedAt, isUpToDate: false };
  } finally {
    for (const cursor of cursors) await cursor.close();
    tapes.abandon();
  }
}

async function anyLineMatches(files: readonly string[], pattern: RegExp): Promise<boolean> {
  for (const file of files) {
    for await (const { texts } of readLineBatches(resolve(file))) {
      if (texts.some((line) => pattern.test(line))) return true;
    }
  }
  return false;
}

function resolveFiles({ files }: CaptureImportOptions): string[] {
  const paths = files.map((file) => resolve(file));
  const duplicate = paths.find((path, at) => paths.indexOf(path) !== at);
  if (duplicate !== undefined)
    throw new FileFault(duplicate, undefined, 'the file is given twice', 'Name each file once');
  if (files.length > 0 && files.length <= MAX_FILES) return paths;
  const remedy = 'Join the files of one recording first, as with `cat`, or import in parts';
  throw new FileFault(files[0] ?? '', undefined, `${files.length} files: an import takes 1 to ${MAX_FILES}`, remedy);
}

/** Returns the shortest path suffixes that are all different. */
function shortenPaths(paths: readonly string[]): string[] {
  for (let parts = 1; ; parts += 1) {
    const names = paths.map((path) => path.split(sep).slice(-parts).join('/'));
    if (new Set(names).size === paths.length) return names;
  }
}

function makeHead<E>(
  options: CaptureImportOptions,
  venue: CaptureVenue<E>,
  files: readonly CaptureFile<E>[],
): ImportHead {
  return {
    source: {
      description: options.description ?? 'a recording of public streams',
      licence: options.licence ?? 'unknown',
      files: files.map((file) => ({ name: file.name, sha256: file.progress.sha256 })),
    },
    units: venue.units(),
    receiveTime: files.some(({ hasReceiveTimes }) => hasReceiveTimes) ? 'recorded' : 'missing',
  };
}

function nothingImportedFault(path: string, { dropped, records }: ImportCounts): FileFault {
  const reasons = [...dropped].map(([reason, { count, places }]) => `${count} x ${reason} (${places[0] ?? ''})`);
  const problem = `none of its ${records} lines makes a row${reasons.length > 0 ? `: ${reasons.slice(0, 3).join('; ')}` : ''}`;
  return new FileFault(path, undefined, problem, 'Use a recording of the streams that docs/importing.md describes');
}
