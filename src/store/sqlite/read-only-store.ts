/** A database that is only looked at, and that nobody can write to meanwhile: to find out what is wrong with it. */
import { existsSync, rmSync } from 'node:fs';
import { default as Database } from 'better-sqlite3';
import { Fault, FileFault } from '../../domain/index.ts';
import { type ExchangeView, type JournalBatch, visitBatch } from '../../exchange/index.ts';
import { shareFile } from '../folder-lock.ts';
import { Checkpoints } from './checkpoints.ts';
import { readStamp } from './commit-stamp.ts';
import { Commits } from './commits.ts';
import { type Connection, guarded } from './database.ts';
import { DatabaseReads } from './database-reads.ts';
import { shortened } from './findings.ts';
import { databaseFiles, lossOf } from './loss-check.ts';
import type { WriterMessage } from './messages.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';
import { OrderKeys } from './order-keys.ts';
import { RecentRows } from './recent-rows.ts';
import { checksumFaults, rowFaults, schemaFaults } from './row-check.ts';
import { VENUE_CHECKSUMS } from './row-checksums.ts';
import { RowRebuild } from './row-rebuild.ts';
import { SqliteArchive } from './sqlite-archive.ts';
import { SqliteIdentities } from './sqlite-identities.ts';
import { type BatchColumns, batchFault, SqliteJournal } from './sqlite-journal.ts';
import { SqliteRegistry } from './sqlite-registry.ts';
import type { Answered, WriterLink } from './writer-link.ts';

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
  /** What was acknowledged and is not there. */
  readonly #loss: FileFault | undefined;

  private constructor(
    file: string,
    connection: Connection,
    of: { readonly unlock: () => void; readonly made: readonly string[]; readonly loss: FileFault | undefined },
  ) {
    this.#file = file;
    this.#loss = of.loss;
    this.#connection = connection;
    this.#unlock = of.unlock;
    this.#made = of.made;
    const recent = new RecentRows();
    const link = new NoLink();
    const reads = new DatabaseReads(file);
    const keys = new OrderKeys(connection, reads);
    this.identities = new SqliteIdentities(connection, keys, reads);
    const commits = new Commits({
      reads,
      link,
      recent,
      keys,
      identities: this.identities,
      checkpoints: new Checkpoints(link, undefined),
    });
    this.journal = new SqliteJournal(commits, connection, reads, { keepRecords: true });
    this.archive = new SqliteArchive(connection, reads, keys, recent);
    this.registry = new SqliteRegistry(commits, connection, reads);
  }

  /** @throws FileFault when there is no such file, a process has it, or it is none of this program's version */
  static open(file: string): ReadOnlyStore {
    if (!existsSync(file))
      throw new FileFault(file, undefined, 'there is no such file', 'Name the database of a venue');
    const lock = `${file}-lock`;
    const unlock = existsSync(lock) ? shared(file, lock) : () => {};
    const loss = lossOf(databaseFiles(file, 'record'));
    if (loss?.isShorter === false) {
      unlock();
      throw loss.fault;
    }
    const made = existsSync(`${file}-wal`) ? [] : [`${file}-wal`, `${file}-shm`];
    let connection: Connection | undefined;
    try {
      return guarded(file, 'opened', () => {
        connection = new Database(file, { readonly: true, fileMustExist: true });
        checkVersion(file, connection);
        return new ReadOnlyStore(file, connection, { unlock, made, loss: loss?.fault });
      });
    } catch (cause) {
      connection?.close();
      for (const path of made) rmSync(path, { force: true });
      unlock();
      throw cause;
    }
  }

  /** What was acknowledged and is missing, then what is wrong with the file's pages and indexes, in SQLite's words. */
  structureFaults(): readonly string[] {
    const missing = this.#loss === undefined ? [] : [this.#loss.message];
    const stamp = guarded(this.#file, 'read', () => readStamp(this.#connection));
    const unreadable = stamp === undefined ? ['table commit_stamp: its row is missing, or its checksum is wrong'] : [];
    return [...missing, ...unreadable, ...this.#pageFaults()];
  }

  #pageFaults(): readonly string[] {
    const schema = guarded(this.#file, 'read', () => schemaFaults(this.#connection, MIGRATIONS));
    const whole = this.#integrity(String(MOST_FOUND));
    if (Array.isArray(whole)) return [...schema, ...whole];
    // Some damage ends the check itself: then each table for itself says whether it is there.
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    const tables = guarded(this.#file, 'read', () => this.#connection.prepare<[], string>(sql).pluck().all());
    const faults = tables.flatMap((table) => {
      const found = this.#integrity(table);
      return (Array.isArray(found) ? found : [found]).map((fault) => `table ${table} or an index of it: ${fault}`);
    });
    if (faults.length === 0) return [...schema, `${whole}`];
    return [...schema, ...shortened(faults)];
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

  /** Batches of records that are damaged or missing. Snapshots tell of themselves when they are restored. */
  recordFaults(): readonly string[] {
    return guarded(this.#file, 'read', () => shortened(batchFaults(this.#connection)));
  }

  /** Rows that are not as they were written, by their checksums; the description of the tables, too. */
  checksumFaults(): readonly string[] {
    return guarded(this.#file, 'read', () => checksumFaults(this.#connection, VENUE_CHECKSUMS));
  }

  /** Rows that say something else than the state, and rows that do not go together. */
  rowFaults(view: ExchangeView): readonly string[] {
    return guarded(this.#file, 'read', () => rowFaults(this.#connection, view));
  }

  /** To compare all rows with what the records lead to. To be closed. @throws FileFault */
  rebuild(): RowRebuild {
    return new RowRebuild(this.#connection);
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

function* batchFaults(connection: Connection): Iterable<string> {
  let next: number | undefined;
  const sql = 'SELECT first, count, bytes, crc FROM journal ORDER BY first';
  for (const batch of connection.prepare<[], BatchColumns>(sql).iterate()) {
    const { first, count, bytes } = batch;
    if (next !== undefined && first > next) yield `records ${next} to ${first - 1} are missing`;
    if (next !== undefined && first < next) yield `record ${first}: the batch before it goes up to ${next - 1}`;
    const fault = batchFault(batch) ?? contentFault({ first, count, bytes: Uint8Array.from(bytes) });
    if (fault !== undefined) yield `records ${first} to ${first + count - 1}: ${fault}`;
    next = first + count;
  }
}

/** What is wrong within a batch whose checksum is right; undefined for nothing. */
function contentFault(batch: JournalBatch): string | undefined {
  try {
    visitBatch(batch, { command: () => {}, mark: () => {}, hash: () => {} });
    return undefined;
  } catch (cause) {
    if (cause instanceof Fault) return cause.message;
    throw cause;
  }
}
