import type { FileTrace } from '../lines.ts';

/** Rows of a file: the values of each in the order of `columns`, and the line (or number of the row) of each. */
export interface RowBatch {
  readonly rows: (readonly unknown[])[];
  readonly lines: number[];
}

/** A file of rows that is read in batches, in constant memory. */
export interface RowSource {
  /** Name for places: the file's without its folder. */
  readonly file: string;
  readonly columns: readonly string[];
  readonly trace: FileTrace;
  readonly bytes: number;
  batches(): AsyncGenerator<RowBatch>;
}

/** A file of which no more than so many rows are read. */
export function firstRows(source: RowSource, most: number): RowSource {
  return {
    ...source,
    async *batches() {
      let left = most;
      for await (const { rows, lines } of source.batches()) {
        yield { rows: rows.slice(0, left), lines: lines.slice(0, left) };
        left -= rows.length;
        if (left <= 0) return;
      }
    },
  };
}

/** Reads a value of a nested object by its path: `a.b.0`. */
export function pathReader(path: string): (row: unknown) => unknown {
  const steps = path.split('.');
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return (row) => member(row, only);
  return (row) => steps.reduce(member, row);
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
