/**
 * Writes to a bot's file. Rows may be held in an open transaction, within one turn of the loop, so that what follows at once
 * is stored with them in one go.
 */
import type { Statement } from 'better-sqlite3';
import { Fault } from '../../domain/index.ts';
import { type Connection, guarded } from '../sqlite/database.ts';

export class Transaction {
  readonly #file: string;
  readonly #connection: Connection;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #committed: (rows: number) => void;
  /** Rows that are written and not committed. */
  #held = 0;
  #fault: Error | undefined;

  /** @param committed told how many rows became durable */
  constructor(file: string, connection: Connection, committed: (rows: number) => void) {
    this.#file = file;
    this.#connection = connection;
    this.#committed = committed;
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#rollback = connection.prepare('ROLLBACK');
  }

  /** Nothing has failed so far. */
  get isWell(): boolean {
    return this.#fault === undefined;
  }

  /** Durable on return, with all that was held before. @throws FileFault as `hold` */
  write(work: () => void, rows = 0): void {
    this.hold(() => {
      work();
      this.#commit.run();
    }, rows);
    const held = this.#held;
    this.#held = 0;
    this.#committed(held);
  }

  /**
   * Durable with the next `write` or `settle`. All or nothing, what was held before included: after a failure nothing more is
   * written, as what the file holds and what is known outside may differ.
   * @throws FileFault when it cannot be written
   */
  hold(work: () => void, rows: number): void {
    this.demandWell();
    try {
      guarded(this.#file, 'written', () => {
        if (!this.#connection.inTransaction) this.#begin.run();
        work();
      });
      this.#held += rows;
    } catch (error) {
      if (this.#connection.inTransaction) this.#rollback.run();
      this.#fault = error instanceof Error ? error : new Error(String(error));
      throw this.#fault;
    }
  }

  /** What is held becomes durable. */
  settle(): void {
    if (this.#held > 0) this.write(() => {});
  }

  /** @throws what failed before; Fault STORE_CLOSED */
  demandWell(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (!this.#connection.open) throw new Fault('STORE_CLOSED', `${this.#file}: the bot's store was closed`);
  }
}
