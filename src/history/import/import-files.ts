/** Imports CSV, JSON lines and Parquet to tapes, by a mapping. docs/importing.md states the rules. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FileFault, InputFault } from '../../domain/index.ts';
import { checkRereadable, computeReadFraction } from '../lines.ts';
import { BatchCursor, findEarliest } from './batch-cursor.ts';
import { collectColumns } from './column-readers.ts';
import { ImportCounts } from './counts.ts';
import { openCsv } from './csv-source.ts';
import { type ImportOptions, ImportState } from './import-state.ts';
import { Instruments } from './instruments.ts';
import { openJsonl } from './jsonl-source.ts';
import { describeConversions, type Mapping } from './mapping.ts';
import { MessageReader } from './message-reader.ts';
import { openParquet } from './parquet-source.ts';
import { RowDecoder } from './row-decoder.ts';
import { limitRows, type RowSource } from './row-source.ts';
import { type ImportedTape, type ImportHead, TapePartsWriter } from './tape-parts-writer.ts';
import { readTimedRows, sortRows, type TimedRows } from './timed-rows.ts';

export type ImportFormat = 'csv' | 'jsonl' | 'parquet';

const PART_RECORDS = 2_000_000;
const RECORDS_PER_PROGRESS_REPORT = 20_000;

export interface FileImportOptions extends ImportOptions {
  readonly format: ImportFormat;
  readonly mapping: Mapping;
  /** Path of the mapping. Its hash is stored, and its paths are relative to its folder. Default: a built-in mapping. */
  readonly mappingFile?: string;
  /** Records between two saved states. Default 2,000,000. */
  readonly partRecords?: number;
  /** Maximum number of rows to read per file. Default: all. */
  readonly maxRows?: number;
}

export interface ImportResult {
  readonly tapes: readonly ImportedTape[];
  readonly counts: ImportCounts;
  /** Number of records that an earlier, killed import had finished; 0 if there was none. */
  readonly resumedAt: number;
  /** Whether the same import had finished before, so that nothing was done. */
  readonly isUpToDate: boolean;
}

interface Input {
  readonly number: number;
  readonly path: string;
  readonly rowSource: RowSource;
  readonly decoder: RowDecoder;
}

type InputCursor = BatchCursor<TimedRows, Input>;

/**
 * Imports files by a mapping. A killed import of the same files and mapping continues after its last finished part.
 * @throws InputFault that names a field of the mapping
 * @throws FileFault that names file and line, or an existing tape that was imported from other files
 * @throws Error when traded shares do not add up to prints and dropped trades
 */
