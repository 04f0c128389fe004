/** Stores the journal, rows and registry of a venue in one file (docs/storage.md). */
import { DAY_MS, type EpochMs, type Fault, FileFault } from '../../domain/index.ts';
import type { OnDurable, RowSource } from '../../exchange/index.ts';
import { checkDatabasePath } from '../disk-fault.ts';
import { describeLockHolder, isBusy, lockFile } from '../file-lock.ts';
import { makePrivate, sqliteFiles } from '../private-files.ts';
import { Checkpoints } from './checkpoints.ts';
import { updateCommitStamp } from './commit-stamp.ts';
import { Commits, type CommitsDeps, createInlineLink, ThreadLink } from './commits.ts';
import { type Connection, connect, MEMORY, prepareFile, withSqliteFaults } from './database.ts';
import { DatabaseReads } from './database-reads.ts';
import { beginUse, checkForLoss, removeMarkAfterUse } from './database-use.ts';
import { RETAINED_EVENTS } from './event-queries.ts';
import type { WriterLink } from './messages.ts';
import { OrderKeys } from './order-keys.ts';
import { RecentRows } from './recent-rows.ts';
import { SqliteArchive } from './sqlite-archive.ts';
import { SqliteIdentities } from './sqlite-identities.ts';
import { SqliteJournal } from './sqlite-journal.ts';
import { SqliteRegistry } from './sqlite-registry.ts';

export interface SqliteStoreOptions {
  /** Path of the file, which is created if it is missing. `:memory:` lasts as long as the store. */
  readonly file: string;
  /** Whether a separate thread writes, so that no caller waits for the disk. Default true; ignored for `:memory:`. */
  readonly thread?: boolean;
  /** Whether to keep records that no snapshot needs, for audits and for earlier program versions. Default false. */
  readonly keepRecords?: boolean;
  /** Largest number of 4 KiB pages in the file. At the limit, writes fail as on a full disk. Default: no limit. */
  readonly maxPages?: number;
  /** Whether to continue with the existing data if acknowledged records are missing. Default false. */
  readonly acceptLoss?: boolean;
}

interface OpenedDatabase {
  readonly file: string;
  readonly connection: Connection;
  readonly link: WriterLink;
  readonly unlock: () => void;
  readonly acceptedLoss: string | undefined;
}

const CACHE_MB = 64;
/** Selects the last record's number, including records that only a snapshot contains. */
const LAST_RECORD = `SELECT max(coalesce((SELECT max(first + count - 1) FROM journal), 0), coalesce((SELECT max(sequence) FROM snapshots), 0))`;

/** A venue's store. Close the store after use. */
export class SqliteStore {
  /** Description of the missing acknowledged data, if `acceptLoss` accepted the loss; otherwise undefined. */
  readonly acceptedLoss: string | undefined;
  readonly journal: SqliteJournal;
  readonly archive: SqliteArchive;
  readonly registry: SqliteRegistry;
  readonly identities: SqliteIdentities;
  readonly #commits: Commits;
  readonly #checkpoints: Checkpoints;
  readonly #database: OpenedDatabase;
  readonly #reads: DatabaseReads;
  #isPruning = false;
  #closing: Promise<void> | undefined;

