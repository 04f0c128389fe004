/**
 * Compares a file's rows with rows rebuilt from its records. Compares every table and column, in the order of keys,
 * with only two rows in memory.
 */
import type { Connection } from './database.ts';
import { formatValue, limitFindings, rowName, type StoredRow } from './row-checksums.ts';
import type { SqlValue } from './row-crc.ts';

export interface CompareOptions {
  readonly file: Connection;
  readonly rebuilt: Connection;
  /** Tables that cannot be rebuilt from records. */
  readonly excludedTables: readonly string[];
  readonly isSkipped: (table: string, row: StoredRow) => boolean;
  /** Whether a row is older than the first record, and therefore was not rebuilt. */
  readonly isOlder: (table: string, row: StoredRow) => boolean;
  /** Whether a value may differ, because the records do not contain it. */
  readonly mayDiffer: (table: string, column: string, value: SqlValue, rebuilt: StoredRow) => boolean;
}

interface Table {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/** Returns one sentence for each of the first different rows of each table. @throws SqliteError */
export function compareTables(options: CompareOptions): readonly string[] {
  const { rebuilt, excludedTables } = options;
  return listTables(rebuilt).flatMap((table) =>
    excludedTables.includes(table.name) ? [] : limitFindings(compareRows(table, options)),
  );
}

/** Returns the tables of a schema, without checksum columns. Another check verifies checksums. */
export function listTables(connection: Connection): readonly Table[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  const names = connection.prepare<[], string>(sql).pluck().all();
  const info = connection.prepare<[string], { readonly name: string; readonly keyPosition: number }>(
    'SELECT name, pk AS keyPosition FROM pragma_table_xinfo(?)',
  );
  return names.map((name) => {
    const all = info.all(name);
    const key = all.filter(({ keyPosition }) => keyPosition > 0).toSorted((a, b) => a.keyPosition - b.keyPosition);
    const columns = all.filter((column) => !/^(.*_)?crc$/.test(column.name));
    return { name, key: key.map((column) => column.name), columns: columns.map((column) => column.name) };
  });
}

function iterateRows(connection: Connection, { name, key }: Table): Iterator<StoredRow, undefined> {
  return connection.prepare<[], StoredRow>(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`).iterate();
}

function* compareRows(table: Table, options: CompareOptions): Iterable<string> {
  const { name, key } = table;
  const [rows, rebuilt] = [iterateRows(options.file, table), iterateRows(options.rebuilt, table)];
  const pairs = pairByKey(rows, rebuilt, (one, other) => compareKeys(key, one, other));
  for (const [row, rebuiltRow] of pairs) {
    const either = row ?? rebuiltRow;
    if (either !== undefined && options.isSkipped(name, either)) continue;
    if (row !== undefined && rebuiltRow !== undefined) {
      const found = differences(table, row, rebuiltRow, options);
      if (found.length > 0) yield `${rowName(name, key, rebuiltRow)}: ${found.join('; ')}`;
    } else if (rebuiltRow !== undefined) yield `${rowName(name, key, rebuiltRow)}: it is missing`;
    else if (row !== undefined && !options.isOlder(name, row)) {
      yield `${rowName(name, key, row)}: no record explains it`;
    }
  }
}

/** Merges two lists sorted by key. Yields entries with the same key as a pair, and others alone. */
export function* pairByKey<One, Other>(
  firsts: Iterator<One, undefined>,
  others: Iterator<Other, undefined>,
  compare: (one: One, other: Other) => number,
): Iterable<readonly [One | undefined, Other | undefined]> {
  try {
    let [one, other] = [firsts.next().value, others.next().value];
    while (one !== undefined || other !== undefined) {
      const order = one === undefined || other === undefined ? 0 : compare(one, other);
      const hasOne = one !== undefined && order <= 0;
      const hasOther = other !== undefined && order >= 0;
      yield [hasOne ? one : undefined, hasOther ? other : undefined];
      if (hasOne) one = firsts.next().value;
      if (hasOther) other = others.next().value;
    }
  } finally {
    // After an error on a damaged page, the connection can be closed only after both iterators end.
    firsts.return?.();
    others.return?.();
  }
}

function differences(table: Table, row: StoredRow, rebuilt: StoredRow, { mayDiffer }: CompareOptions) {
  return table.columns.flatMap((column) => {
    const [value = null, other = null] = [row[column], rebuilt[column]];
    if (isSame(value, other) || mayDiffer(table.name, column, value, rebuilt)) return [];
    return [`${column} is ${formatValue(value)}; the records give ${formatValue(other)}`];
  });
}

function isSame(one: SqlValue, other: SqlValue): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === other;
}

/** Returns a negative number if the first row comes first. Keys are integers. */
function compareKeys(key: readonly string[], one: StoredRow, other: StoredRow): number {
  for (const column of key) {
    const difference = Number(one[column]) - Number(other[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}
