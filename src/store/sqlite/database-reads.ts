/**
 * Reads of one database. An error of SQLite, and a row that differs from what was written, becomes a FileFault that
 * names the table and the row.
 *
 * Invariant: the first such fault is kept and reported to the owner of the file. Nothing is written after it.
 */
import { default as Database } from 'better-sqlite3';
import type { FileFault } from '../../domain/index.ts';
import { damaged } from '../disk-fault.ts';
import { rowName, type StoredRow, type SummedTable } from './row-checksums.ts';
import { RowCrc } from './row-crc.ts';
import { sqliteFault, troubleOf } from './sqlite-fault.ts';

/** Another holder has a lock: the file is not damaged, and a later read may succeed. */
const PASSING = /^SQLITE_(BUSY|LOCKED)/;

export class DatabaseReads {
  readonly file: string;
  /** Called once, at the first fault. */
  onFault: (fault: FileFault) => void = () => {};
  #fault: FileFault | undefined;

  constructor(file: string) {
    this.file = file;
  }

  /** The first fault; undefined while all is well. */
  get fault(): FileFault | undefined {
    return this.#fault;
  }

  /** Queries the database. @param table the queried table, if it is one @throws FileFault for an error of SQLite */
  ask<T>(work: () => T, table?: string): T {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof Database.SqliteError)) throw cause;
      const fault = sqliteFault(
        this.file,
        'read',
        troubleOf(cause),
        table === undefined ? undefined : `table ${table}`,
      );
      throw PASSING.test(cause.code) ? fault : this.#keep(fault);
    }
  }

  /**
   * Makes rows of what SQLite gives, each compared with its checksums.
   * @param decode may throw RangeError or SyntaxError at what cannot be
   * @returns throws FileFault at a damaged row
   */
  rows<Columns extends StoredRow, Row>(
    name: string,
    { key, sums }: SummedTable,
    decode: (columns: Columns) => Row,
  ): (columns: Columns) => Row {
    const crc = new RowCrc();
    const all = Object.entries(sums);
    return (columns) => {
      for (const [sum, names] of all) {
        for (const column of names) crc.value(columns[column] ?? null);
        if (crc.take() !== columns[sum]) throw this.damaged(rowName(name, key, columns), 'its checksum is wrong');
      }
      return this.decode(
        () => decode(columns),
        () => rowName(name, key, columns),
      );
    };
  }

  /** @param decode may throw RangeError or SyntaxError at what cannot be @throws FileFault for either */
  decode<Row>(decode: () => Row, where: () => string): Row {
    try {
      return decode();
    } catch (cause) {
      if (!(cause instanceof RangeError || cause instanceof SyntaxError)) throw cause;
      throw this.damaged(where(), `it cannot be read (${cause.message.replace('Invariant: ', '')})`, cause);
    }
  }

  /** A fault to be thrown. @param where a table and row, or a record */
  damaged(where: string, problem: string, cause?: unknown): FileFault {
    return this.#keep(damaged(this.file, where, problem, cause));
  }

  #keep(fault: FileFault): FileFault {
    if (this.#fault === undefined) {
      this.#fault = fault;
      this.onFault(fault);
    }
    return fault;
  }
}
