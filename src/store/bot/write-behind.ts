/**
 * Writes a bot's entries to the log at once, and to the tables at the end of the event loop turn, several in one
 * transaction. The next checkpoint moves them into the database itself; then the log is emptied.
 *
 * A separate thread checkpoints SQLite's write-ahead log (WAL), so that the bot's thread never waits for a disk to sync.
 * It does most of it while the tables are written. For the rest entries wait in the log, some milliseconds, so that
 * the thread comes to the end of the WAL and can restart it: else the WAL would never become shorter.
 *
 * Invariants: the tables get entries in the order in which they were kept. An entry that goes into the tables alone
 * (there is no log, or they have to know at once) comes after all that wait. What failed once is thrown by whatever is
 * written next: what the file holds and what is known outside may differ then.
 */
import type { Statement } from 'better-sqlite3';
import { nextTurn } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { SignedRecord, Step } from '../../runtime/index.ts';
import { CheckpointLink } from '../sqlite/checkpoints.ts';
import { CommitCounter } from '../sqlite/commit-stamp.ts';
import { type Connection, guarded } from '../sqlite/database.ts';
import type { MarkFile } from '../sqlite/mark-file.ts';
import type { BotRows, BotSource } from './bot-rows.ts';
import type { IntentLog, LogEntry } from './intent-log.ts';
import type { OpenedFiles } from './open-files.ts';

export interface WriteBehindOptions {
  readonly file: string;
  /** Number of stored steps between two snapshots. */
  readonly snapshotEvery: number;
  /** Checkpoints on a thread of their own. */
  readonly onThread: boolean;
}

/** Most entries that wait while the event loop does not turn. */
const MOST_WAITING = 256;
/** Written rows between two checkpoints: a few megabytes of SQLite's log. */
const CHECKPOINT_ROWS = 1_000;

/** What the checkpoint's thread does. `overtaken`: the tables were written while it ended. */
type Phase = 'idle' | 'copying' | 'ending' | 'overtaken';

export class WriteBehind {
  /** The present state, after all stored entries; undefined if unknown. */
  source: BotSource | undefined;
  readonly #options: WriteBehindOptions;
  readonly #connection: Connection;
  readonly #rows: BotRows;
  /** Undefined for a store in memory, as the mark: everything goes into the tables at once. */
  readonly #log: IntentLog | undefined;
  readonly #mark: MarkFile | undefined;
  readonly #thread: CheckpointLink | undefined;
  readonly #counter: CommitCounter;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  #waiting: LogEntry[] = [];
  #isFoldDue = false;
  #lastSigned: number;
  #resolutions = 0;
  #rowsSinceCheckpoint = 0;
  #phase: Phase = 'idle';
  #fault: Error | undefined;
  #isClosed = false;

  /** Moves entries that a killed process left in the log into the tables. @throws FileFault */
  constructor({ connection, rows, log, mark }: OpenedFiles, options: WriteBehindOptions) {
    this.#options = options;
    this.#connection = connection;
    this.#rows = rows;
    this.#log = log;
    this.#mark = mark;
    // An error of the thread, such as a full disk, also occurs in the next append, which throws it.
    this.#thread = options.onThread
      ? new CheckpointLink(options.file, (hasFailed) => this.#checkpointed(hasFailed))
      : undefined;
    this.#counter = new CommitCounter(connection);
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#rollback = connection.prepare('ROLLBACK');
    if (log !== undefined && log.tail.length > 0) {
      this.write(() => {
        rows.fold(log.tail, log.last, undefined);
        rows.recoverAccount();
      });
    }
    this.#lastSigned = rows.signed.last();
  }

  /** Nothing has failed so far, and it was not closed. */
  get isWell(): boolean {
    return this.#fault === undefined && !this.#isClosed;
  }

  /** @throws what failed before; Fault STORE_CLOSED */
  throwIfFailed(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isClosed) throw new Fault('STORE_CLOSED', `${this.#options.file}: the bot's store was closed`);
  }

