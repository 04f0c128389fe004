/**
 * Writes each entry of a bot to the log at once. Writes all waiting entries to the tables at the end of the event loop
 * turn. The next checkpoint copies SQLite's write-ahead log (WAL) to the database. The bot's log is then emptied.
 *
 * A separate thread runs checkpoints, so that the bot's thread never waits for a disk sync. Most of a checkpoint runs
 * while the tables are written. During the last part, entries wait in the log for some milliseconds. The thread can
 * then reach the end of the WAL and restart the WAL. Otherwise, the WAL would only grow.
 *
 * Invariants: entries are written to the tables in order. Some entries skip the log, because the tables need them at
 * once. Such an entry is written after all waiting entries. After an error, every later write throws the same error,
 * because the file and the bot's state can differ.
 */
import type { Statement } from 'better-sqlite3';
import { nextEventLoopTurn } from '../../clock/index.ts';
import { Fault, toError } from '../../domain/index.ts';
import type { SignedRecord, Step } from '../../runtime/index.ts';
import { createInPlaceCheck } from '../disk-fault.ts';
import { CheckpointLink } from '../sqlite/checkpoints.ts';
import { CommitCounter } from '../sqlite/commit-stamp.ts';
import { withSqliteFaults } from '../sqlite/database.ts';
import type { BotSource } from './bot-rows.ts';
import type { LogEntry } from './intent-log.ts';
import type { BotStoreOptions, OpenedFiles } from './open-files.ts';

/** Maximum number of entries that wait for the end of the event loop turn. */
const MAX_WAITING = 256;
/** Number of written rows after which a checkpoint starts. */
const ROWS_PER_CHECKPOINT = 1_000;

/** State of the checkpoint. `restarting`: the thread restarts the WAL. `interrupted`: a table write prevented it. */
type Phase = 'idle' | 'copying' | 'restarting' | 'interrupted';

export class WriteBehind {
  /** The bot's current state, after all stored entries; undefined if unknown. */
  source: BotSource | undefined;
  readonly #options: BotStoreOptions;
  readonly #opened: OpenedFiles;
  readonly #thread: CheckpointLink | undefined;
  readonly #assertFileInPlace: () => void;
  readonly #counter: CommitCounter;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  #waiting: LogEntry[] = [];
  #isFlushScheduled = false;
  #lastSigned: number;
  #resolutionCount = 0;
  #rowsSinceCheckpoint = 0;
  #phase: Phase = 'idle';
  #fault: Error | undefined;
  #isClosed = false;

  /** Moves entries that a killed process left in the log into the tables. @throws FileFault */
  constructor(opened: OpenedFiles, options: BotStoreOptions) {
    const { connection, rows, log } = opened;
    const { file, thread = true } = options;
    this.#options = options;
    this.#opened = opened;
    this.#assertFileInPlace = createInPlaceCheck(file);
    // An error of the thread, such as a full disk, also occurs in the next append.
    if (thread && log !== undefined) {
      this.#thread = new CheckpointLink(file, ({ hasFailed }) => this.#onCheckpointTask(hasFailed));
    }
    this.#counter = new CommitCounter(connection);
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#rollback = connection.prepare('ROLLBACK');
    if (log !== undefined && log.waitingEntries.length > 0) {
      this.write(() => {
        rows.writeLogEntries(log.waitingEntries, log.last, undefined);
        rows.recoverAccount();
      });
    }
    this.#lastSigned = rows.signed.lastOrder();
  }

  /** Whether the store is open and no write has failed. */
  get isUsable(): boolean {
    return this.#fault === undefined && !this.#isClosed;
  }

