import { getMember } from '../../network/index.ts';
import type { ReadProgress } from '../lines.ts';

/** Rows of a file and their line or row numbers. The cells of a row are in the order of `RowSource.columns`. */
export interface RowBatch {
  readonly rows: (readonly unknown[])[];
  readonly lines: number[];
}

/** A file of rows that is read in batches, in constant memory. */
export interface RowSource {
  /** File name without folder, for places in the counts. */
  readonly file: string;
  readonly columns: readonly string[];
  readonly progress: ReadProgress;
  readonly bytes: number;
  batches(): AsyncGenerator<RowBatch>;
}

export function limitRows(source: RowSource, maxRows: number): RowSource {
  return {
    ...source,
    async *batches() {
      let left = maxRows;
      for await (const { rows, lines } of source.batches()) {
        yield { rows: rows.slice(0, left), lines: lines.slice(0, left) };
        left -= rows.length;
        if (left <= 0) return;
      }
    },
  };
}

/** Returns a reader of a nested value by its path, such as `a.b.0`. */
export function makePathReader(path: string): (row: unknown) => unknown {
  const steps = path.split('.');
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return (row) => getMember(row, only);
  return (row) => steps.reduce(getMember, row);
}
