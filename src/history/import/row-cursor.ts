/** Cursors over the rows of a file in order of time: in file order, or sorted, on disk for large files. */
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineBatches, newTrace } from '../lines.ts';
import type { ImportCounts } from './counts.ts';
import type { RowBatch, RowSource } from './row-source.ts';

/** Rows with their times; all lists have the same length. */
interface TimedBatch {
  readonly tx: number[];
  readonly rx: number[];
  readonly rows: (readonly unknown[])[];
  readonly lines: number[];
}

/** A position in a stream of rows. `at` is the current row of `batch`. */
export interface RowCursor {
  readonly file: string;
  readonly batch: TimedBatch;
  at: number;
  /** Reads the next batch. @returns false at the end */
  refill(): Promise<boolean>;
  close(): Promise<void>;
}

/** Readers of the exchange time and receive time of a row; NaN for an invalid time. */
export interface RowTimes {
  readonly tx: (row: readonly unknown[]) => number;
  readonly rx: ((row: readonly unknown[]) => number) | undefined;
  /** Column of the exchange time, for error messages. */
  readonly column: string;
  /** Treatment of rows without a time. */
  readonly missing: 'drop' | 'next' | 'previous';
  readonly isMissing: (row: readonly unknown[]) => boolean;
}

/** For sorted runs, whose rows all have a time. */
const ALL_TIMED = { column: '', missing: 'drop', isMissing: () => false } as const;
/** Rows that are sorted in memory, about 100 MB. */
const RUN_ROWS = 200_000;

/** A cursor in file order. Rows without a time are dropped and counted. */
export function fileCursor(source: RowSource, times: RowTimes, counts: ImportCounts): RowCursor {
  const batches = times.missing === 'drop' ? source.batches() : timedBatches(source, times);
  let last = Number.NaN;
  const cursor = {
    file: source.file,
    batch: emptyBatch(),
    at: 0,
    async refill() {
      for (;;) {
        const next = await batches.next();
        if (next.done === true) return false;
        cursor.batch = withTimes(next.value, last, source.file, times, counts);
        last = cursor.batch.tx.at(-1) ?? last;
        cursor.at = 0;
        if (cursor.batch.tx.length > 0) return true;
      }
    },
    async close() {
      await batches.return(undefined);
    },
  };
  return cursor;
}

/**
 * A cursor over the rows of another cursor, sorted by time. Rows of one time keep their order; `newestFirst` reverses it.
 * @param folder folder for sorted runs of files with more than 200,000 rows; it is deleted at the end
 */
export async function sortedCursor(
  source: RowCursor,
  newestFirst: boolean,
  folder: string,
  counts: ImportCounts,
): Promise<RowCursor> {
  const runs: RowCursor[] = [];
  let run = emptyBatch();
  const spill = (): void => {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `run-${runs.length}.jsonl`);
    writeRun(path, sortBatch(run, newestFirst));
    runs.push(runCursor(path, source.file, counts));
    run = emptyBatch();
  };
  while (await source.refill()) {
    const { tx, rx, rows, lines } = source.batch;
    for (let at = 0; at < tx.length; at += 1) {
      if (run.tx.length === RUN_ROWS) spill();
      run.tx.push(tx[at] ?? 0);
      run.rx.push(rx[at] ?? 0);
      run.rows.push(rows[at] ?? []);
      run.lines.push(lines[at] ?? 0);
    }
  }
  if (runs.length === 0) return memoryCursor(source.file, sortBatch(run, newestFirst));
  if (run.tx.length > 0) spill();
  return mergedCursor(source.file, newestFirst ? runs.toReversed() : runs, folder);
}

export function earliestCursor(cursors: readonly RowCursor[]): RowCursor | undefined {
  let first: RowCursor | undefined;
  for (const cursor of cursors) {
    if (first === undefined || (cursor.batch.tx[cursor.at] ?? 0) < (first.batch.tx[first.at] ?? 0)) first = cursor;
  }
  return first;
}

function emptyBatch(): TimedBatch {
  return { tx: [], rx: [], rows: [], lines: [] };
}

function withTimes(
  { rows, lines }: RowBatch,
  last: number,
  file: string,
  times: RowTimes,
  counts: ImportCounts,
): TimedBatch {
  const tx = rows.map(times.tx);
  if (times.missing !== 'drop') fillMissingTimes(tx, rows, last, times);
  const batch: TimedBatch = { tx, rx: times.rx === undefined ? tx : rows.map(times.rx), rows, lines };
  if (batch.tx.every(isTime) && batch.rx.every(isTime)) return batch;
  const valid = emptyBatch();
  for (const [at, row] of rows.entries()) {
    const [tx = 0, rx = 0, line = 0] = [batch.tx[at], batch.rx[at], lines[at]];
    if (isTime(tx) && isTime(rx)) {
      valid.tx.push(tx);
      valid.rx.push(rx);
      valid.rows.push(row);
      valid.lines.push(line);
      continue;
    }
    counts.at(file, line);
    counts.records += 1;
    counts.drop(`column "${times.column}": not a time in the format and zone of the mapping`);
  }
  return valid;
}

