/** Opens a database read-only, under its owner's lock if the lock file exists, and checks its structure. */
import { existsSync, rmSync } from 'node:fs';
import { default as Database } from 'better-sqlite3';
import { FileFault } from '../../domain/index.ts';
import { assertExists } from '../disk-fault.ts';
import { describeLockHolder, isBusy, lockFileShared } from '../file-lock.ts';
import { readStamp } from './commit-stamp.ts';
import { type Connection, withSqliteFaults } from './database.ts';
import { findLoss, readDatabaseFiles } from './loss-check.ts';
import type { Migration } from './migrations.ts';
import { schemaFaults } from './row-check.ts';
import { limitFindings } from './row-checksums.ts';

export interface ReadOnlyOptions extends VersionCheck {
  /** Path of the lock that a process holds while it uses the database. */
  readonly lock: string;
  /** Unit of `Stamp.lastEntry` for messages: `record` for a venue, `entry` for a bot. */
  readonly unit: string;
  readonly remedies: VersionCheck['remedies'] & { readonly missing: string };
}

export interface ReadOnlyFile {
  readonly connection: Connection;
  /** Returns missing acknowledged data, and damage of pages, indexes and the schema. */
  structureFaults(): readonly string[];
  close(): void;
}

/** Maximum number of reported findings of one kind. */
const MAX_FINDINGS = 20;

/**
 * Opens a database and passes it to `use`, which ensures a later call of `close`. Closes the database if `use` throws.
 * @throws FileFault for a file that is missing, in use, or of another version; any error of `use`
 */
export function openReadOnly<T>(file: string, options: ReadOnlyOptions, use: (opened: ReadOnlyFile) => T): T {
  const { lock, unit, remedies, migrations } = options;
  assertExists(file, remedies.missing);
  const unlock = existsSync(lock) ? lockDatabaseShared(file, lock) : () => {};
  const createdFiles = existsSync(`${file}-wal`) ? [] : [`${file}-wal`, `${file}-shm`];
  let connection: Connection | undefined;
  const close = (): void => {
    connection?.close();
    // A read-only connection creates these empty files but cannot remove them.
    if (connection !== undefined) for (const path of createdFiles) rmSync(path, { force: true });
    unlock();
  };
  try {
    const loss = findLoss(readDatabaseFiles(file, unit));
    if (loss?.isOnlyEndMissing === false) throw loss.fault;
    return withSqliteFaults(file, 'opened', () => {
      const opened = new Database(file, { readonly: true, fileMustExist: true });
      connection = opened;
      checkVersion(file, opened, options);
      const missing = loss === undefined ? [] : [loss.fault.message];
      const structureFaults = () => [...missing, ...stampFaults(file, opened), ...pageFaults(file, opened, migrations)];
      return use({ connection: opened, structureFaults, close });
    });
  } catch (cause) {
    close();
    throw cause;
  }
}

function lockDatabaseShared(file: string, lock: string): () => void {
  try {
    return lockFileShared(lock);
  } catch (cause) {
    if (!isBusy(cause)) throw cause;
    const remedy = 'Stop that process first, or check a copy';
    throw new FileFault(file, undefined, `${describeLockHolder(lock)} uses it`, remedy, { cause });
  }
}

export interface VersionCheck {
  /** Kind of the file, for messages. Default: the database of a venue or a bot. */
  readonly kind?: string;
  readonly applicationId: number;
  readonly migrations: readonly Migration[];
  /** Remedies for a file of another program, and for a file of an earlier version. */
  readonly remedies: { readonly foreign: string; readonly older: string };
}

/** @throws FileFault for a file of another kind or version */
export function checkVersion(file: string, connection: Connection, check: VersionCheck): void {
  const { kind = 'the database of a venue or a bot', applicationId, migrations, remedies } = check;
  const version = Number(connection.pragma('user_version', { simple: true }));
  const application = Number(connection.pragma('application_id', { simple: true }));
  if (application !== applicationId) {
    throw new FileFault(file, undefined, `it is not ${kind}`, remedies.foreign);
  }
  if (version === migrations.length) return;
  const remedy = version < migrations.length ? remedies.older : 'Use the program that wrote it, or a later one';
  const problem = `it has version ${version}, but this program reads version ${migrations.length}`;
  throw new FileFault(file, undefined, problem, remedy);
}

function stampFaults(file: string, connection: Connection): readonly string[] {
  if (withSqliteFaults(file, 'read', () => readStamp(connection)) !== undefined) return [];
  return ['table commit_stamp: its row is missing or has another id, or its checksum is wrong'];
}

/** Returns SQLite's findings about pages, indexes and the schema. */
function pageFaults(file: string, connection: Connection, migrations: readonly Migration[]): readonly string[] {
  const schema = withSqliteFaults(file, 'read', () => schemaFaults(connection, migrations));
  const findings = checkIntegrity(connection, String(MAX_FINDINGS));
  if (typeof findings !== 'string') return [...schema, ...findings];
  // Some damage aborts the check of the whole file. Then check each table separately.
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  const tables = withSqliteFaults(file, 'read', () => connection.prepare<[], string>(sql).pluck().all());
  const faults = tables.flatMap((table) => {
    const found = checkIntegrity(connection, table);
    return (typeof found === 'string' ? [found] : found).map((fault) => `table ${table} or an index of it: ${fault}`);
  });
  return [...schema, ...(faults.length === 0 ? [findings] : limitFindings(faults))];
}

/** Returns SQLite's findings, or the error of its check. @param subject a table, or the maximum number of findings */
function checkIntegrity(connection: Connection, subject: string): readonly string[] | string {
  try {
    const rows = connection.prepare<[], string>(`PRAGMA integrity_check(${subject})`).pluck().all();
    return rows.filter((row) => row !== 'ok');
  } catch (cause) {
    if (cause instanceof Database.SqliteError) return `${cause.code}: ${cause.message}`;
    throw cause;
  }
}