export async function importFiles(options: FileImportOptions): Promise<ImportResult> {
  const { mapping, folder } = options;
  const counts = new ImportCounts();
  const { name } = mapping;
  const state = new ImportState(options, { name, nameOption: '--set name=…', inputs: makeInputs(options) }, counts);
  const { partsFolder, saved, finished } = state;
  if (finished !== undefined) return { tapes: finished.tapes, counts, resumedAt: 0, isUpToDate: true };
  const instruments = new Instruments(mapping, getMappingFolder(options));
  const tapes = new TapePartsWriter(
    {
      folder,
      partsFolder,
      name,
      separate: options.separate ?? false,
      rules: {
        grid: mapping.grid,
        noRows: mapping.market.no_rows,
        offGrid: mapping.off_grid,
        startsEmpty: !mapping.rows.some(({ means }) => means === 'snapshot' || means === 'book'),
        inferPrints: mapping.prints === 'inferred',
      },
      messages: { maxLateMs: mapping.time.late_ms, tooLate: mapping.time.later, pairWindowMs: mapping.pair_window_ms },
      describe: (key) => instruments.describe(key),
    },
    counts,
  );
  const cursors: InputCursor[] = [];
  const onProgress = () => options.onProgress?.(computeReadFraction(cursors.map(({ source }) => source.rowSource)));
  try {
    for (const path of options.files) cursors.push(await openInput(path, cursors.length, options, counts, partsFolder));
    const decoders = cursors.map(({ source }) => source.decoder);
    const reader = new MessageReader(mapping, instruments, tapes, counts, decoders);
    for (const cursor of cursors) await cursor.refill();
    if (saved !== undefined) {
      for (const [index, cursor] of cursors.entries()) await cursor.skipTo(saved.taken[index] ?? 0, onProgress);
      tapes.restore(saved.part, saved.tapes);
      reader.restore(saved.ids);
      counts.restore(saved.counts);
    }
    const unfinished = cursors.filter(({ batch }) => batch !== undefined);
    const resumedAt = saved?.counts.records ?? 0;
    let nextPartAt = counts.records + (options.partRecords ?? PART_RECORDS);
    for (let cursor = findEarliest(unfinished); cursor?.batch !== undefined; cursor = findEarliest(unfinished)) {
      const { number, path, rowSource } = cursor.source;
      const { batch, indexInBatch } = cursor;
      const tx = batch.times[indexInBatch] ?? 0;
      if (counts.records >= nextPartAt && reader.isNewTime(tx)) {
        reader.endMessage();
        nextPartAt = counts.records + (options.partRecords ?? PART_RECORDS);
        const taken = cursors.map((each) => each.itemsPassed);
        state.endPart(tapes, makeHead(options, cursors), { taken, ids: reader.getIds() });
        onProgress();
      }
      counts.setPlace(rowSource.file, batch.lines[indexInBatch] ?? 0);
      counts.records += 1;
      try {
        reader.addRow(number, tx, batch.rx[indexInBatch] ?? tx, batch.rows[indexInBatch] ?? []);
      } catch (cause) {
        throw withPlace(cause, path, batch, indexInBatch);
      }
      if (!cursor.advance()) {
        await cursor.refill();
        if (cursor.batch === undefined) unfinished.splice(unfinished.indexOf(cursor), 1);
      }
      if (counts.records % RECORDS_PER_PROGRESS_REPORT === 0) {
        if (reader.fitsNoRow) throw nothingImportedFault(options.files[0] ?? '', counts);
        onProgress();
      }
    }
    reader.finish();
    const written = state.finish(tapes, makeHead(options, cursors), {});
    if (written.length === 0) throw nothingImportedFault(options.files[0] ?? '', counts);
    return { tapes: written, counts, resumedAt, isUpToDate: false };
  } finally {
    for (const cursor of cursors) await cursor.close();
    tapes.abandon();
  }
}

async function openInput(
  path: string,
  number: number,
  { format, mapping, maxRows }: FileImportOptions,
  counts: ImportCounts,
  partsFolder: string,
): Promise<InputCursor> {
  checkRereadable(path);
  const source = await openSource(path, format, mapping, counts);
  const decoder = new RowDecoder(mapping, basename(path), source.columns, (zone) => counts.zones.add(zone));
  const timed = readTimedRows(maxRows === undefined ? source : limitRows(source, maxRows), decoder.times, counts);
  const rows = readUndamaged(timed, mapping, counts);
  const { order } = mapping.time;
  const folder = join(partsFolder, `sort-${number}`);
  const ordered = order === 'oldest_first' ? rows : sortRows(rows, order, folder);
  return new BatchCursor({ number, path, rowSource: source, decoder }, ordered);
}

/** @throws FileFault */
function openSource(path: string, format: ImportFormat, mapping: Mapping, counts: ImportCounts): Promise<RowSource> {
  const columns = [...new Set(collectColumns({ ...mapping, markets: [] }))];
  switch (format) {
    case 'csv':
      return openCsv(path, mapping.csv, counts);
    case 'jsonl':
      return Promise.resolve(openJsonl(path, columns, mapping.each, counts));
    case 'parquet':
      return openParquet(path, columns, mapping.each);
  }
}

/** Yields rows up to the end or the damage. @throws FileFault for damage, unless the mapping accepts damaged files */
async function* readUndamaged(
  rows: AsyncGenerator<TimedRows>,
  { damaged }: Mapping,
  counts: ImportCounts,
): AsyncGenerator<TimedRows> {
  try {
    yield* rows;
  } catch (cause) {
    // Damage has a cause. A fault without a cause refuses content, such as a merge conflict.
    if (!(cause instanceof FileFault) || cause.cause === undefined) throw cause;
    if (damaged !== 'keep') {
      const remedy =
        'Download the file again, or import the part before the damage with `damaged: keep` in the mapping';
      throw new FileFault(cause.file, cause.where, cause.problem, remedy, { cause });
    }
    counts.countChanged('file that is damaged or cut short: only the part before the damage is imported');
  }
}

