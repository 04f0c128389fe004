/**
 * Checksums of rows. SQLite has no page checksums and does not detect changed bytes on the disk. `database-reads.ts`
 * verifies a row's checksums at each read.
 */
import type { Database as Connection } from 'better-sqlite3';
import { RowCrc, type SqlValue } from './row-crc.ts';

export type StoredRow = Readonly<Record<string, SqlValue>>;

export interface ChecksummedTable {
  readonly key: readonly string[];
  /** For each checksum column, the columns that it covers, in the order of computation. */
  readonly checksums: Readonly<Record<string, readonly string[]>>;
}

export type ChecksummedTables = Readonly<Record<string, ChecksummedTable>>;

export function addChecksumColumnsSql(tables: ChecksummedTables): string {
  const columns = Object.entries(tables).flatMap(([table, { checksums }]) =>
    Object.keys(checksums).map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0;`),
  );
  return columns.join('\n');
}

/** The SQL function that computes a checksum of its arguments. */
const CRC_FUNCTION = 'row_crc';

/** Returns SQL for the expected value of a checksum column. The connection needs `addRowCrc`. */
export function crcExpression(columns: readonly string[]): string {
  return `${CRC_FUNCTION}(${columns.join(', ')})`;
}

/** Registers the SQL function of `crcExpression`. */
export function addRowCrc(connection: Connection): void {
  const crc = new RowCrc();
  connection.function(CRC_FUNCTION, { varargs: true, deterministic: true }, (...values: SqlValue[]) =>
    rowCrc(crc, values),
  );
}

export function computeChecksums(connection: Connection, tables: ChecksummedTables): void {
  addRowCrc(connection);
  for (const [name, { checksums }] of Object.entries(tables)) {
    const assignments = Object.entries(checksums).map(([column, covered]) => `${column} = ${crcExpression(covered)}`);
    connection.exec(`UPDATE ${name} SET ${assignments.join(', ')}`);
  }
}

export function insertSql(table: string, columns: readonly string[], verb = 'INSERT'): string {
  return `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

export function rowCrc(crc: RowCrc, values: readonly SqlValue[]): number {
  for (const value of values) crc.value(value);
  return crc.finish();
}

export function rowName(table: string, key: readonly string[], row: StoredRow): string {
  return `table ${table}, row ${key.map((column) => `${column} ${formatValue(row[column])}`).join(', ')}`;
}

export function formatValue(value: SqlValue | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : String(value);
}

const MAX_LISTED = 20;

/** Returns the first `MAX_LISTED` findings, and a sentence with the number of further findings. */
export function limitFindings(findings: Iterable<string>): readonly string[] {
  const listed: string[] = [];
  let more = 0;
  for (const finding of findings) {
    if (listed.length < MAX_LISTED) listed.push(finding);
    else more += 1;
  }
  return more === 0 ? listed : [...listed, `and ${more} more of this kind`];
}
