/** The first rows of a file, for a look at it. */
import { closeSync, openSync, readSync } from 'node:fs';
import { FileFault, pathProblem } from '../../domain/index.ts';
import { linesOf, newTrace } from '../lines.ts';
import { splitCsv } from './csv-source.ts';
import type { ImportFormat } from './import-files.ts';
import { firstParquetRows } from './parquet-source.ts';

const ROWS = 2_000;
const DELIMITERS = [',', ';', '\t', '|'] as const;
const DEEPEST = 4;

/** A column and its first values, one a row; undefined where a row has none. */
export interface SampleColumn {
  readonly name: string;
  readonly values: readonly unknown[];
}

export interface Sample {
  readonly format: ImportFormat;
  readonly rows: number;
  readonly columns: readonly SampleColumn[];
  /** CSV: the delimiter, and whether the first line names the columns. */
  readonly delimiter: string;
  readonly hasHeader: boolean;
  /** JSON and Parquet: a list of objects in each row, whose entries are the rows of the sample. */
  readonly each: string | undefined;
}

/** @throws FileFault */
export async function sampleOf(path: string): Promise<Sample> {
  if (isParquet(path)) return fromObjects('parquet', await firstParquetRows(path, ROWS));
  const lines: string[] = [];
  for await (const { text } of linesOf(path, newTrace())) {
    const line = text.replace(/^\uFEFF/, '').replace(/\r$/, '');
    if (line.trim() !== '') lines.push(line);
    if (lines.length === ROWS) break;
  }
  const [first] = lines;
  if (first === undefined) throw new FileFault(path, undefined, 'the file is empty', 'Give it a file with rows');
  return /^\s*[{[]/.test(first) ? fromObjects('jsonl', lines.flatMap(parsed)) : fromCsv(lines);
}

function isParquet(path: string): boolean {
  const start = new Uint8Array(4);
  try {
    const fd = openSync(path, 'r');
    try {
      readSync(fd, start, 0, 4, 0);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    const problem =
      pathProblem(cause) ?? `it cannot be read (${cause instanceof Error ? cause.message : String(cause)})`;
    throw new FileFault(path, undefined, problem, 'Name a file with rows', { cause });
  }
  return new TextDecoder('latin1').decode(start) === 'PAR1';
}

function parsed(line: string): unknown[] {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) ? value : [value];
  } catch (cause) {
    // The last line of a file may be half a line; the import counts it.
    if (cause instanceof SyntaxError) return [];
    throw cause;
  }
}

function fromCsv(lines: readonly string[]): Sample {
  const cellsBy = (delimiter: string) => lines.slice(0, 100).map((line) => splitCsv(line, delimiter)?.length ?? 0);
  const likely = DELIMITERS.map((delimiter) => {
    const counts = cellsBy(delimiter);
    const [cells = 0] = counts;
    return { delimiter, score: cells > 1 ? cells * counts.filter((count) => count === cells).length : 0 };
  });
  const { delimiter } = likely.reduce((best, each) => (each.score > best.score ? each : best));
  const rows = lines.map((line) => splitCsv(line, delimiter) ?? []);
  const [head = []] = rows;
  const hasHeader =
    head.every((cell) => cell.trim() === '' || Number.isNaN(Number(cell))) && head.some((cell) => cell !== '');
  const names = hasHeader ? head : head.map((_, at) => `column${at + 1}`);
  const data = (hasHeader ? rows.slice(1) : rows).filter((cells) => cells.length === names.length);
  const columns = names.map((name, at) => ({ name, values: data.map((cells) => cells[at]) }));
  return { format: 'csv', rows: data.length, columns, delimiter, hasHeader, each: undefined };
}

function fromObjects(format: ImportFormat, objects: readonly unknown[]): Sample {
  const outer = objects.map((object) => flat(object));
  const each = listOfObjects(outer);
  const rows =
    each === undefined
      ? outer
      : outer.flatMap((row) => {
          const list = row.get(each);
          return Array.isArray(list) ? list.map((entry) => new Map([...row, ...flat(entry)])) : [row];
        });
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  const columns = [...names].map((name) => ({ name, values: rows.map((row) => row.get(name)) }));
  return { format, rows: rows.length, columns, delimiter: ',', hasHeader: true, each };
}

/** A list whose entries are objects of more than a price and a size: changes of a book, not its levels. */
function listOfObjects(rows: readonly ReadonlyMap<string, unknown>[]): string | undefined {
  for (const row of rows) {
    for (const [name, value] of row) {
      const first: unknown = Array.isArray(value) ? value[0] : undefined;
      const isRow = typeof first === 'object' && first !== null && !Array.isArray(first);
      if (isRow && Object.keys(first).length > 2) return name;
    }
  }
  return undefined;
}

/** Members by path, lists as they are. */
function flat(value: unknown, prefix = '', depth = 0): Map<string, unknown> {
  const row = new Map<string, unknown>();
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return row;
  for (const [key, member] of Object.entries(value)) {
    const isObject =
      typeof member === 'object' && member !== null && !Array.isArray(member) && !(member instanceof Date);
    if (isObject && depth < DEEPEST)
      for (const [name, inner] of flat(member, `${prefix}${key}.`, depth + 1)) row.set(name, inner);
    else row.set(`${prefix}${key}`, member);
  }
  return row;
}
