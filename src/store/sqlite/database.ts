/** Opens a database file: settings, version, migrations. */
import { type Database as Connection, default as Database } from 'better-sqlite3';
import { FileFault } from '../../domain/index.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';
import { sqliteFault, troubleOf } from './sqlite-fault.ts';

/** A connection to the database. */
export type { Connection };

/** Name of a database that lives as long as its connection. */
export const MEMORY = ':memory:';

/** Opens a connection to a file that is ready for it. @throws FileFault */
export function connect(file: string, options: { readonly cacheMb: number; readonly mayWrite: boolean }): Connection {
  return guarded(file, 'opened', () => {
    const connection = new Database(file);
    connection.pragma(`cache_size = ${-1024 * options.cacheMb}`);
    // What is acknowledged has to outlive the machine's power; checkpoints are taken when nobody waits for one.
    connection.pragma('synchronous = FULL');
    connection.pragma('wal_autocheckpoint = 0');
    connection.pragma('busy_timeout = 5000');
    if (!options.mayWrite) connection.pragma('query_only = ON');
    return connection;
  });
}

/**
 * Makes a file what this program expects: a new one, or one of an earlier version.
 * @param steps all migrations, the earliest first
 * @param applicationId what kind of file it is
 * @throws FileFault when it is damaged, none of ours, or of a later program
 */
export function prepareFile(
  file: string,
  connection: Connection,
  steps: readonly string[] = MIGRATIONS,
  applicationId = APPLICATION_ID,
): void {
  guarded(file, 'opened', () => {
    const version = Number(connection.pragma('user_version', { simple: true }));
    const application = Number(connection.pragma('application_id', { simple: true }));
    const isEmpty = connection.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (!isEmpty && application !== applicationId) {
      const problem = 'it is a database of another program';
      throw new FileFault(file, undefined, problem, 'Name another file; a new one is made where there is none');
    }
    if (version > steps.length) {
      const problem = `it has version ${version}, this program knows versions up to ${steps.length}`;
      throw new FileFault(file, undefined, problem, 'Start the program that wrote it, or a later one');
    }
    connection.pragma('journal_mode = WAL');
    connection.transaction(() => {
      for (const step of steps.slice(version)) connection.exec(step);
      connection.pragma(`application_id = ${applicationId}`);
      connection.pragma(`user_version = ${steps.length}`);
    })();
  });
}

/** Does something with a file. @throws FileFault for what SQLite throws */
export function guarded<T>(file: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof Database.SqliteError) throw sqliteFault(file, what, troubleOf(cause));
    throw cause;
  }
}
