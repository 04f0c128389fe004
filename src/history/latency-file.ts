/**
 * Measured latency as CSV, one measurement per line:
 *
 *     entry_ms,response_ms
 *     83,41
 *     79,
 *
 * Columns: `feed_ms` (optional), `entry_ms`, `response_ms`, in any order. An empty cell is not a measurement. Decimals
 * are rounded **up** to whole ms.
 */
import { createHash } from 'node:crypto';
import { FileFault } from '../domain/index.ts';
import { readConfigured } from './files.ts';

export interface LatencyFile {
  readonly feed: readonly number[];
  readonly entry: readonly number[];
  readonly response: readonly number[];
  readonly sha256: string;
}

const COLUMNS = ['feed_ms', 'entry_ms', 'response_ms'] as const;
type Column = (typeof COLUMNS)[number];

const MAX_FILE_BYTES = 64 * 1_048_576;
const MAX_MS = 3_600_000;
const REMEDY =
  'The first line is feed_ms,entry_ms,response_ms (feed_ms is optional); each other line has a measurement in ms';

/** @throws FileFault with the invalid line and column, or when entry or response has no measurement */
export function readLatencyFile(path: string): LatencyFile {
  const bytes = readConfigured(path, { maxBytes: MAX_FILE_BYTES, kind: 'a file of latencies', key: 'latency.file' });
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const [header = '', ...lines] = text.split(/\r?\n/);
  const columns = parseHeader(path, header);
  const times: Record<Column, number[]> = { feed_ms: [], entry_ms: [], response_ms: [] };
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const cells = line.split(',');
    const where = `line ${index + 2}`;
    if (cells.length !== columns.length)
      throw new FileFault(path, where, `${cells.length} cells under ${columns.length} columns`, REMEDY);
    for (const [at, column] of columns.entries()) {
      const cell = (cells[at] ?? '').trim();
      if (cell === '') continue;
      const ms = /^\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : Number.NaN;
      if (!(ms <= MAX_MS)) {
        const problem = `"${cell.slice(0, 40)}" is not a number of ms from 0 to ${MAX_MS}`;
        throw new FileFault(path, `${where}, ${column}`, problem, REMEDY);
      }
      times[column].push(Math.ceil(ms));
    }
  }
  for (const column of ['entry_ms', 'response_ms'] as const) {
    if (times[column].length === 0) throw new FileFault(path, column, 'the column has no measurement', REMEDY);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { feed: times.feed_ms, entry: times.entry_ms, response: times.response_ms, sha256 };
}

function parseHeader(path: string, header: string): readonly Column[] {
  const names = header.split(',').map((name) => name.trim());
  return names.map((name, at) => {
    const column = COLUMNS.find((each) => each === name);
    if (column === undefined || names.indexOf(name) !== at)
      throw new FileFault(path, 'line 1', `the column "${name.slice(0, 40)}" is unknown or repeated`, REMEDY);
    return column;
  });
}
