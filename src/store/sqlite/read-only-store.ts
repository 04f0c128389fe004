/** A database that is only looked at, and that nobody can write to meanwhile: to find out what is wrong with it. */
import { existsSync, rmSync } from 'node:fs';
import { default as Database } from 'better-sqlite3';
import { FileFault } from '../../domain/index.ts';
import type { ExchangeView } from '../../exchange/index.ts';
import { shareFile } from '../folder-lock.ts';
import { Checkpoints } from './checkpoints.ts';
import { Commits } from './commits.ts';
import { type Connection, guarded } from './database.ts';
import type { WriterMessage } from './messages.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';
import { OrderKeys } from './order-keys.ts';
import { RecentRows } from './recent-rows.ts';
import { rowFaults } from './row-check.ts';
import { SqliteArchive } from './sqlite-archive.ts';
import { SqliteIdentities } from './sqlite-identities.ts';
import { SqliteJournal } from './sqlite-journal.ts';
import { SqliteRegistry } from './sqlite-registry.ts';
import { batchCrc } from './writer.ts';
import type { Answered, WriterLink } from './writer-link.ts';

interface BatchColumns {
  readonly first: number;
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly crc: number;
}

/** Most findings of one kind that are told. */
const MOST_FOUND = 20;

/** To be closed. */
export class ReadOnlyStore {
  readonly journal: SqliteJournal;
  readonly archive: SqliteArchive;
  readonly registry: SqliteRegistry;
  readonly identities: SqliteIdentities;
  readonly #file: string;
  readonly #connection: Connection;
  readonly #unlock: () => void;
  /** Files that looking makes. */
  readonly #made: readonly string[];

  private constructor(file: string, connection: Connection, of: { unlock: () => void; made: readonly string[] }) {
    this.#file = file;
    this.#connection = connection;
    this.#unlock = of.unlock;
    this.#made = of.made;
    const recent = new RecentRows();
    const link = new NoLink();
    const keys = new OrderKeys(connection);
    this.identities = new SqliteIdentities(connection, keys);
    const commits = new Commits({
      file,
      link,
      recent,
      keys,
      identities: this.identities,
      checkpoints: new Checkpoints(link, undefined),
    });
    this.journal = new SqliteJournal(commits, connection, { keepRecords: true });
    this.archive = new SqliteArchive(connection, file, keys, recent);
    this.registry = new SqliteRegistry(commits, connection);
  }

  /** @throws FileFault when there is no such file, a process has it, or it is none of this program's version */
  static open(file: string): ReadOnlyStore {
    if (!existsSync(file))
      throw new FileFault(file, undefined, 'there is no such file', 'Name the database of a venue');
    const lock = `${file}-lock`;
    const unlock = existsSync(lock) ? shared(file, lock) : () => {};
    const made = existsSync(`${file}-wal`) ? [] : [`${file}-wal`, `${file}-shm`];
    let connection: Connection | undefined;
    try {
      return guarded(file, 'opened', () => {
        connection = new Database(file, { readonly: true, fileMustExist: true });
        checkVersion(file, connection);
        return new ReadOnlyStore(file, connection, { unlock, made });
      });
    } catch (cause) {
      connection?.close();
      for (const path of made) rmSync(path, { force: true });
      unlock();
      throw cause;
    }
  }

  /** What is wrong with the file's pages and indexes, in SQLite's words. */
  structureFaults(): readonly string[] {
    const whole = this.#integrity(String(MOST_FOUND));
    if (Array.isArray(whole)) return whole;
    // Some damage ends the check itself: then each table for itself says whether it is there.
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    const tables = guarded(this.#file, 'read', () => this.#connection.prepare<[], string>(sql).pluck().all());
    const faults = tables.flatMap((table) => {
      const found = this.#integrity(table);
      return (Array.isArray(found) ? found : [found]).map((fault) => `table ${table} or an index of it: ${fault}`);
    });
    return faults.length > 0 ? shortened(faults) : [`${whole}`];
  }

  /** @returns what was found; a text where the check could not be carried out */
  #integrity(what: string): readonly string[] | string {
    try {
      const rows = this.#connection.prepare<[], string>(`PRAGMA integrity_check(${what})`).pluck().all();
      return rows.filter((row) => row !== 'ok');
    } catch (cause) {
      if (cause instanceof Database.SqliteError) return `${cause.code}: ${cause.message}`;
      throw cause;
    }
  }

  /** Batches of records that are damaged or missing, and snapshots. */
  recordFaults(): readonly string[] {
    const faults: string[] = [];
    guarded(this.#file, 'read', () => {
      let next: number | undefined;
      const sql = 'SELECT first, count, bytes, crc FROM journal ORDER BY first';
      for (const { first, count, bytes, crc } of this.#connection.prepare<[], BatchColumns>(sql).iterate()) {
        if (next !== undefined && first !== next) faults.push(`records ${next} to ${first - 1} are missing`);
        if (batchCrc(first, bytes) !== crc) {
          faults.push(`records ${first} to ${first + count - 1}: their checksum is wrong`);
        }
        next = first + count;
      }
    });
    for (const sequence of this.journal.snapshots) {
      try {
        this.journal.readSnapshot(sequence);
      } catch (cause) {
        if (!(cause instanceof FileFault)) throw cause;
        faults.push(`the snapshot after record ${sequence}: its checksum is wrong, or a piece of it is missing`);
      }
    }
    return shortened(faults);
  }

  /** Rows that say something else than the state, and rows that do not go together. */
  rowFaults(view: ExchangeView): readonly string[] {
    return guarded(this.#file, 'read', () => shortened(rowFaults(this.#connection, view)));
  }

  close(): void {
    this.#connection.close();
    // Whoever may not write cannot take them away: nothing is in them where there was no log before.
    for (const path of this.#made) rmSync(path, { force: true });
    this.#unlock();
  }
}

/** Writes nothing. Setting a snapshot aside is no harm here: it is not tried again while the program runs. */
class NoLink implements WriterLink {
  send(message: WriterMessage, answered: Answered): void {
    if (message.type === 'aside') answered({ trouble: undefined, hasMore: false });
    else answered({ trouble: { code: '', message: 'it was opened to be looked at' } });
  }

  async close(): Promise<void> {}
}

function shared(file: string, lock: string): () => void {
  try {
    return shareFile(lock);
  } catch (cause) {
    throw new FileFault(file, undefined, 'another process has it', 'End that one first, or look at a copy', { cause });
  }
}

function checkVersion(file: string, connection: Connection): void {
  const version = Number(connection.pragma('user_version', { simple: true }));
  const application = Number(connection.pragma('application_id', { simple: true }));
  if (application !== APPLICATION_ID) {
    throw new FileFault(file, undefined, 'it is no database of a venue', 'Name the file that `serve --db` was given');
  }
  if (version === MIGRATIONS.length) return;
  const remedy =
    version < MIGRATIONS.length
      ? 'Start a venue on it once, or on a copy: that brings it up to date'
      : 'Use the program that wrote it, or a later one';
  throw new FileFault(file, undefined, `it has version ${version}, this program ${MIGRATIONS.length}`, remedy);
}

function shortened(faults: readonly string[]): readonly string[] {
  if (faults.length <= MOST_FOUND) return faults;
  return [...faults.slice(0, MOST_FOUND), `and ${faults.length - MOST_FOUND} more of this kind`];
}
