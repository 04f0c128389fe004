/**
 * What joins the next transaction, and who is told when it is durable. After a fault nothing more is durable: all that is
 * asked then, and all that was under way, gets the same one.
 */
import { Fault } from '../../domain/index.ts';
import type { Durable, JournalBatch, RegistryChange, RowBatch, RowSource } from '../../exchange/index.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { DatabaseReads } from './database-reads.ts';
import type { StoredChange, WriterMessage } from './messages.ts';
import type { OrderKeys } from './order-keys.ts';
import type { RecentRows } from './recent-rows.ts';
import { sqliteFault } from './sqlite-fault.ts';
import type { SqliteIdentities } from './sqlite-identities.ts';
import { textValue } from './text-value.ts';
import type { WriterLink } from './writer-link.ts';

/** Is shown the rows of each batch when it is durable, before anything of it is told. */
export type RowListener = (rows: RowBatch) => void;

/** What commits stand on. */
export interface CommitsDeps {
  readonly reads: DatabaseReads;
  readonly link: WriterLink;
  readonly checkpoints: Checkpoints;
  readonly identities: SqliteIdentities;
  readonly keys: OrderKeys;
  readonly recent: RecentRows;
}

/** Puts transactions together. */
export class Commits {
  readonly file: string;
  readonly #deps: CommitsDeps;
  #source: RowSource | undefined;
  #listener: RowListener = () => {};
  #changes: StoredChange[] = [];
  #fault: Fault | undefined;
  #isClosed = false;

  constructor(deps: CommitsDeps) {
    this.file = deps.reads.file;
    this.#deps = deps;
  }

  /** Why nothing can be written any more. */
  get fault(): Fault | undefined {
    const fault = this.#fault ?? this.#deps.reads.fault;
    if (fault !== undefined || !this.#isClosed) return fault;
    return new Fault('JOURNAL_CLOSED', `${this.file}: the database was closed`);
  }

  /** Its rows go with each batch of the journal from now on. */
  follow(source: RowSource, listener: RowListener = () => {}): void {
    this.#source = source;
    this.#listener = listener;
  }

  change({ table, key, value }: RegistryChange): void {
    const text = value === undefined ? null : JSON.stringify(value);
    this.#changes.push({ table, key: textValue(key), value: text });
  }

  /** Commits a batch, or without one what has come of the registry. */
  commit(batch: JournalBatch | undefined, durable: Durable): void {
    const { fault } = this;
    if (fault !== undefined) {
      durable(fault);
      return;
    }
    const { identities, checkpoints, recent, keys } = this.#deps;
    const rows = batch === undefined ? undefined : this.#source?.takeRows();
    const changes = this.#changes;
    this.#changes = [];
    if (batch === undefined && changes.length === 0) {
      // Behind what is under way: that may hold changes that were put before.
      this.send({ type: 'commit', batch: undefined, rows: undefined, keys: undefined, changes }, 'written', durable);
      return;
    }
    const orders = identities.last;
    // The batch lies in memory that is used again; a copy of just its bytes crosses to the thread.
    const bytes = batch === undefined ? undefined : batch.bytes.slice();
    const sent =
      batch === undefined || bytes === undefined ? undefined : { first: batch.first, count: batch.count, bytes };
    const part = batch === undefined ? undefined : keys.take();
    this.send({ type: 'commit', batch: sent, rows, keys: part, changes }, 'written', (failure) => {
      if (failure === undefined) {
        if (part !== undefined) keys.durable();
        identities.committed(orders);
        checkpoints.wrote((bytes?.length ?? 0) + (rows?.numbers.byteLength ?? 0) + 100 * changes.length);
        if (rows !== undefined) {
          keys.written(rows);
          recent.take(rows);
          this.#listener(rows);
        }
      } else this.#fault ??= failure;
      durable(failure);
    });
  }

  /** @param what a participle, for the fault's message */
  send(message: WriterMessage, what: string, done: (fault: Fault | undefined, hasMore: boolean) => void): void {
    this.#deps.link.send(message, (answer) => {
      if (answer.trouble === undefined) done(undefined, answer.hasMore);
      else done(this.#fault ?? sqliteFault(this.file, what, answer.trouble), false);
    });
  }

  /** Commits what has come of the registry, then takes nothing more. @throws Fault when that could not be written */
  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.commit(undefined, (fault) => {
        if (fault === undefined || fault.code === 'JOURNAL_CLOSED') resolve();
        else reject(fault);
      });
      this.#isClosed = true;
    });
  }
}
