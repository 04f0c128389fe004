/** Imports CSV, JSON lines and Parquet to tapes, by a mapping. docs/importing.md states the rules. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FileFault } from '../../domain/index.ts';
import { checkRereadable, readShare } from '../lines.ts';
import { columnsOf } from './column-readers.ts';
import { ImportCounts } from './counts.ts';
import { openCsv } from './csv-source.ts';
import { nothingImportedFault, withPlace } from './import-faults.ts';
import { type ImportOptions, ImportState } from './import-state.ts';
import { type ImportedTape, type ImportHead, ImportTapes } from './import-tapes.ts';
import { Instruments } from './instruments.ts';
import { openJsonl } from './jsonl-source.ts';
import { conversionsOf, type Mapping } from './mapping.ts';
import { MessageReader } from './message-reader.ts';
import { openParquet } from './parquet-source.ts';
import { earliestCursor, fileCursor, openCursors, type RowCursor, sortedCursor } from './row-cursor.ts';
import { RowDecoder } from './row-decoder.ts';
import { firstRows, type RowSource } from './row-source.ts';

export type ImportFormat = 'csv' | 'jsonl' | 'parquet';

/** Default number of records between two saved states. */
const PART_RECORDS = 2_000_000;
const PROGRESS_EVERY = 20_000;

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

export interface FileImport {
  readonly tapes: readonly ImportedTape[];
  readonly counts: ImportCounts;
  /** Rows or messages that a killed import had finished. */
  readonly resumedAt: number;
  /** Whether the same import had finished before, so that nothing was done. */
  readonly isUpToDate: boolean;
}

/** One file, with a cursor over its rows in order of time. */
interface Input {
  readonly path: string;
  readonly source: RowSource;
  readonly decoder: RowDecoder;
  readonly cursor: RowCursor;
}

/**
 * Imports files by a mapping. A killed import of the same files and mapping continues after its last finished part.
 * @throws InputFault that names a field of the mapping
 * @throws FileFault that names file and line, or an existing tape of other files
 * @throws Error when traded shares do not add up to prints and dropped trades
 */
export async function importFiles(options: FileImportOptions): Promise<FileImport> {
  const { mapping, folder } = options;
  const counts = new ImportCounts();
  const { name } = mapping;
  const state = new ImportState(options, { name, nameOption: '--set name=…', inputs: inputsOf(options) }, counts);
  const { partsFolder, saved, finished } = state;
  if (finished !== undefined) return { tapes: finished.tapes, counts, resumedAt: 0, isUpToDate: true };
  const instruments = new Instruments(mapping, folderOf(options));
  const tapes = new ImportTapes(
    {
      folder,
      partsFolder,
      name,
      separate: options.separate ?? false,
      rules: {
        grid: mapping.grid,
        noOutcomeRows: mapping.market.no_rows,
        offGrid: mapping.off_grid,
        startsEmpty: !mapping.rows.some(({ means }) => means === 'snapshot' || means === 'book'),
        inferPrints: mapping.prints === 'inferred',
      },
      messages: { lateMs: mapping.time.late_ms, later: mapping.time.later, pairWindowMs: mapping.pair_window_ms },
      describe: (key) => instruments.describe(key),
    },
    counts,
  );
  const inputs: Input[] = [];
  try {
    for (const path of options.files) inputs.push(await openInput(path, inputs.length, options, counts, partsFolder));
    const reader = new MessageReader(
      mapping,
      instruments,
      tapes,
      counts,
      inputs.map(({ decoder }) => decoder),
    );
    let open = await openCursors(inputs.map(({ cursor }) => cursor));
    const taken = inputs.map(() => 0);
    if (saved !== undefined) {
      open = await skip(open, inputs, saved.taken);
      taken.splice(0, taken.length, ...saved.taken);
      tapes.restore(saved.part, saved.tapes);
      reader.restore(saved.ids);
      counts.restore(saved.counts);
    }
    const resumedAt = saved?.counts.records ?? 0;
    let nextPartAt = counts.records + (options.partRecords ?? PART_RECORDS);
    const indexOf = new Map(inputs.map(({ cursor }, at) => [cursor, at]));
    for (let cursor = earliestCursor(open); cursor !== undefined; cursor = earliestCursor(open)) {
      const { batch, at } = cursor;
      const index = indexOf.get(cursor) ?? 0;
      const tx = batch.tx[at] ?? 0;
      if (counts.records >= nextPartAt && reader.isNewTime(tx)) {
        reader.end();
        nextPartAt = counts.records + (options.partRecords ?? PART_RECORDS);
        state.endPart(tapes, headOf(options, inputs), { taken, ids: reader.ids() });
        options.onProgress?.(readShare(inputs.map(({ source }) => source)));
      }
      counts.at(cursor.file, batch.lines[at] ?? 0);
      counts.records += 1;
      try {
        reader.row(index, tx, batch.rx[at] ?? tx, batch.rows[at] ?? []);
      } catch (cause) {
        throw withPlace(cause, inputs[index]?.path ?? '', cursor);
      }
      taken[index] = (taken[index] ?? 0) + 1;
      cursor.at = at + 1;
      if (cursor.at === batch.tx.length && !(await refill(cursor, options, counts)))
        open.splice(open.indexOf(cursor), 1);
      if (counts.records % PROGRESS_EVERY === 0) {
        if (reader.fitsNoRow) throw nothingImportedFault(options.files[0] ?? '', counts);
        options.onProgress?.(readShare(inputs.map(({ source }) => source)));
      }
    }
    reader.finish();
    const written = state.finish(tapes, headOf(options, inputs), {});
    if (written.length === 0) throw nothingImportedFault(options.files[0] ?? '', counts);
    return { tapes: written, counts, resumedAt, isUpToDate: false };
  } finally {
    for (const { cursor } of inputs) await cursor.close();
    tapes.abandon();
  }
}

