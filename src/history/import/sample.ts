import { closeSync, openSync } from 'node:fs';
import { errorMessage, FileFault, formatCount, pathProblem } from '../../domain/index.ts';
import { readBytes } from '../files.ts';
import { type Line, readLines, tryParseLine } from '../lines.ts';
import { splitCsv } from './csv-source.ts';
import type { ImportFormat } from './import-files.ts';
import { readFirstParquetRows } from './parquet-source.ts';

const MAX_ROWS = 2_000;
/** Maximum number of columns. Proposing a mapping for 10,000 columns takes half a second, for a million a minute. */
const MAX_COLUMNS = 10_000;
const DELIMITERS = [',', ';', '\t', '|'] as const;
const MAX_FLATTEN_DEPTH = 4;

/** A column with its value in each row; undefined for a missing value. */
export interface SampleColumn {
  readonly name: string;
  readonly values: readonly unknown[];
}

export interface Sample {
  readonly format: ImportFormat;
  readonly rows: number;
  readonly columns: readonly SampleColumn[];
  readonly delimiter: string;
  /** Whether the first line of CSV names the columns. */
  readonly hasHeader: boolean;
  /** Column of JSON or Parquet whose list entries are the rows; undefined if each value is a row. */
  readonly rowListColumn: string | undefined;
}

/** @throws FileFault */
export async function readSample(path: string): Promise<Sample> {
  if (isParquet(path)) return fromObjects(path, 'parquet', await readFirstParquetRows(path, MAX_ROWS));
  const lines: Line[] = [];
  for await (const { text, number } of readLines(path)) {
    const line = text.replace(/^\uFEFF/, '').replace(/\r$/, '');
    if (line.trim() !== '') lines.push({ text: line, number });
    if (lines.length === MAX_ROWS) break;
  }
  const [first, second] = lines;
  if (first === undefined) throw new FileFault(path, undefined, 'the file is empty', 'Name a file with rows');
  // The first line of a rotated file and the last line may be incomplete; the import counts them.
  const isCutJson = /\}\s*$/.test(first.text) && /^\s*\{"/.test(second?.text ?? '');
  const isJson = /^\s*[{[]/.test(first.text) || isCutJson;
  if (!isJson)
    return fromCsv(
      path,
      lines.map(({ text }) => text),
    );
  const values = lines.map(({ text, number }) => tryParseLine(text, path, number));
  return fromObjects(path, 'jsonl', values.filter((value) => value !== undefined).flat());
}

function isParquet(path: string): boolean {
  try {
    const fd = openSync(path, 'r');
    try {
      return readBytes(fd, 0, 4).toString('latin1') === 'PAR1';
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    const problem = pathProblem(cause) ?? `the file cannot be read (${errorMessage(cause)})`;
    throw new FileFault(path, undefined, problem, 'Name a file with rows', { cause });
  }
}

function fromCsv(path: string, lines: readonly string[]): Sample {
  const countCells = (delimiter: string) => lines.slice(0, 100).map((line) => splitCsv(line, delimiter)?.length ?? 0);
  const candidates = DELIMITERS.map((delimiter) => {
    const counts = countCells(delimiter);
    const [cells = 0] = counts;
    return { delimiter, score: cells > 1 ? cells * counts.filter((count) => count === cells).length : 0 };
  });
  const { delimiter } = candidates.reduce((best, candidate) => (candidate.score > best.score ? candidate : best));
  checkColumnCount(path, 'line 1', splitCsv(lines[0] ?? '', delimiter)?.length ?? 0);
  const rows = lines.map((line) => splitCsv(line, delimiter) ?? []);
  const [head = []] = rows;
  const hasHeader =
    head.every((cell) => cell.trim() === '' || Number.isNaN(Number(cell))) && head.some((cell) => cell !== '');
  const names = hasHeader ? head : head.map((_, at) => `column${at + 1}`);
  const data = (hasHeader ? rows.slice(1) : rows).filter((cells) => cells.length === names.length);
  const columns = names.map((name, at) => ({ name, values: data.map((cells) => cells[at]) }));
  return { format: 'csv', rows: data.length, columns, delimiter, hasHeader, rowListColumn: undefined };
}

function fromObjects(path: string, format: ImportFormat, objects: readonly unknown[]): Sample {
  const outer = objects.map((object) => flatten(object));
  const rowListColumn = findRowList(outer);
  const rows =
    rowListColumn === undefined
      ? outer
      : outer.flatMap((row) => {
          const list = row.get(rowListColumn);
          return Array.isArray(list) ? list.map((entry) => new Map([...row, ...flatten(entry)])) : [row];
        });
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  checkColumnCount(path, undefined, names.size);
  const columns = [...names].map((name) => ({ name, values: rows.map((row) => row.get(name)) }));
  return { format, rows: rows.length, columns, delimiter: ',', hasHeader: true, rowListColumn };
}

/** @throws FileFault */
function checkColumnCount(path: string, where: string | undefined, count: number): void {
  if (count <= MAX_COLUMNS) return;
  const remedy = `Name a file with at most ${formatCount(MAX_COLUMNS)} columns, or write the mapping by hand`;
  throw new FileFault(path, where, `${formatCount(count)} columns`, remedy);
}

/** Finds a column with a list of rows: objects with more than two members, because levels have only price and size. */
function findRowList(rows: readonly ReadonlyMap<string, unknown>[]): string | undefined {
  for (const row of rows) {
    for (const [name, value] of row) {
      const first: unknown = Array.isArray(value) ? value[0] : undefined;
      const isRow = typeof first === 'object' && first !== null && !Array.isArray(first);
      if (isRow && Object.keys(first).length > 2) return name;
    }
  }
  return undefined;
}

/** Flattens an object to values by path; lists stay unchanged. */
function flatten(value: unknown, prefix = '', depth = 0): Map<string, unknown> {
  const row = new Map<string, unknown>();
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return row;
  for (const [key, member] of Object.entries(value)) {
    const isObject =
      typeof member === 'object' && member !== null && !Array.isArray(member) && !(member instanceof Date);
    if (isObject && depth < MAX_FLATTEN_DEPTH)
      for (const [name, inner] of flatten(member, `${prefix}${key}.`, depth + 1)) row.set(name, inner);
    else row.set(`${prefix}${key}`, member);
  }
  return row;
}
