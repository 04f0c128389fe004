/**
 * Assembles transactions and sends them to the writer, on this thread or a separate one.
 *
 * Invariant: after a fault, nothing more becomes durable. Pending and later commits get the same fault.
 */
import { Worker } from 'node:worker_threads';
import { Fault } from '../../domain/index.ts';
import type { JournalBatch, OnDurable, RegistryChange, RowSource } from '../../exchange/index.ts';
import { entryUrl } from '../../package-files.ts';
import type { Checkpoints } from './checkpoints.ts';
import { encodeText } from './column-values.ts';
import type { Connection } from './database.ts';
import type { DatabaseReads } from './database-reads.ts';
import type { OnAnswer, StoredChange, ThreadMessage, WriterAnswer, WriterLink, WriterMessage } from './messages.ts';
import type { OrderKeys } from './order-keys.ts';
import type { RecentRows } from './recent-rows.ts';
import { type SqliteProblem, toSqliteFault, toSqliteProblem } from './sqlite-fault.ts';
import type { SqliteIdentities } from './sqlite-identities.ts';
import { Writer, type WriterOptions } from './writer.ts';

/** Approximate size of a registry change. */
const CHANGE_BYTES = 100;

export interface CommitsDeps {
  readonly reads: DatabaseReads;
  readonly link: WriterLink;
  readonly checkpoints: Checkpoints;
  /** Finds orders by hash and client id, also before their commit. */
  readonly identities: SqliteIdentities;
  /** The index of orders by key. Each commit writes a part of it. */
  readonly keys: OrderKeys;
  /** New orders of the last commit, which are read without a query. */
  readonly recent: RecentRows;
}

export class Commits {
  readonly file: string;
  readonly #deps: CommitsDeps;
  #source: RowSource | undefined;
  #changes: StoredChange[] = [];
  #fault: Fault | undefined;
  #isClosed = false;

  constructor(deps: CommitsDeps) {
    this.file = deps.reads.file;
    this.#deps = deps;
  }

  /** The fault that stopped all writing, if there is one. */
  get fault(): Fault | undefined {
    const fault = this.#fault ?? this.#deps.reads.fault;
    if (fault !== undefined || !this.#isClosed) return fault;
    return new Fault('JOURNAL_CLOSED', `${this.file}: the database was closed`);
  }

  /** Adds the rows of a source to each later batch. */
  writeRowsFrom(source: RowSource): void {
    this.#source = source;
  }

  addChange({ table, key, value }: RegistryChange): void {
    const text = value === undefined ? null : JSON.stringify(value);
    this.#changes.push({ table, key: encodeText(key), value: text });
  }

  /** Commits a batch, if there is one, and the waiting registry changes. */
  commit(batch: JournalBatch | undefined, onDurable: OnDurable): void {
    const { fault } = this;
    if (fault !== undefined) {
      onDurable(fault);
      return;
    }
    const { identities, checkpoints, recent, keys } = this.#deps;
    const rows = batch === undefined ? undefined : this.#source?.drainRows();
    const changes = this.#changes;
    this.#changes = [];
    if (batch === undefined && changes.length === 0) {
      // Wait for the pending commits, which can contain earlier changes.
      this.send({ type: 'commit', batch: undefined, rows: undefined, keys: undefined, changes }, onDurable);
      return;
    }
    const lastOrder = identities.last;
    // The thread gets a copy of the bytes, because the batch's memory is reused.
    const bytes = batch?.bytes.slice();
    const sent = batch && bytes && { first: batch.first, count: batch.count, bytes };
    const keysToIndex = batch === undefined ? undefined : keys.takeKeysToIndex();
    this.send({ type: 'commit', batch: sent, rows, keys: keysToIndex, changes }, (failure) => {
      if (failure === undefined) {
        if (keysToIndex !== undefined) keys.onWritten();
        identities.onCommitted(lastOrder);
        checkpoints.onCommitted((bytes?.length ?? 0) + (rows?.numbers.byteLength ?? 0) + CHANGE_BYTES * changes.length);
        if (rows !== undefined) {
          keys.addOrders(rows);
          recent.replace(rows);
        }
      } else this.#fault ??= failure;
      onDurable(failure);
    });
  }

  /** @param done receives a fault, or whether rows to prune remain; `hasMore` is false for messages except `prune` */
  send(message: WriterMessage, done: (fault: Fault | undefined, hasMore: boolean) => void): void {
    this.#deps.link.send(message, (answer) => {
      if (answer.problem === undefined) done(undefined, answer.hasMore);
      else done(this.#fault ?? toSqliteFault(this.file, 'written', answer.problem), false);
    });
  }

  /** Commits the waiting registry changes and refuses later commits. @throws Fault if they could not be written */
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

/** Returns a link to a writer on this thread. */
export function createInlineLink(options: WriterOptions, connection?: Connection): WriterLink {
  const writer = new Writer(options, connection);
  return {
    send: (message, onAnswer) => onAnswer(writer.handle(message)),
    close: async () => writer.close(),
  };
}

/** Runs the writer on a separate thread, so that no caller waits for the disk. Messages keep the process alive. */
export class ThreadLink implements WriterLink {
  readonly #worker: Worker;
  readonly #waiting: OnAnswer[] = [];
  readonly #ended: Promise<void>;
  #failure: SqliteProblem | undefined;
  #isClosing = false;

  constructor(options: WriterOptions) {
    this.#worker = new Worker(entryUrl('writer-thread', import.meta.url), { workerData: options });
    this.#worker.unref();
    this.#worker.on('message', (answer: WriterAnswer) => this.#onAnswer(answer));
    this.#worker.on('error', (cause) => this.#fail(toSqliteProblem(cause)));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail({ code: '', message: 'the writing thread ended' });
        resolve();
      });
    });
  }

  send(message: WriterMessage, onAnswer: OnAnswer): void {
    if (this.#failure !== undefined) {
      onAnswer({ problem: this.#failure });
      return;
    }
    this.#worker.ref();
    this.#waiting.push(onAnswer);
    this.#worker.postMessage(message);
  }

  close(): Promise<void> {
    // Keep the process alive until the thread exits.
    this.#isClosing = true;
    this.#worker.ref();
    this.#worker.postMessage({ type: 'close' } satisfies ThreadMessage);
    return this.#ended;
  }

  #onAnswer(answer: WriterAnswer): void {
    const onAnswer = this.#waiting.shift();
    if (this.#waiting.length === 0 && !this.#isClosing) this.#worker.unref();
    onAnswer?.(answer);
  }

  #fail(problem: SqliteProblem): void {
    this.#failure ??= problem;
    for (const onAnswer of this.#waiting.splice(0)) onAnswer({ problem: this.#failure });
  }
}
