/**
 * Reads one database. Converts errors of SQLite and damaged rows to a FileFault that names the table and the row.
 *
 * Invariant: the first fault is stored and passed to `onFault`. After this fault, nothing is written.
 */
import { type Database as Connection, default as Database } from 'better-sqlite3';
import type { FileFault } from '../../domain/index.ts';
import { damageFault } from '../disk-fault.ts';
import { type ChecksummedTable, rowName, type StoredRow } from './row-checksums.ts';
import { RowCrc, type SqlValue } from './row-crc.ts';
import { toSqliteFault, toSqliteProblem } from './sqlite-fault.ts';

/** Codes for a lock of another process. The file is not damaged, so a later read can succeed. */
const LOCKED = /^SQLITE_(BUSY|LOCKED)/;

export class DatabaseReads {
  readonly file: string;
  readonly connection: Connection;
  /** Called once, at the first fault. */
  onFault: (fault: FileFault) => void = () => {};
  #fault: FileFault | undefined;

  constructor(file: string, connection: Connection) {
    this.file = file;
    this.connection = connection;
  }

  get fault(): FileFault | undefined {
    return this.#fault;
  }

  /** Runs `work`, and converts errors of SQLite. @param table the queried table, if only one @throws FileFault */
  query<T>(work: () => T, table?: string): T {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof Database.SqliteError)) throw cause;
      const where = table === undefined ? undefined : `table ${table}`;
      const fault = toSqliteFault(this.file, 'read', toSqliteProblem(cause), { where });
      throw LOCKED.test(cause.code) ? fault : this.#recordFault(fault);
    }
  }

  /**
   * Returns a function that verifies a row's checksums and decodes it. It throws FileFault for a damaged row.
   * @param decode can throw RangeError or SyntaxError for invalid values
   */
  rowDecoder<Columns extends StoredRow, Row>(
    name: string,
    { key, checksums }: ChecksummedTable,
    decode: (columns: Columns) => Row,
  ): (columns: Columns) => Row {
    const crc = new RowCrc();
    const columnsByChecksum = Object.entries(checksums);
    return (columns) => {
      for (const [checksum, names] of columnsByChecksum) {
        for (const column of names) crc.value(columns[column] ?? null);
        if (crc.finish() !== columns[checksum])
          throw this.recordDamage(rowName(name, key, columns), 'its checksum is wrong');
      }
      return this.decode(
        () => decode(columns),
        () => rowName(name, key, columns),
      );
    };
  }

  /**
   * Prepares queries of a table, which verify and decode rows and throw FileFault. `rest` is the SQL after the table's
   * name. The parameters are those of `rowDecoder`.
   */
  table<Columns extends StoredRow, Row>(name: string, table: ChecksummedTable, decode: (columns: Columns) => Row) {
    const decodeRow = this.rowDecoder(name, table, decode);
    const prepare = <Values extends SqlValue[]>(rest: string) =>
      this.connection.prepare<Values, Columns>(`SELECT * FROM ${name} ${rest}`);
    return {
      decode: decodeRow,
      one: <Values extends SqlValue[]>(rest: string) => {
        const statement = prepare<Values>(rest);
        return (...values: Values): Row | undefined => {
          const found = this.query(() => statement.get(...values), name);
          return found === undefined ? undefined : decodeRow(found);
        };
      },
      all: <Values extends SqlValue[]>(rest: string) => {
        const statement = prepare<Values>(rest);
        return (...values: Values): readonly Row[] => this.query(() => statement.all(...values), name).map(decodeRow);
      },
    };
  }

  /** @param decode can throw RangeError or SyntaxError for invalid values. @throws FileFault for these errors */
  decode<Row>(decode: () => Row, where: () => string): Row {
    try {
      return decode();
    } catch (cause) {
      if (!(cause instanceof RangeError || cause instanceof SyntaxError)) throw cause;
      throw this.recordDamage(where(), `it cannot be read (${cause.message.replace('Invariant: ', '')})`, cause);
    }
  }

  /** Records a fault, and returns it for the caller to throw. @param where a table and row, or a record */
  recordDamage(where: string, problem: string, cause?: unknown): FileFault {
    return this.#recordFault(damageFault(this.file, where, problem, cause));
  }

  #recordFault(fault: FileFault): FileFault {
    if (this.#fault === undefined) {
      this.#fault = fault;
      this.onFault(fault);
    }
    return fault;
  }
}