  /** @throws FileFault if the files were removed or replaced. Every later write throws the same fault */
  assertInPlace(): void {
    const log = this.#opened.log;
    if (log === undefined) return;
    this.#attempt(() => {
      this.#assertFileInPlace();
      log.assertInPlace();
    });
  }

  /** @throws an earlier error, or Fault STORE_CLOSED */
  throwIfFailed(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isClosed) throw new Fault('STORE_CLOSED', `${this.#options.file}: the bot's store was closed`);
  }

  /** Stores an entry, durably across process crashes. @throws FileFault, or an earlier error */
  store(steps: readonly Step[], signed: readonly SignedRecord[], streamPosition: number): void {
    const entry = { steps, signed, streamPosition, risk: this.#riskAfter(steps) };
    const log = this.#mustReachTables(signed) ? undefined : this.#opened.log;
    if (log === undefined) {
      this.flush();
      this.#writeEntries([entry], () => this.#opened.rows.writeEntries([entry], this.source));
    } else {
      this.#attempt(() => log.append(entry));
      this.#waiting.push(entry);
      if (this.#waiting.length >= MAX_WAITING) this.flush();
    }
    for (const { order } of signed) this.#lastSigned = Math.max(this.#lastSigned, order);
  }

  /** Writes waiting entries to the tables at the end of the event loop turn. Orders do not wait for this write. */
  flushLater(): void {
    if (this.#isFlushScheduled || this.#waiting.length === 0) return;
    this.#isFlushScheduled = true;
    void nextEventLoopTurn().then(() => {
      this.#isFlushScheduled = false;
      this.#flushUnlessRestarting();
    });
  }

  /** Writes waiting entries to the tables. @throws FileFault, or an earlier error */
  flush(): void {
    const log = this.#opened.log;
    const entries = this.#waiting;
    if (log === undefined || entries.length === 0) return;
    this.#writeEntries(entries, () => this.#opened.rows.writeLogEntries(entries, log.last, this.source));
  }

  /** @throws FileFault, or an earlier error */
  storeSnapshot(source: BotSource, time: number, streamPosition: number): void {
    this.write(() => this.#writeSnapshot(source, time, streamPosition));
  }

  /** Runs `work` in a transaction and commits it. @throws FileFault for a failed write, or an earlier error */
  write<T>(work: () => T): T {
    return this.#attempt(() =>
      withSqliteFaults(this.#options.file, 'written', () => {
        this.#begin.run();
        if (this.#phase === 'restarting') this.#phase = 'interrupted';
        const result = work();
        const { lastStoredEntry } = this.#opened.rows;
        this.#counter.count(lastStoredEntry);
        this.#commit.run();
        this.#counter.onCommitted(lastStoredEntry);
        this.#opened.mark?.acknowledgeCommits(this.#counter.commits);
        return result;
      }),
    );
  }

  /** Counts committed rows, and starts a checkpoint after `ROWS_PER_CHECKPOINT`. */
  countRows(rows: number): void {
    this.#rowsSinceCheckpoint += rows;
    if (this.#rowsSinceCheckpoint < ROWS_PER_CHECKPOINT || this.#phase !== 'idle') return;
    this.#rowsSinceCheckpoint = 0;
    this.#phase = 'copying';
    if (this.#thread === undefined) this.#finishCheckpoint();
    else this.#thread.begin('copy');
  }

  /** Removes the log if all entries are in the tables. Keeps it after an error. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
    this.#opened.connection.close();
    this.#opened.log?.close(this.#waiting.length > 0 || this.#fault !== undefined);
  }

  /**
   * Returns the risk state to store with these steps; undefined if they are only requotes. Requotes change only the
   * equity, which `storeState` writes about once a second.
   */
  #riskAfter(steps: readonly Step[]): string | undefined {
    if (this.source === undefined) return undefined;
    const isRequote = steps.every(({ event, refused }) => event === undefined && refused.length === 0);
    return isRequote ? undefined : JSON.stringify(this.source.risk());
  }

  /**
   * Returns whether an entry must be written to the tables at once. Only the tables refuse an order number that
   * was signed before, and only a snapshot records the end of a market.
   */
  #mustReachTables(signed: readonly SignedRecord[]): boolean {
    if (this.source !== undefined && this.source.account.resolutionCount !== this.#resolutionCount) return true;
    let last = this.#lastSigned;
    for (const { order } of signed) {
      if (order <= last) return true;
      last = order;
    }
    return false;
  }

  /** Writes entries. Adds a snapshot after adjusted holdings, because no step contains the prices of the holdings. */
  #writeEntries(entries: readonly LogEntry[], write: () => void): void {
    this.write(() => {
      write();
      const source = this.source;
      if (source === undefined) return;
      const { stepsSinceSnapshot, streamPosition } = this.#opened.rows;
      const needsSnapshot =
        stepsSinceSnapshot >= (this.#options.snapshotEvery ?? 20_000) ||
        this.#resolutionCount !== source.account.resolutionCount ||
        entries.some(({ steps }) => steps.some(({ event }) => event?.type === 'holdingAdjusted'));
      if (needsSnapshot) this.#writeSnapshot(source, entries.at(-1)?.steps.at(-1)?.time ?? 0, streamPosition);
    });
    // If the transaction fails, the entries keep waiting, because only the log contains them.
    this.#waiting = [];
    this.countRows(entries.reduce((count, { steps, signed }) => count + steps.length + signed.length, 0));
  }

  #writeSnapshot(source: BotSource, time: number, streamPosition: number): void {
    this.#opened.rows.writeSnapshot(source, time, streamPosition);
    this.#resolutionCount = source.account.resolutionCount;
  }

  /** Writes waiting entries to the tables, unless there was an error or the WAL is restarting. */
  #flushUnlessRestarting(): void {
    if (this.#phase !== 'restarting') this.#runDeferred(() => this.flush());
  }

  #onCheckpointTask(hasFailed: boolean): void {
    if (hasFailed || this.#phase === 'interrupted') {
      // Finish on this thread, because on a slow disk the checkpoint thread would never reach the end of the WAL.
      this.#finishCheckpoint();
    } else if (this.#phase === 'copying' && this.isUsable) {
      this.#emptyLog();
      this.#phase = 'restarting';
      this.#thread?.begin('restart');
    } else {
      this.#phase = 'idle';
      this.#flushUnlessRestarting();
    }
  }

  /** Finishes a checkpoint on this thread. A concurrent reader can delay the last part to the next checkpoint. */
  #finishCheckpoint(): void {
    this.#emptyLog();
    this.#runDeferred(() => this.#attempt(() => this.#opened.connection.pragma('wal_checkpoint(PASSIVE)')));
    this.#phase = 'idle';
  }

  /** Writes all entries to the tables, then empties the log. Does not sync: a power cut can lose the last entries. */
  #emptyLog(): void {
    this.#runDeferred(() => {
      this.flush();
      this.#attempt(() => this.#opened.log?.empty());
    });
  }

  /** Runs `work` while no caller waits. If `work` fails, the next write throws the error. */
  #runDeferred(work: () => void): void {
    if (!this.isUsable) return;
    try {
      work();
    } catch (error) {
      if (this.isUsable) throw error;
    }
  }

  /**
   * Runs `work`. After an error, no further work runs.
   * @throws an error of `work`, an earlier error, or Fault STORE_CLOSED
   */
  #attempt<T>(work: () => T): T {
    this.throwIfFailed();
    try {
      return work();
    } catch (error) {
      this.#fault = toError(error);
      if (this.#opened.connection.open && this.#opened.connection.inTransaction) this.#rollback.run();
      throw this.#fault;
    }
  }
}
