/** Writes to a bot's file, each durable on return; after the first failure nothing more is written. */
import type { Statement } from 'better-sqlite3';
import { Fault } from '../../domain/index.ts';
import { type Connection, guarded } from '../sqlite/database.ts';

export class Transaction {
  readonly #file: string;
  readonly #connection: Connection;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  #fault: Error | undefined;
  #isClosed = false;

  constructor(file: string, connection: Connection) {
    this.#file = file;
    this.#connection = connection;
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#rollback = connection.prepare('ROLLBACK');
  }

  /** Nothing has failed so far, and it was not closed. */
  get isWell(): boolean {
    return this.#fault === undefined && !this.#isClosed;
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
        this.#commit.run();
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
      if (this.#connection.open && this.#connection.inTransaction) this.#rollback.run();
      this.#fault = error instanceof Error ? error : new Error(String(error));
      throw this.#fault;
    }
  }

  /** @throws what failed before; Fault STORE_CLOSED */
  demandWell(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isClosed) throw new Fault('STORE_CLOSED', `${this.#file}: the bot's store was closed`);
  }
}