/** Sets the time of rows without one to that of the next or previous row. */
function fillMissingTimes(tx: number[], rows: RowBatch['rows'], last: number, { missing, isMissing }: RowTimes): void {
  let time = missing === 'previous' ? last : Number.NaN;
  for (let step = 0; step < rows.length; step += 1) {
    const at = missing === 'previous' ? step : rows.length - 1 - step;
    if (isMissing(rows[at] ?? [])) tx[at] = time;
    else time = tx[at] ?? time;
  }
}

/** Yields batches that end with a row with a time, except the last one. Rows without a time move to the next batch. */
async function* timedBatches(source: RowSource, { isMissing }: RowTimes): AsyncGenerator<RowBatch> {
  let rest: RowBatch = { rows: [], lines: [] };
  for await (const { rows, lines } of source.batches()) {
    const all = { rows: [...rest.rows, ...rows], lines: [...rest.lines, ...lines] };
    const end = all.rows.findLastIndex((row) => !isMissing(row)) + 1;
    rest = { rows: all.rows.slice(end), lines: all.lines.slice(end) };
    yield { rows: all.rows.slice(0, end), lines: all.lines.slice(0, end) };
  }
  yield rest;
}

function isTime(time: number): boolean {
  return !Number.isNaN(time);
}

function sortBatch({ tx, rx, rows, lines }: TimedBatch, newestFirst: boolean): TimedBatch {
  const order = tx.map((_, at) => at);
  if (newestFirst) order.reverse();
  order.sort((a, b) => (tx[a] ?? 0) - (tx[b] ?? 0));
  return {
    tx: order.map((at) => tx[at] ?? 0),
    rx: order.map((at) => rx[at] ?? 0),
    rows: order.map((at) => rows[at] ?? []),
    lines: order.map((at) => lines[at] ?? 0),
  };
}

function writeRun(path: string, { tx, rx, rows, lines }: TimedBatch): void {
  const file = openSync(path, 'w');
  try {
    for (let from = 0; from < tx.length; from += 1_000) {
      let text = '';
      for (let at = from; at < Math.min(from + 1_000, tx.length); at += 1) {
        text += `${JSON.stringify([tx[at], rx[at], lines[at], rows[at]])}\n`;
      }
      writeFileSync(file, text);
    }
  } finally {
    closeSync(file);
  }
}

function runCursor(path: string, file: string, counts: ImportCounts): RowCursor {
  const trace = newTrace();
  const source: RowSource = {
    file,
    columns: [],
    trace,
    bytes: 0,
    async *batches() {
      for await (const { texts } of lineBatches(path, trace)) {
        const rows: unknown[][] = texts.map((text) => JSON.parse(text));
        yield { rows, lines: rows.map((row) => Number(row[2])) };
      }
    },
  };
  const cursor = fileCursor(source, { tx: (row) => Number(row[0]), rx: (row) => Number(row[1]), ...ALL_TIMED }, counts);
  return {
    ...cursor,
    get batch() {
      return cursor.batch;
    },
    get at() {
      return cursor.at;
    },
    set at(value) {
      cursor.at = value;
    },
    async refill() {
      const more = await cursor.refill();
      const { rows } = cursor.batch;
      if (more) for (const [at, row] of rows.entries()) rows[at] = Array.isArray(row[3]) ? row[3] : [];
      return more;
    },
  };
}

function memoryCursor(file: string, batch: TimedBatch): RowCursor {
  let isRead = batch.tx.length === 0;
  return {
    file,
    batch,
    at: 0,
    async refill() {
      const more = !isRead;
      isRead = true;
      return more;
    },
    async close() {},
  };
}

/** A cursor that merges sorted runs. */
function mergedCursor(file: string, runs: readonly RowCursor[], folder: string): RowCursor {
  let open: RowCursor[] | undefined;
  const cursor = {
    file,
    batch: emptyBatch(),
    at: 0,
    async refill() {
      open ??= await openCursors(runs);
      cursor.batch = emptyBatch();
      cursor.at = 0;
      for (
        let run = earliestCursor(open);
        run !== undefined && cursor.batch.tx.length < 4_096;
        run = earliestCursor(open)
      ) {
        const { batch, at } = run;
        cursor.batch.tx.push(batch.tx[at] ?? 0);
        cursor.batch.rx.push(batch.rx[at] ?? 0);
        cursor.batch.rows.push(batch.rows[at] ?? []);
        cursor.batch.lines.push(batch.lines[at] ?? 0);
        run.at += 1;
        if (run.at === batch.tx.length && !(await run.refill())) open.splice(open.indexOf(run), 1);
      }
      return cursor.batch.tx.length > 0;
    },
    async close() {
      for (const run of runs) await run.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return cursor;
}

/** Reads the first batches. Returns the cursors that have rows. */
export async function openCursors(cursors: readonly RowCursor[]): Promise<RowCursor[]> {
  const open: RowCursor[] = [];
  for (const cursor of cursors) if (await cursor.refill()) open.push(cursor);
  return open;
}
