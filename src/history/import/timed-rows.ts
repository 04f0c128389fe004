/** Reads rows with their times, in the order of the file or sorted. Large files are sorted on disk. */
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { FileFault } from '../../domain/index.ts';
import { readBytes } from '../files.ts';
import { BatchCursor, findEarliest } from './batch-cursor.ts';
import type { Cells, RowReader } from './column-readers.ts';
import type { ImportCounts } from './counts.ts';
import type { RowBatch, RowSource } from './row-source.ts';

/** Rows with their exchange times and receive times, epoch ms; all lists have the same length. */
export interface TimedRows extends RowBatch {
  readonly times: readonly number[];
  readonly rx: readonly number[];
}

interface TimedRow {
  readonly tx: number;
  readonly rx: number;
  readonly cells: Cells;
  readonly line: number;
}

/** Readers of the exchange time and receive time of a row; NaN for an invalid time. */
export interface RowTimes {
  readonly tx: RowReader<number>;
  readonly rx: RowReader<number> | undefined;
  readonly column: string;
  readonly missing: 'drop' | 'next' | 'previous';
  readonly isMissing: RowReader<boolean>;
}

/** Number of rows that are sorted in memory, about 100 MB. */
const RUN_ROWS = 200_000;
/** Maximum number of rows without a time that wait for the next row with a time, about 100 MB. */
const MAX_WAITING_ROWS = 200_000;
const MERGED_BATCH_ROWS = 4_096;
const SAVED_BATCH_ROWS = 1_000;

/** Yields the rows in the order of the file. Drops and counts rows whose time is invalid or stays missing. */
export async function* readTimedRows(
  source: RowSource,
  times: RowTimes,
  counts: ImportCounts,
): AsyncGenerator<TimedRows> {
  let last = Number.NaN;
  const batches = times.missing === 'next' ? batchesEndingWithTime(source, times) : source.batches();
  for await (const { rows, lines } of batches) {
    const tx = rows.map(times.tx);
    if (times.missing !== 'drop') fillMissingTimes(tx, rows, last, times);
    const rx = times.rx === undefined ? tx : rows.map(times.rx);
    const isTimed = tx.map((time, at) => !Number.isNaN(time) && !Number.isNaN(rx[at]));
    const batch: TimedRows = { times: tx, rx, rows, lines };
    const valid = isTimed.includes(false) ? filterRows(batch, (at) => isTimed[at] === true) : batch;
    for (const [at, line] of lines.entries()) {
      if (isTimed[at] === true) continue;
      counts.setPlace(source.file, line);
      counts.records += 1;
      counts.countDropped(`column "${times.column}": not a time as time.format and time.zone of the mapping say`);
    }
    last = valid.times.at(-1) ?? last;
    yield valid;
  }
}

/**
 * Sorts rows by time.
 * @param order order of the source; `newest_first` reverses rows of equal times
 * @param folder folder of sorted runs; deleted at the end
 */
