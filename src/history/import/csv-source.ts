/**
 * Reads the rows of a CSV file (RFC 4180), plain or gzip.
 *
 * Rows without quotes need only `split`, which is six times faster than csv-parse (bench/import.ts).
 */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { FileFault } from '../../domain/index.ts';
import { MAX_LINE_LENGTH, newReadProgress, type ReadProgress, readLineBatches, readLines } from '../lines.ts';
import type { ImportCounts } from './counts.ts';
import type { Mapping } from './mapping.ts';
import type { RowBatch, RowSource } from './row-source.ts';

/** Maximum number of lines in a quoted row. A longer row, or one above `MAX_LINE_LENGTH`, has a stray quote. */
const MAX_CELL_LINES = 1_000;

/** @throws FileFault for a file that is missing or has no header */
export async function openCsv(path: string, options: Mapping['csv'], counts: ImportCounts): Promise<RowSource> {
  const { delimiter, columns } = options;
  const header = columns ?? (await readHeader(path, delimiter));
  const progress = newReadProgress();
  const file = basename(path);
  return {
    file,
    columns: header,
    progress,
    bytes: statSync(path).size,
    batches: () => new CsvReader(path, file, header, options, counts).batches(progress),
  };
}

/** Returns the cells of a line: undefined if it ends inside a quoted cell, none if text follows a closing quote. */
export function splitCsv(line: string, delimiter: string): string[] | undefined {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at += 1) {
    if (line[at] !== '"') {
      const found = line.indexOf(delimiter, at);
      const end = found < 0 ? line.length : found;
      cells.push(line.slice(at, end));
      at = end;
      continue;
    }
    let end = line.indexOf('"', at + 1);
    while (end >= 0 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
    if (end < 0) return undefined;
    cells.push(line.slice(at + 1, end).replaceAll('""', '"'));
    at = end + 1;
    if (at < line.length && line[at] !== delimiter) return [];
  }
  return cells;
}