async function openInput(
  path: string,
  index: number,
  { format, mapping, maxRows }: FileImportOptions,
  counts: ImportCounts,
  partsFolder: string,
): Promise<Input> {
  checkRereadable(path);
  const source = await openSource(path, format, mapping, counts);
  const decoder = new RowDecoder(mapping, basename(path), source.columns, (zone) => counts.zones.add(zone));
  const rows = fileCursor(maxRows === undefined ? source : firstRows(source, maxRows), decoder.times, counts);
  const { order } = mapping.time;
  const folder = join(partsFolder, `sort-${index}`);
  const cursor = order === 'oldest_first' ? rows : await sortedCursor(rows, order === 'newest_first', folder, counts);
  return { path, source, decoder, cursor };
}

/** @throws FileFault */
function openSource(path: string, format: ImportFormat, mapping: Mapping, counts: ImportCounts): Promise<RowSource> {
  const columns = [...new Set(columnsOf({ ...mapping, markets: [] }))];
  switch (format) {
    case 'csv':
      return openCsv(path, mapping.csv, counts);
    case 'jsonl':
      return Promise.resolve(openJsonl(path, columns, mapping.each, counts));
    case 'parquet':
      return openParquet(path, columns, mapping.each);
  }
}

/** Reads the next batch. Returns false at the end, and at damage if the mapping accepts damaged files. */
async function refill(cursor: RowCursor, { mapping }: FileImportOptions, counts: ImportCounts): Promise<boolean> {
  try {
    return await cursor.refill();
  } catch (cause) {
    // A fault without a cause is not damage but a rule, such as for merge conflicts.
    if (!(cause instanceof FileFault) || cause.cause === undefined) throw cause;
    if (mapping.damaged !== 'keep') {
      const remedy =
        'Download the file again, or import the part before the damage with `damaged: keep` in the mapping';
      throw new FileFault(cause.file, cause.where, cause.problem, remedy, { cause });
    }
    counts.change('file that is damaged or cut short: the part before the damage counts');
    return false;
  }
}

/** Skips the rows that a saved import has read. Returns the cursors that have more. */
async function skip(
  open: readonly RowCursor[],
  inputs: readonly Input[],
  taken: readonly number[],
): Promise<RowCursor[]> {
  const remaining: RowCursor[] = [];
  for (const [index, { cursor }] of inputs.entries()) {
    if (!open.includes(cursor)) continue;
    let rows = taken[index] ?? 0;
    let isOpen = true;
    while (isOpen && rows >= cursor.batch.tx.length - cursor.at) {
      rows -= cursor.batch.tx.length - cursor.at;
      isOpen = await cursor.refill();
    }
    if (!isOpen) continue;
    cursor.at += rows;
    remaining.push(cursor);
  }
  return remaining;
}

function headOf({ mapping, mappingFile }: FileImportOptions, inputs: readonly Input[]): ImportHead {
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
        ...inputs.map(({ path, source }) => ({ name: basename(path), sha256: source.trace.sha256 })),
        ...(mappingFile === undefined ? [] : [{ name: basename(mappingFile), sha256: hashOf(mappingFile) }]),
      ],
    },
    units: conversionsOf(mapping),
    receiveTime: mapping.time.received === undefined ? 'missing' : 'recorded',
    ...(content === undefined ? {} : { content }),
  };
}

/** Folder to which the paths of the mapping are relative. */
function folderOf({ mappingFile, folder }: FileImportOptions): string {
  return mappingFile === undefined ? folder : resolve(mappingFile, '..');
}

/** Returns all inputs of the result: a saved state is used only if they are equal. */
function inputsOf(options: FileImportOptions): (files: readonly unknown[]) => readonly unknown[] {
  const { format, mappingFile, separate, mapping, partRecords, maxRows } = options;
  const { metadata } = mapping;
  const facts = metadata === undefined ? '' : hashOf(resolve(folderOf(options), metadata.file));
  const hash = mappingFile === undefined ? '' : hashOf(mappingFile);
  return (files) => [format, files, hash, facts, mapping, separate, partRecords, maxRows];
}

function hashOf(path: string): string {
  return createHash('sha256')
    .update(existsSync(path) ? readFileSync(path) : '')
    .digest('hex');
}