  private constructor(database: OpenedDatabase, options: SqliteStoreOptions) {
    const { file, connection, link } = database;
    this.acceptedLoss = database.acceptedLoss;
    this.#database = database;
    this.#reads = new DatabaseReads(file, connection);
    this.#checkpoints = new Checkpoints(link, link instanceof ThreadLink ? file : undefined);
    const { keepRecords = false } = options;
    const deps = { reads: this.#reads, link, checkpoints: this.#checkpoints };
    const components = createVenueComponents(deps, { keepRecords });
    this.#commits = components.commits;
    this.journal = components.journal;
    this.archive = components.archive;
    this.registry = components.registry;
    this.identities = components.identities;
  }

  /** Opens or creates a file. @throws FileFault for a file that is in use, damaged, or of an unknown format */
  static open(options: SqliteStoreOptions): SqliteStore {
    const { file, maxPages = 0 } = options;
    const isMemory = file === MEMORY;
    const unlock = isMemory ? () => {} : lockDatabase(file);
    let connection: Connection | undefined;
    let link: WriterLink | undefined;
    let acceptedLoss: string | undefined;
    try {
      if (!isMemory) {
        makePrivate([...sqliteFiles(file), `${file}-lock`]);
        ({ acceptedLoss } = checkForLoss(file, { unit: 'record', acceptLoss: options.acceptLoss }));
      }
      connection = connect(file, { cacheMb: CACHE_MB });
      const opened = connection;
      prepareFile(file, opened);
      if (!isMemory) beginFileUse(file, opened);
      return withSqliteFaults(file, 'opened', () => {
        const writer = createLink(options, opened, maxPages);
        link = writer;
        if (!isMemory) opened.pragma('query_only = ON');
        return new SqliteStore({ file, connection: opened, link: writer, unlock, acceptedLoss }, options);
      });
    } catch (cause) {
      void link?.close();
      connection?.close();
      unlock();
      throw cause;
    }
  }

  /** The fault that stopped all writing, if there is one. */
  get fault(): Fault | undefined {
    return this.#commits.fault;
  }

  /** Sets a listener, which is called once, when a reader finds the file damaged. The store then stops writing. */
  onDamage(listener: (fault: FileFault) => void): void {
    this.#reads.onFault = listener;
  }

  /** Writes the rows of `source` with each later batch. */
  writeRowsFrom(source: RowSource): void {
    this.#commits.writeRowsFrom(source);
  }

  /**
   * Removes order events that are older than a day and not among the last 10,000, in small steps between batches. Call
   * this method periodically. It does nothing while an earlier call runs.
   */
  pruneEvents(now: EpochMs, done: OnDurable = () => {}): void {
    if (this.#isPruning) {
      done(undefined);
      return;
    }
    this.#isPruning = true;
    const events = this.archive.eventBoundary(now - DAY_MS, RETAINED_EVENTS);
    const step = (): void => {
      this.#commits.send({ type: 'prune', records: 0, snapshots: 0, events }, (fault, hasMore) => {
        this.#isPruning = hasMore;
        if (hasMore) step();
        else done(fault);
      });
    };
    step();
  }

  /** Commits waiting registry changes, finishes pending work, and releases the file. @throws Fault */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#commits.close();
    } finally {
      const { file, link, connection, unlock } = this.#database;
      await this.#checkpoints.close();
      await link.close();
      connection.close();
      try {
        if (file !== MEMORY) removeMarkAfterUse(file);
      } finally {
        unlock();
      }
    }
  }
}

/** Creates the parts of a venue's store. They share one connection. */
export function createVenueComponents(
  deps: Pick<CommitsDeps, 'reads' | 'link' | 'checkpoints'>,
  { keepRecords }: { readonly keepRecords: boolean },
) {
  const { reads } = deps;
  const recent = new RecentRows();
  const keys = new OrderKeys(reads);
  const identities = new SqliteIdentities(keys, reads);
  const commits = new Commits({ ...deps, recent, keys, identities });
  return {
    commits,
    identities,
    journal: new SqliteJournal({ commits, reads, keepRecords }),
    archive: new SqliteArchive(reads, keys, recent),
    registry: new SqliteRegistry(commits, reads),
  };
}

/** Removes an incomplete snapshot of a killed writer, and marks the file as in use. */
function beginFileUse(file: string, connection: Connection): void {
  withSqliteFaults(file, 'opened', () => {
    const lastRecord = connection.prepare<[], number | null>(LAST_RECORD).pluck().get() ?? 0;
    connection.transaction(() => {
      connection.exec('DELETE FROM snapshot_pieces WHERE sequence NOT IN (SELECT sequence FROM snapshots)');
      updateCommitStamp(connection, { lastEntry: lastRecord });
    })();
    beginUse(file, connection, { lastEntry: lastRecord });
  });
}

function createLink(options: SqliteStoreOptions, connection: Connection, maxPages: number): WriterLink {
  const { file } = options;
  if (file === MEMORY) return createInlineLink({ file, maxPages }, connection);
  return options.thread === false ? createInlineLink({ file, maxPages }) : new ThreadLink({ file, maxPages });
}

/** Returns a function that releases the lock. */
function lockDatabase(file: string): () => void {
  checkDatabasePath(file);
  const lock = `${file}-lock`;
  try {
    return lockFile(lock);
  } catch (cause) {
    if (!isBusy(cause)) throw cause;
    const problem = `${describeLockHolder(lock)} uses it`;
    const remedy =
      'Stop that process first, or name another file. Reports can read this file meanwhile (docs/storage.md)';
    throw new FileFault(file, undefined, problem, remedy, { cause });
  }
}
