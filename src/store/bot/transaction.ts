/** Writes to a bot's file, each durable on return; after the first failure nothing more is written. */
import type { Statement } from 'better-sqlite3';
import { Fault } from '../../domain/index.ts';
import type { CommitCounter } from '../sqlite/commit-stamp.ts';
import { type Connection, guarded } from '../sqlite/database.ts';
import type { MarkFile } from '../sqlite/mark-file.ts';

export interface TransactionOptions {
  readonly file: string;
  readonly connection: Connection;
  /** Counts them. */
  readonly counter: CommitCounter;
  /** Undefined for a store in memory. */
  readonly mark: MarkFile | undefined;
  /** Number of the last entry of the log that the tables have. */
  readonly folded: () => number;
}

export class Transaction {
  readonly #file: string;
  readonly #connection: Connection;
  readonly #counter: CommitCounter;
  readonly #mark: MarkFile | undefined;
  readonly #folded: () => number;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  #fault: Error | undefined;
  #isClosed = false;

  constructor({ file, connection, counter, mark, folded }: TransactionOptions) {
    this.#file = file;
    this.#connection = connection;
    this.#counter = counter;
    this.#mark = mark;
    this.#folded = folded;
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#rollback = connection.prepare('ROLLBACK');
  }

  /** Nothing has failed so far, and it was not closed. */
  get isWell(): boolean {
    return this.#fault === undefined && !this.#isClosed;
  }

  /** Something has failed: whether the file has it is not known. */
  get hasFailed(): boolean {
    return this.#fault !== undefined;
  }

  /** The connection was closed. */
  close(): void {
    this.#isClosed = true;
  }

  /** All or nothing. @throws FileFault when it cannot be written; what failed before */
  write<T>(work: () => T): T {
    return this.attempt(() =>
      guarded(this.#file, 'written', () => {
        this.#begin.run();
        const result = work();
        const folded = this.#folded();
        this.#counter.count(folded);
        this.#commit.run();
        this.#counter.committed(folded);
        this.#mark?.acknowledgeCommits(this.#counter.commits);
        return result;
      }),
    );
  }

  /**
   * Does something that has to succeed, or be the last thing: what the file holds and what is known outside may differ then.
   * @throws what it throws; what failed before; Fault STORE_CLOSED
   */
  attempt<T>(work: () => T): T {
    this.demandWell();
    try {
      return work();
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
      if (this.#connection.open && this.#connection.inTransaction) this.#rollback.run();
      throw this.#fault;
    }
  }

  /** @throws what failed before; Fault STORE_CLOSED */
  demandWell(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isClosed) throw new Fault('STORE_CLOSED', `${this.#file}: the bot's store was closed`);
  }
}