  /** Durable across process crashes on return. @throws FileFault, also for an earlier failure */
  keep(steps: readonly Step[], signed: readonly SignedRecord[], cursor: number): void {
    const entry = { steps, signed, cursor, risk: this.#riskAfter(steps) };
    const log = this.#isForTables(signed) ? undefined : this.#log;
    if (log === undefined) {
      this.fold();
      this.#writeEntries([entry], () => this.#rows.keep([entry], this.source));
    } else {
      this.#attempt(() => log.append(entry));
      this.#waiting.push(entry);
      if (this.#waiting.length >= MOST_WAITING) this.fold();
    }
    for (const { order } of signed) this.#lastSigned = Math.max(this.#lastSigned, order);
  }

  /**
   * What waits goes into the tables when the loop has turned. Not by `keep`: that is on the way of an order, this
   * behind it.
   */
  foldLater(): void {
    if (this.#isFoldDue || this.#waiting.length === 0) return;
    this.#isFoldDue = true;
    void nextTurn().then(() => {
      this.#isFoldDue = false;
      this.#catchUp();
    });
  }

  /** Writes waiting entries into the tables. @throws FileFault, and an earlier error */
  fold(): void {
    const log = this.#log;
    const entries = this.#waiting;
    if (log === undefined || entries.length === 0) return;
    this.#writeEntries(entries, () => this.#rows.fold(entries, log.last, this.source));
  }

  /** A snapshot of the present. @throws FileFault; what failed before */
  keepSnapshot(source: BotSource, time: number, cursor: number): void {
    this.write(() => this.#snapshot(source, time, cursor));
  }

  /** All or nothing, durable on return. @throws FileFault when it cannot be written; what failed before */
  write<T>(work: () => T): T {
    return this.#attempt(() =>
      guarded(this.#options.file, 'written', () => {
        this.#begin.run();
        if (this.#phase === 'ending') this.#phase = 'overtaken';
        const result = work();
        const { folded } = this.#rows;
        this.#counter.count(folded);
        this.#commit.run();
        this.#counter.committed(folded);
        this.#mark?.acknowledgeCommits(this.#counter.commits);
        return result;
      }),
    );
  }

  /** Counts committed rows: a checkpoint may be due. */
  wrote(rows: number): void {
    this.#rowsSinceCheckpoint += rows;
    if (this.#rowsSinceCheckpoint < CHECKPOINT_ROWS || this.#phase !== 'idle') return;
    this.#rowsSinceCheckpoint = 0;
    this.#phase = 'copying';
    if (this.#thread === undefined) this.#endHere();
    else this.#thread.begin('copy');
  }

  /**
   * Removes the log if the tables have all of it. Keeps it after a failure, when the content of the tables is unknown.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
    this.#connection.close();
    this.#log?.close(this.#waiting.length > 0 || this.#fault !== undefined);
  }

  /**
   * A requote out of market data leaves risk's state as it was, but for an equity that is written each second or so.
   */
  #riskAfter(steps: readonly Step[]): string | undefined {
    if (this.source === undefined) return undefined;
    const isRequote = steps.every(({ event, refused }) => event === undefined && refused.length === 0);
    return isRequote ? undefined : JSON.stringify(this.source.risk());
  }

  /**
   * Whether the tables have to know at once: an order was signed before, or a market ended, which only a snapshot says.
   */
  #isForTables(signed: readonly SignedRecord[]): boolean {
    if (this.source !== undefined && this.source.account.resolutions !== this.#resolutions) return true;
    let last = this.#lastSigned;
    for (const { order } of signed) {
      if (order <= last) return true;
      last = order;
    }
    return false;
  }

  /** A snapshot follows adjusted holdings: what they count as contributed depends on prices, which no step has. */
  #writeEntries(entries: readonly LogEntry[], write: () => void): void {
    this.write(() => {
      write();
      const source = this.source;
      if (source === undefined) return;
      const { sinceSnapshot, cursor } = this.#rows;
      const isDue =
        sinceSnapshot >= this.#options.snapshotEvery ||
        this.#resolutions !== source.account.resolutions ||
        entries.some(({ steps }) => steps.some(({ event }) => event?.type === 'holdingAdjusted'));
      if (isDue) this.#snapshot(source, entries.at(-1)?.steps.at(-1)?.time ?? 0, cursor);
    });
    // Those of a transaction that failed still wait: the log has them, and nothing else.
    this.#waiting = [];
    this.wrote(entries.reduce((count, { steps, signed }) => count + steps.length + signed.length, 0));
  }

  #snapshot(source: BotSource, time: number, cursor: number): void {
    this.#rows.keepSnapshot(source, time, cursor);
    this.#resolutions = source.account.resolutions;
  }

  /** Writes waiting entries into the tables now, unless there was an error or a checkpoint ends. */
  #catchUp(): void {
    if (this.#phase !== 'ending') this.#later(() => this.fold());
  }

  /** The thread has done what it was asked for. */
  #checkpointed(hasFailed: boolean): void {
    if (hasFailed || this.#phase === 'overtaken') {
      // A disk that takes so long never lets the thread come to the end.
      this.#endHere();
    } else if (this.#phase === 'copying' && this.isWell) {
      this.#emptyLog();
      this.#phase = 'ending';
      this.#thread?.begin('end');
    } else {
      this.#phase = 'idle';
      this.#catchUp();
    }
  }

  /** Ends a checkpoint on this thread. Who reads at the moment may hold the end back: the next one brings it in. */
  #endHere(): void {
    this.#emptyLog();
    this.#later(() => this.#connection.pragma('wal_checkpoint(PASSIVE)'));
    this.#phase = 'idle';
  }

  /** Brings all entries into the tables first. A power cut may take the last of both, as they are not synced. */
  #emptyLog(): void {
    this.#later(() => {
      this.fold();
      this.#attempt(() => this.#log?.empty());
    });
  }

  /** Runs work that no caller waits for. The next write throws its error. */
  #later(work: () => void): void {
    if (!this.isWell) return;
    try {
      work();
    } catch (error) {
      if (this.isWell) throw error;
    }
  }

  /**
   * Does something that has to succeed, or be the last thing.
   * @throws what it throws; what failed before; Fault STORE_CLOSED
   */
  #attempt<T>(work: () => T): T {
    this.throwIfFailed();
    try {
      return work();
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
      if (this.#connection.open && this.#connection.inTransaction) this.#rollback.run();
      throw this.#fault;
    }
  }
}
