import { Fault } from '../../domain/index.ts';
import { type ExchangeView, type JournalBatch, visitBatch } from '../../exchange/index.ts';
import { Checkpoints } from './checkpoints.ts';
import { VENUE_CHECKSUMS } from './columns.ts';
import { type Connection, withSqliteFaults } from './database.ts';
import { DatabaseReads } from './database-reads.ts';
import type { OnAnswer, WriterLink, WriterMessage } from './messages.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';
import { openReadOnly, type ReadOnlyFile } from './read-only-file.ts';
import { checksumFaults, rowFaults } from './row-check.ts';
import { limitFindings } from './row-checksums.ts';
import { RowRebuild } from './row-rebuild.ts';
import type { SqliteArchive } from './sqlite-archive.ts';
import type { SqliteIdentities } from './sqlite-identities.ts';
import { type BatchColumns, batchFault, type SqliteJournal } from './sqlite-journal.ts';
import type { SqliteRegistry } from './sqlite-registry.ts';
import { createVenueComponents } from './sqlite-store.ts';

export type RebuiltRows = Pick<RowRebuild, 'begin' | 'write' | 'differences' | 'close'>;

/** A venue's database, opened read-only for a check. No process can write to it until you close the store. */
export class ReadOnlyStore {
  readonly journal: SqliteJournal;
  readonly archive: SqliteArchive;
  readonly registry: SqliteRegistry;
  readonly identities: SqliteIdentities;
  readonly #file: string;
  readonly #opened: ReadOnlyFile;

  private constructor(file: string, opened: ReadOnlyFile) {
    const { connection } = opened;
    this.#file = file;
    this.#opened = opened;
    const link = new ReadOnlyLink();
    const deps = { reads: new DatabaseReads(file, connection), link, checkpoints: new Checkpoints(link, undefined) };
    const components = createVenueComponents(deps, { keepRecords: true });
    this.journal = components.journal;
    this.archive = components.archive;
    this.registry = components.registry;
    this.identities = components.identities;
  }

  /** @throws FileFault if the file is missing, in use, or not of this program's version */
  static open(file: string): ReadOnlyStore {
    const options = {
      lock: `${file}-lock`,
      unit: 'record',
      applicationId: APPLICATION_ID,
      migrations: MIGRATIONS,
      remedies: {
        missing: 'Name the database of a venue',
        foreign: 'Name the file that `serve --db` was given, or the database of a bot',
        older: 'Start a venue with this file, or with a copy, once: that updates the file',
      },
    };
    return openReadOnly(file, options, (opened) => new ReadOnlyStore(file, opened));
  }

  structureFaults(): readonly string[] {
    return this.#opened.structureFaults();
  }

  /** Returns damaged and missing batches of records. Damaged snapshots are reported when they are restored. */
  recordFaults(): readonly string[] {
    return withSqliteFaults(this.#file, 'read', () => limitFindings(batchFaults(this.#opened.connection)));
  }

  checksumFaults(): readonly string[] {
    return withSqliteFaults(this.#file, 'read', () => checksumFaults(this.#opened.connection, VENUE_CHECKSUMS));
  }

  /** Returns rows that contradict the state or each other. */
  rowFaults(view: ExchangeView): readonly string[] {
    return withSqliteFaults(this.#file, 'read', () => rowFaults(this.#opened.connection, view));
  }

  /** Returns an empty database, to rebuild all rows from the records. Close it after use. @throws FileFault */
  rebuild(): RebuiltRows {
    const withFaults = <T>(work: () => T): T => withSqliteFaults(this.#file, 'compared with its records', work);
    const rows = withFaults(() => new RowRebuild(this.#opened.connection));
    return {
      begin: (view) => withFaults(() => rows.begin(view)),
      write: (batch) => withFaults(() => rows.write(batch)),
      differences: () => withFaults(() => rows.differences()),
      close: () => rows.close(),
    };
  }

  close(): void {
    this.#opened.close();
  }
}

/** Refuses all writes. Ignores marks of unusable snapshots, which the journal also stores in memory. */
class ReadOnlyLink implements WriterLink {
  send(message: WriterMessage, onAnswer: OnAnswer): void {
    if (message.type === 'mark-unusable') onAnswer({ problem: undefined, hasMore: false });
    else onAnswer({ problem: { code: '', message: 'it was opened read-only' } });
  }

  async close(): Promise<void> {}
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

/** Decodes a batch whose checksum is correct. Returns the problem that decoding finds; undefined if there is none. */
function contentFault(batch: JournalBatch): string | undefined {
  try {
    visitBatch(batch, { command: () => {}, lastEvent: () => {}, hash: () => {} });
    return undefined;
  } catch (cause) {
    if (cause instanceof Fault) return cause.message;
    throw cause;
  }
}
