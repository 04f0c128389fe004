/**
 * Entries go into the log at once and into the tables at the end of the turn of the loop, several in one transaction.
 *
 * Invariants: the tables get entries in the order in which they were kept. An entry that goes into the tables alone (there is
 * no log, or they have to know at once) comes after all that wait. What failed once is thrown by whatever is written next.
 */
import { nextTurn } from '../../clock/index.ts';
import type { BotRows } from './bot-rows.ts';
import type { BotSource } from './bot-source.ts';
import type { IntentLog } from './intent-log.ts';
import type { LogEntry } from './log-entry.ts';
import type { Transaction } from './transaction.ts';

export interface WriteBehindParts {
  readonly rows: BotRows;
  readonly transaction: Transaction;
  /** Undefined for a store in memory: everything goes into the tables at once. */
  readonly log: IntentLog | undefined;
  /** The present, after all that was kept. */
  readonly source: () => BotSource | undefined;
  /** Called in each transaction, after the rows of entries up to this one. */
  readonly folded: (last: LogEntry) => void;
  /** Told how many rows were committed. */
  readonly wrote: (rows: number) => void;
}

/** So many entries wait at most, where the loop does not turn. */
const MOST_WAITING = 256;

export class WriteBehind {
  readonly #parts: WriteBehindParts;
  #waiting: LogEntry[] = [];
  #isDue = false;

  /** What a process left in the log that did not come to its end goes into the tables. @throws FileFault */
  constructor(parts: WriteBehindParts) {
    this.#parts = parts;
    const { log, rows, transaction } = parts;
    if (log !== undefined && log.tail.length > 0) {
      transaction.write(() => {
        rows.fold(log.tail, log.last, undefined);
        rows.recoverAccount();
      });
    }
  }

  /** Outlives the process on return. @param inTables whether the tables have to know on return. @throws FileFault */
  keep(entry: LogEntry, inTables: boolean): void {
    const { log, transaction } = this.#parts;
    if (log === undefined || inTables) {
      this.fold();
      this.#commit([entry], (rows, source) => rows.keep([entry], source));
      return;
    }
    transaction.attempt(() => log.append(entry));
    this.#waiting.push(entry);
    if (this.#waiting.length >= MOST_WAITING) this.fold();
  }

  /** What waits goes into the tables when the loop has turned. Not by `keep`: that is on the way of an order, this behind it. */
  foldLater(): void {
    if (this.#isDue || this.#waiting.length === 0) return;
    this.#isDue = true;
    void nextTurn().then(() => {
      this.#isDue = false;
      this.catchUp();
    });
  }

  /** What waits goes into the tables. @throws FileFault */
  fold(): void {
    const { log } = this.#parts;
    const entries = this.#waiting;
    if (log === undefined || entries.length === 0) return;
    this.#commit(entries, (rows, source) => rows.fold(entries, log.last, source));
  }

  /** What waits goes into the tables now, unless something has failed. */
  catchUp(): void {
    this.#later(() => this.fold());
  }

  /** The tables are on the disk, with all that was committed. */
  emptyLog(): void {
    const { log, transaction } = this.#parts;
    if (log === undefined || this.#waiting.length > 0) return;
    this.#later(() => transaction.attempt(() => log.empty()));
  }

  /** The log goes where the tables have all of it: not after a failure, when nobody knows what they have. */
  close(): void {
    const { log, transaction } = this.#parts;
    log?.close(this.#waiting.length > 0 || transaction.hasFailed);
  }

  #commit(entries: readonly LogEntry[], write: (rows: BotRows, source: BotSource | undefined) => void): void {
    const { rows, source, transaction, folded, wrote } = this.#parts;
    let count = 0;
    transaction.write(() => {
      write(rows, source());
      for (const { steps, signed } of entries) count += steps.length + signed.length;
      const last = entries.at(-1);
      if (last !== undefined) folded(last);
    });
    // Those of a transaction that failed still wait: the log has them, and nothing else.
    this.#waiting = [];
    wrote(count);
  }

  /** What nobody waits for. What it fails at, the transaction keeps and throws at whatever is written next. */
  #later(work: () => void): void {
    const { transaction } = this.#parts;
    if (!transaction.isWell) return;
    try {
      work();
    } catch (error) {
      if (transaction.isWell) throw error;
    }
  }
}
