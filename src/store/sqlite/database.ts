/** Opens a database file: settings, version, migrations. */
import { type Database as Connection, default as Database } from 'better-sqlite3';
import { FileFault } from '../../domain/index.ts';
import { withDiskFaults } from '../disk-fault.ts';
import { makePrivateFile } from '../private-files.ts';
import { COMMIT_STAMP_TABLE, updateCommitStamp } from './commit-stamp.ts';
import { APPLICATION_ID, MIGRATIONS, type Migration } from './migrations.ts';
import { computeChecksums } from './row-checksums.ts';
import { toSqliteFault, toSqliteProblem } from './sqlite-fault.ts';

export type { Connection };

/** `application_id` of a backup of a bot: "hsbb" in ASCII. */
export const BACKUP_APPLICATION_ID = 0x68_73_62_62;

/** Name of a database that lives as long as its connection. */
export const MEMORY = ':memory:';

/** Opens a connection, and creates a missing file. @param options.name file name for errors @throws FileFault */
export function connect(
  file: string,
  { cacheMb, name = file }: { readonly cacheMb: number; readonly name?: string },
): Connection {
  // SQLite would create a file that everybody can read.
  if (file !== MEMORY) withDiskFaults(file, 'made', () => makePrivateFile(file));
  return withSqliteFaults(name, 'opened', () => {
    const connection = new Database(file);
    connection.pragma(`cache_size = ${-1024 * cacheMb}`);
    // Acknowledged data must survive a power cut. Checkpoints run when no caller waits for them.
    connection.pragma('synchronous = FULL');
    connection.pragma('wal_autocheckpoint = 0');
    connection.pragma('busy_timeout = 5000');
    return connection;
  });
}

/**
 * Migrates a new file, or a file of an earlier version, to the current version.
 * @param migrations all migrations, the earliest first
 * @param applicationId kind of the file
 * @throws FileFault for a damaged file, or a file of another program or a later version
 */
export function prepareFile(
  file: string,
  connection: Connection,
  migrations: readonly Migration[] = MIGRATIONS,
  applicationId = APPLICATION_ID,
): void {
  withSqliteFaults(file, 'opened', () => {
    const version = Number(connection.pragma('user_version', { simple: true }));
    const application = Number(connection.pragma('application_id', { simple: true }));
    const isEmpty = connection.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (application === BACKUP_APPLICATION_ID) {
      throw new FileFault(file, undefined, 'it is a backup', '`npx halfspread restore` makes a database of it');
    }
    if (!isEmpty && application !== applicationId) {
      const problem = 'it is a database of another program';
      throw new FileFault(file, undefined, problem, 'Name another file; a missing one is created');
    }
    if (version > migrations.length) {
      const problem = `it has version ${version}, but this program reads versions up to ${migrations.length}`;
      throw new FileFault(file, undefined, problem, 'Start the program that wrote it, or a later one');
    }
    connection.pragma('journal_mode = WAL');
    if (version === migrations.length) return;
    connection.transaction(() => {
      const missing = migrations.slice(version).map((entry) => (typeof entry === 'string' ? { sql: entry } : entry));
      for (const { sql } of missing) connection.exec(sql);
      for (const entry of missing) if ('checksummed' in entry) computeChecksums(connection, entry.checksummed);
      connection.pragma(`application_id = ${applicationId}`);
      connection.pragma(`user_version = ${migrations.length}`);
      if (migrations.includes(COMMIT_STAMP_TABLE)) updateCommitStamp(connection);
    })();
  });
}

export function closeOnFailure<T>(connection: Connection, work: () => T): T {
  try {
    return work();
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Runs `work` and converts errors of SQLite.
 * @param verb past participle for the message, such as `read`
 * @param remedy remedy for a damaged file. Default: put back a good copy
 * @throws FileFault for an error of SQLite
 */
export function withSqliteFaults<T>(file: string, verb: string, work: () => T, remedy?: string): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof Database.SqliteError)
      throw toSqliteFault(file, verb, toSqliteProblem(cause), { remedyForDamage: remedy });
    throw cause;
  }
}
