/** Reads rows from a file with one JSON value per line, plain or gzip. Each entry of a list in a line is a row. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { FileFault } from '../../domain/index.ts';
import { newReadProgress, readLineBatches, tryParseLine } from '../lines.ts';
import type { ImportCounts } from './counts.ts';
import { makePathReader, type RowBatch, type RowSource } from './row-source.ts';

const CONFLICT_MARKER = /^(<{7}|>{7})( |\r?$)/;

/** @param each path of a list whose entries become rows. The outer value fills columns that an entry lacks. */
export function openJsonl(
  path: string,
  columns: readonly string[],
  each: string | undefined,
  counts: ImportCounts,
): RowSource {
  const progress = newReadProgress();
  const file = basename(path);
  const expand = makeExpander(columns, each);
  return {
    file,
    columns,
    progress,
    bytes: statSync(path).size,
    async *batches() {
      for await (const { texts, firstNumber, isCut } of readLineBatches(path, progress)) {
        const batch: RowBatch = { rows: [], lines: [] };
        for (const [at, text] of texts.entries()) {
          if (text.length < 2 && text.trim() === '') continue;
          const line = firstNumber + at;
          const value = tryParseLine(text, path, line);
          if (value !== undefined) expand(value, line, batch);
          else if (CONFLICT_MARKER.test(text)) {
            const problem = 'a merge-conflict marker: the file contains two versions';
            throw new FileFault(path, `line ${line}`, problem, 'Resolve the conflict');
          } else {
            counts.setPlace(file, line);
            counts.countDropped(isCut ? 'incomplete last line' : 'line that is not JSON');
          }
        }
        yield batch;
      }
    },
  };
}

/** Returns a function that adds the rows of a JSON value to a batch. */
export function makeExpander(
  columns: readonly string[],
  each: string | undefined,
): (value: unknown, line: number, batch: RowBatch) => void {
  const readers = columns.map(makePathReader);
  const readList = each === undefined ? undefined : makePathReader(each);
  const add = (value: unknown, outer: unknown, line: number, batch: RowBatch): void => {
    batch.rows.push(readers.map((read) => (outer === undefined ? read(value) : (read(value) ?? read(outer)))));
    batch.lines.push(line);
  };
  return (value, line, batch) => {
    for (const row of Array.isArray(value) ? value : [value]) {
      const list = readList?.(row);
      if (Array.isArray(list)) for (const entry of list) add(entry, row, line, batch);
      else add(row, undefined, line, batch);
    }
  };
}