export async function* sortRows(
  source: AsyncGenerator<TimedRows>,
  order: 'newest_first' | 'any',
  folder: string,
): AsyncGenerator<TimedRows> {
  const runs: string[] = [];
  let run: TimedRow[] = [];
  const sortRun = (): TimedRow[] => {
    const sorted = (order === 'newest_first' ? run.reverse() : run).sort((a, b) => a.tx - b.tx);
    run = [];
    return sorted;
  };
  const spill = (): void => {
    const path = join(folder, `run-${runs.length}`);
    mkdirSync(folder, { recursive: true });
    writeRun(path, sortRun());
    runs.push(path);
  };
  try {
    for await (const { times, rx, rows, lines } of source) {
      for (const [at, cells] of rows.entries()) {
        if (run.length === RUN_ROWS) spill();
        run.push({ tx: times[at] ?? 0, rx: rx[at] ?? 0, cells, line: lines[at] ?? 0 });
      }
    }
    if (runs.length === 0) {
      yield toBatch(sortRun());
      return;
    }
    if (run.length > 0) spill();
    yield* mergeRuns(order === 'newest_first' ? runs.reverse() : runs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives rows without a time the time of the next or previous row with a valid time. */
function fillMissingTimes(tx: number[], rows: RowBatch['rows'], last: number, { missing, isMissing }: RowTimes): void {
  let time = missing === 'previous' ? last : Number.NaN;
  for (let step = 0; step < rows.length; step += 1) {
    const at = missing === 'previous' ? step : rows.length - 1 - step;
    const rowTime = tx[at] ?? Number.NaN;
    if (isMissing(rows[at] ?? [])) tx[at] = time;
    else if (!Number.isNaN(rowTime)) time = rowTime;
  }
}

/**
 * Moves rows without a time after the last valid time of a batch, and the rows after them, to the next batch with a
 * valid time.
 * @throws FileFault if too many rows wait for a time
 */
async function* batchesEndingWithTime(source: RowSource, { tx, isMissing }: RowTimes): AsyncGenerator<RowBatch> {
  let waiting: RowBatch = { rows: [], lines: [] };
  for await (const { rows, lines } of source.batches()) {
    const lastTimed = rows.findLastIndex((row) => !Number.isNaN(tx(row)));
    if (lastTimed < 0 && waiting.rows.length > 0) {
      // Most of a long file may wait, so that a copy for each batch would take quadratic time.
      for (const row of rows) waiting.rows.push(row);
      for (const line of lines) waiting.lines.push(line);
      if (waiting.rows.length > MAX_WAITING_ROWS) throw tooManyWaitingFault(source, waiting);
      continue;
    }
    const missing = rows.findIndex((row, at) => at > lastTimed && isMissing(row));
    const end = missing < 0 ? rows.length : missing;
    yield { rows: [...waiting.rows, ...rows.slice(0, end)], lines: [...waiting.lines, ...lines.slice(0, end)] };
    waiting = { rows: rows.slice(end), lines: lines.slice(end) };
  }
  yield waiting;
}

function tooManyWaitingFault({ file }: RowSource, { lines }: RowBatch): FileFault {
  const problem = `more than ${MAX_WAITING_ROWS} rows wait for the time of a later row`;
  const remedy = 'Set `time.missing` in the mapping to `drop` or `previous`';
  return new FileFault(file, `line ${lines[0]}`, problem, remedy);
}

function filterRows({ times, rx, rows, lines }: TimedRows, passes: (at: number) => boolean): TimedRows {
  const filter = <T>(list: readonly T[]) => list.filter((_, at) => passes(at));
  return { times: filter(times), rx: filter(rx), rows: filter(rows), lines: filter(lines) };
}

function toBatch(rows: readonly TimedRow[]): TimedRows {
  return {
    times: rows.map(({ tx }) => tx),
    rx: rows.map(({ rx }) => rx),
    rows: rows.map(({ cells }) => cells),
    lines: rows.map(({ line }) => line),
  };
}

/** Writes lists of rows, each after its length in bytes. JSON cannot contain the 64-bit integers of Parquet columns. */
function writeRun(path: string, rows: readonly TimedRow[]): void {
  const file = openSync(path, 'w');
  try {
    for (let from = 0; from < rows.length; from += SAVED_BATCH_ROWS) {
      const bytes = serialize(rows.slice(from, from + SAVED_BATCH_ROWS));
      const head = Buffer.alloc(4);
      head.writeUInt32LE(bytes.length);
      writeFileSync(file, Buffer.concat([head, bytes]));
    }
  } finally {
    closeSync(file);
  }
}

async function* readRun(path: string) {
  const file = openSync(path, 'r');
  try {
    let at = 0;
    for (let head = readBytes(file, at, 4); head.length > 0; head = readBytes(file, at, 4)) {
      const bytes = readBytes(file, at + 4, head.readUInt32LE());
      at += 4 + bytes.length;
      const rows: readonly TimedRow[] = deserialize(bytes);
      yield { times: rows.map(({ tx }) => tx), rows };
    }
  } finally {
    closeSync(file);
  }
}

async function* mergeRuns(paths: readonly string[]): AsyncGenerator<TimedRows> {
  const runs = paths.map((path) => new BatchCursor(path, readRun(path)));
  try {
    for (const run of runs) await run.refill();
    let merged: TimedRow[] = [];
    for (let run = findEarliest(runs); run !== undefined; run = findEarliest(runs)) {
      const row = run.batch?.rows[run.indexInBatch];
      if (row !== undefined) merged.push(row);
      if (!run.advance()) await run.refill();
      if (merged.length < MERGED_BATCH_ROWS) continue;
      yield toBatch(merged);
      merged = [];
    }
    yield toBatch(merged);
  } finally {
    for (const run of runs) await run.close();
  }
}