/** Returns a cell of a CSV line, in quotes if it needs them. */
export function quoteCsv(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

class CsvReader {
  readonly #path: string;
  readonly #file: string;
  readonly #header: readonly string[];
  readonly #options: Mapping['csv'];
  readonly #counts: ImportCounts;
  /** The part of a merge conflict that contains the current line. */
  #conflict: 'first' | 'second' | undefined;
  /** Lines of an unfinished quoted cell, the number of the first, and their number of characters. */
  #quoted: string[] = [];
  #quotedFrom = 0;
  #quotedLength = 0;
  /** Whether the last line in `#quoted` may be incomplete. */
  #isQuotedCut = false;

  constructor(path: string, file: string, header: readonly string[], options: Mapping['csv'], counts: ImportCounts) {
    this.#path = path;
    this.#file = file;
    this.#header = header;
    this.#options = options;
    this.#counts = counts;
  }

  async *batches(progress: ReadProgress): AsyncGenerator<RowBatch> {
    for await (const { texts, firstNumber, isCut } of readLineBatches(this.#path, progress)) {
      const batch: RowBatch = { rows: [], lines: [] };
      for (const [at, text] of texts.entries())
        this.#readLine(text.endsWith('\r') ? text.slice(0, -1) : text, firstNumber + at, isCut, batch);
      yield batch;
    }
    const last: RowBatch = { rows: [], lines: [] };
    while (this.#quoted.length > 0) this.#dropStrayQuote(this.#isQuotedCut, last);
    yield last;
  }

  #readLine(text: string, number: number, isCut: boolean, batch: RowBatch): void {
    if (this.#quoted.length > 0) {
      this.#addQuoted(text);
      this.#isQuotedCut = isCut;
      // Only the new line is searched for the end of the cell. A search of all lines would take quadratic time.
      const isUnfinished = splitCsv(`"${text}`, this.#options.delimiter) === undefined;
      const isTooLong = this.#quotedLength > MAX_LINE_LENGTH || (isUnfinished && this.#quoted.length > MAX_CELL_LINES);
      if (isUnfinished && !isTooLong) return;
      const cells = isTooLong ? undefined : splitCsv(this.#quoted.join('\n'), this.#options.delimiter);
      if (cells?.length !== this.#header.length) {
        this.#dropStrayQuote(isCut, batch);
        return;
      }
      this.#quoted = [];
      this.#addRow(cells, this.#quotedFrom, isCut, batch);
      return;
    }
    if (text === '' || this.#readConflictMarker(text, number) || this.#dropOtherConflictPart(number)) return;
    const cells = splitCsv(text, this.#options.delimiter);
    if (cells !== undefined) {
      this.#addRow(cells, number, isCut, batch);
      return;
    }
    this.#quoted = [text];
    this.#quotedLength = text.length;
    this.#quotedFrom = number;
    this.#isQuotedCut = isCut;
  }

  /** Drops the first line in `#quoted`, which has a stray quote. Reads each other line as a row. */
  #dropStrayQuote(isCut: boolean, batch: RowBatch): void {
    const [, ...lines] = this.#quoted;
    const from = this.#quotedFrom;
    this.#quoted = [];
    this.#drop('quoted cell without an end', from);
    for (const [at, text] of lines.entries()) {
      const isLast = at === lines.length - 1;
      // No line before the last ends a quoted cell, because such a line would have ended the dropped cell, too.
      if (this.#quoted.length > 0 && !isLast) this.#addQuoted(text);
      else this.#readLine(text, from + 1 + at, isCut && isLast, batch);
    }
  }

  #addQuoted(text: string): void {
    this.#quoted.push(text);
    this.#quotedLength += text.length + 1;
  }

  #addRow(cells: string[], number: number, isCut: boolean, batch: RowBatch): void {
    if (cells.length !== this.#header.length) {
      const reason = `row with another number of cells than the ${this.#header.length} columns`;
      this.#drop(isCut ? 'incomplete last line' : reason, number);
      return;
    }
    if (cells[0] === this.#header[0] && cells.every((cell, at) => cell === this.#header[at])) {
      if (number > 1 || this.#options.columns !== undefined) this.#drop('repeated header', number);
      return;
    }
    if (isCut) {
      this.#counts.setPlace(this.#file, number);
      this.#counts.countChanged('last line without a line end: its last cell may be cut');
    }
    batch.rows.push(cells);
    batch.lines.push(number);
  }

  #readConflictMarker(text: string, number: number): boolean {
    const start = text.slice(0, 7);
    if (start !== '<<<<<<<' && start !== '>>>>>>>' && (start !== '=======' || this.#conflict === undefined))
      return false;
    if (this.#options.conflict_markers === 'refuse') {
      const problem = 'a merge-conflict marker: the file contains two versions';
      const remedy = 'Resolve the conflict, or set csv.conflict_markers in the mapping';
      throw new FileFault(this.#path, `line ${number}`, problem, remedy);
    }
    this.#conflict = start === '<<<<<<<' ? 'first' : start === '=======' ? 'second' : undefined;
    this.#drop('merge-conflict marker', number);
    return true;
  }

  #dropOtherConflictPart(line: number): boolean {
    const { conflict_markers: rule } = this.#options;
    const isOther = this.#conflict !== undefined && rule !== 'keep_both' && rule !== `keep_${this.#conflict}`;
    if (isOther) this.#drop('row of the other part of a merge conflict', line);
    return isOther;
  }

  #drop(reason: string, line: number): void {
    this.#counts.setPlace(this.#file, line);
    this.#counts.countDropped(reason);
  }
}

async function readHeader(path: string, delimiter: string): Promise<string[]> {
  for await (const { text } of readLines(path)) {
    const cells = splitCsv(text.replace(/^\uFEFF/, '').replace(/\r$/, ''), delimiter);
    if (cells !== undefined) return cells;
    break;
  }
  throw new FileFault(path, 'line 1', 'there is no header', 'Name the columns with csv.columns in the mapping');
}