/** Returns the fault for a mapping that fits no row, with the most frequent reason. */
function nothingImportedFault(path: string, counts: ImportCounts): FileFault {
  const [top] = [...counts.dropped].sort(([, a], [, b]) => b.count - a.count);
  const why =
    top === undefined
      ? 'the file has no rows'
      : `no row can be used: ${top[0]} (${top[1].count} rows, first ${top[1].places[0]})`;
  return new FileFault(path, undefined, why, 'Inspect the file with `halfspread import sniff` and change the mapping');
}

/** Adds the place to a row's fault. If time goes back, the remedy depends on the next rows. */
function withPlace(cause: unknown, path: string, { times, lines }: TimedRows, rowIndex: number): unknown {
  if (!(cause instanceof InputFault)) return cause;
  const where = `line ${lines[rowIndex]}`;
  if (cause.field !== 'time')
    return new FileFault(path, where, cause.message, 'Correct the row, or change the mapping', { cause });
  const nearTimes = times.slice(Math.max(0, rowIndex - 1), rowIndex + 1_000);
  const steps = nearTimes.slice(1).map((time, index) => time - (nearTimes[index] ?? 0));
  const backward = steps.filter((step) => step < 0).length;
  let remedy =
    'A second capture seems to begin here. Split the file, or sort it with `time.order: any`. If a clock was set back, ' +
    'write the offset after each time, such as -05:00';
  if (steps.length > 2 && backward > 0.9 * steps.length)
    remedy = 'The rows seem to be newest first. Set `time.order: newest_first` in the mapping';
  else if (backward > 2)
    remedy = `Time goes back ${backward} times in the next ${steps.length} rows: two captures seem to be interleaved. Split the file, or sort it with \`time.order: any\``;
  return new FileFault(path, where, cause.message, remedy, { cause });
}

function makeHead({ mapping, mappingFile }: FileImportOptions, cursors: readonly InputCursor[]): ImportHead {
  const means = new Set(mapping.rows.map((row) => row.means));
  const hasBook = (['level', 'level_delta', 'insert_cancel', 'snapshot', 'book', 'top_of_book'] as const).some(
    (meaning) => means.has(meaning),
  );
  const content = hasBook ? undefined : means.has('candle') ? ('candles' as const) : ('trades' as const);
  return {
    source: {
      description: mapping.description,
      licence: mapping.licence,
      files: [
        ...cursors.map(({ source: { path, rowSource } }) => ({
          name: basename(path),
          sha256: rowSource.progress.sha256,
        })),
        ...(mappingFile === undefined ? [] : [{ name: basename(mappingFile), sha256: hashFile(mappingFile) }]),
      ],
    },
    units: describeConversions(mapping),
    receiveTime: mapping.time.received === undefined ? 'missing' : 'recorded',
    ...(content !== undefined && { content }),
  };
}

function getMappingFolder({ mappingFile, folder }: FileImportOptions): string {
  return mappingFile === undefined ? folder : resolve(mappingFile, '..');
}

/** Returns a function that lists all inputs of an import. A saved state is valid only for equal inputs. */
function makeInputs(options: FileImportOptions): (files: readonly unknown[]) => readonly unknown[] {
  const { format, mappingFile, separate, mapping, partRecords, maxRows } = options;
  const { metadata } = mapping;
  const metadataHash = metadata === undefined ? '' : hashFile(resolve(getMappingFolder(options), metadata.file));
  const mappingHash = mappingFile === undefined ? '' : hashFile(mappingFile);
  return (files) => [format, files, mappingHash, metadataHash, mapping, separate, partRecords, maxRows];
}

function hashFile(path: string): string {
  const content = existsSync(path) ? readFileSync(path) : '';
  return createHash('sha256').update(content).digest('hex');
}
