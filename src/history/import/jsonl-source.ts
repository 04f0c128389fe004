/** Rows of a file with one JSON value a line, plain or gzip. A list in a line is as many rows. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { FileFault } from '../../domain/index.ts';
import { lineBatches, newTrace } from '../lines.ts';
import type { ImportCounts } from './counts.ts';
import { pathReader, type RowBatch, type RowSource } from './row-source.ts';

const MARKER = /^(<{7}|>{7})( |\r?$)/;

/**
 * @param columns that the mapping names; `a.b` is a member of a member
 * @param each a list in each row: its entries are rows, with the columns of the row around them
 */
export function openJsonl(
  path: string,
  columns: readonly string[],
  each: string | undefined,
  counts: ImportCounts,
): RowSource {
  const trace = newTrace();
  const file = basename(path);
  const expand = expander(columns, each);
  return {
    file,
    columns,
    trace,
    bytes: statSync(path).size,
    async *batches() {
      for await (const { texts, first, isCut } of lineBatches(path, trace)) {
        const batch: RowBatch = { rows: [], lines: [] };
        let number = first;
        for (const text of texts) {
          if (text.length > 1 || text.trim() !== '') {
            const value = parsed(text);
            if (value === undefined) {
              if (MARKER.test(text)) throw conflict(path, number);
              counts.at(file, number);
              counts.drop(isCut ? 'half a line at the end' : 'line that is no JSON');
            } else expand(value, number, batch);
          }
          number += 1;
        }
        yield batch;
      }
    },
  };
}

/** Adds the rows of a value to a batch. */
export function expander(
  columns: readonly string[],
  each: string | undefined,
): (value: unknown, line: number, batch: RowBatch) => void {
  const readers = columns.map(pathReader);
  const listOf = each === undefined ? undefined : pathReader(each);
  const add = (value: unknown, around: unknown, line: number, batch: RowBatch): void => {
    batch.rows.push(readers.map((read) => (around === undefined ? read(value) : (read(value) ?? read(around)))));
    batch.lines.push(line);
  };
  return (value, line, batch) => {
    for (const row of Array.isArray(value) ? value : [value]) {
      const list = listOf?.(row);
      if (Array.isArray(list)) for (const entry of list) add(entry, row, line, batch);
      else add(row, undefined, line, batch);
    }
  };
}

/** Both versions would count. */
function conflict(path: string, line: number): FileFault {
  const problem = 'a merge-conflict marker: two versions of the file are in it';
  return new FileFault(path, `line ${line}`, problem, 'Resolve the conflict');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
