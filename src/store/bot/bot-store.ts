/**
 * A bot's file: its steps, signed orders, snapshots, and rows for status queries. The file is a SQLite database behind
 * a log (`<file>-intents`). The log makes an entry durable with one system call.
 *
 * Acknowledged data is durable across process crashes. A power cut can lose the last moments (`synchronous = NORMAL`),
 * and reconciliation with the venue restores this data. An entry has steps, the signed orders that follow at once
 * (`appendDeferred`), the position in the venue's event stream and the risk gate's state. One transaction writes an
 * entry to the tables.
 *
 * The tables are written at the end of the event loop turn. A running checkpoint delays the write by some milliseconds.
 * Until then, a reader outside the process does not see the entries. A query of the store first writes the tables. The
 * next open writes a killed process's entries to the tables.
 *
 * HOT: `appendDeferred` and `addSigned` are on the path of every order (bench/bot-store.ts).
 * Invariant: steps that change nothing (see `isStored`) are not stored. Their numbers stay unused.
 */
import { monotonic } from '../../clock/index.ts';
import type { EpochMs, OrderNo } from '../../domain/index.ts';
import {
  checkConsecutive,
  type EventStore,
  type Gap,
  type OrderRecords,
  type RecoveryReport,
  type SignedRecord,
  type Step,
  type StoredCash,
  type StoredRun,
  type StoredTrade,
} from '../../runtime/index.ts';
import { withSqliteFaults } from '../sqlite/database.ts';
import { endUse, removeMarkAfterUse } from '../sqlite/database-use.ts';
import { readCash } from './account-rows.ts';
import type { BotRows, BotSource } from './bot-rows.ts';
import { closeGaps, readOpenGap } from './gaps.ts';
import { type BotStoreOptions, type OpenedFiles, openFiles } from './open-files.ts';
import { readReversedTrades, readTrades } from './order-rows.ts';
import { type PrunedRows, Pruning } from './pruning.ts';
import { isStored } from './step-rows.ts';
import { WriteBehind } from './write-behind.ts';

export class BotStore implements EventStore, OrderRecords {
  readonly file: string;
  /** Whether the configuration differs from the last start's configuration. */
  readonly isSpecChanged: boolean;
  /** Missing data of earlier runs when the file was opened; undefined if the file was complete. */
  readonly gap: Gap | undefined;
  readonly #opened: OpenedFiles;
  readonly #writeBehind: WriteBehind;
  /** Called after each synchronous durable write, with its duration in ms. */
  onWritten: ((ms: number) => void) | undefined;
  /** Steps that wait for their signed orders. */
  #pending: Step[] = [];
  /** Number of the last appended step, stored or not. */
  #lastStep = 0;
  /** Stored position in the venue's stream. */
  #streamPosition: number;
  /** Position that the next write stores. */
  #positionToStore: number;

  private constructor(options: BotStoreOptions, opened: OpenedFiles) {
    const { reads, rows } = opened;
    this.file = options.file;
    this.#opened = opened;
    this.isSpecChanged = rows.isSpecChanged;
    this.#writeBehind = new WriteBehind(opened, options);
    this.gap = readOpenGap(reads);
    this.#streamPosition = rows.streamPosition;
    this.#positionToStore = rows.streamPosition;
  }

  /**
   * Opens a file, or creates a missing one. The caller must hold the lease.
   * @throws FileFault if the file or its log is damaged, belongs to another program or bot, or has a later version.
   *   Also throws it if acknowledged data is missing without a power cut
   */
  static open(options: BotStoreOptions): BotStore {
    return openFiles(options, (opened) => new BotStore(options, opened));
  }

  /** Returns the state of the last run; undefined in a new file. @throws FileFault for an unreadable file */
  storedRun(): StoredRun | undefined {
    return this.#read((rows) => rows.storedRun());
  }

  /** Sets the source of later states, and stores a snapshot for the next start. @param time time of the snapshot */
  setSource(source: BotSource, time: number): void {
    this.#flush();
    this.#writeBehind.source = source;
    this.#storeSnapshot(source, time);
    // After a power cut, orders can be missing only from this snapshot on.
    withSqliteFaults(this.file, 'written', () => this.#opened.connection.pragma('wal_checkpoint(PASSIVE)'));
  }

  /** Records that the venue supplied the missing data. @param time current time */
  closeGap(time: number): void {
    if (this.gap !== undefined) this.#writeBehind.write(() => closeGaps(this.#opened.reads, time));
  }

  /** Stores the report of the last start or recovery. @throws FileFault */
  storeRecovery(report: RecoveryReport): void {
    this.#writeBehind.write(() => this.#opened.rows.writeRecovery(report));
  }

  get streamPosition(): number {
    return this.#streamPosition;
  }

  get epoch(): number {
    return this.#opened.rows.epoch;
  }

  append(steps: readonly Step[], position?: number): void {
    this.appendDeferred(steps, position);
    this.flushDeferred();
  }

  appendDeferred(steps: readonly Step[], position = 0): void {
    this.#writeBehind.throwIfFailed();
    const last = checkConsecutive(this.#lastStep, steps);
    this.advanceStreamPosition(position);
    for (const step of steps) if (isStored(step)) this.#pending.push(step);
    this.#lastStep = last;
  }

  flushDeferred(): void {
    if (this.#pending.length > 0) this.#store([]);
    this.#writeBehind.flushLater();
  }

  onRunFailed(): void {
    this.#writeBehind.source = undefined;
  }

  addSigned(rows: readonly SignedRecord[]): void {
    this.#writeBehind.throwIfFailed();
    const hasDeferred = this.#pending.length > 0;
    if (rows.length > 0 || hasDeferred) this.#store(rows);
    // After deferred steps, the caller must call `flushDeferred`.
    if (!hasDeferred) this.#writeBehind.flushLater();
  }

  unfinishedOrders(): readonly SignedRecord[] {
    return this.#read(({ signed }) => signed.unfinishedOrders());
  }

  findByHash(hash: string): SignedRecord | undefined {
    return this.#read(({ signed }) => signed.findByHash(hash));
  }

  findByNumber(order: OrderNo): SignedRecord | undefined {
    return this.#read(({ signed }) => signed.findByNumber(order));
  }

  trades(max: number): readonly StoredTrade[] {
    return this.#read(() => readTrades(this.#opened.reads, max));
  }

  reversedTrades(max: number): readonly string[] {
    return this.#read(() => readReversedTrades(this.#opened.connection, max));
  }

  cash(since: EpochMs): StoredCash {
    return this.#read(() => readCash(this.#opened.reads, since));
  }

  advanceStreamPosition(position: number): void {
    if (position > this.#positionToStore) this.#positionToStore = position;
  }

  resetStreamPosition(position: number): void {
    this.#positionToStore = position;
  }

  setEpoch(epoch: number): void {
    if (epoch === this.#opened.rows.epoch) return;
    this.#flush();
    this.#opened.rows.epoch = epoch;
    this.#writeProgress(this.#opened.rows.risk);
  }

  /**
   * Writes the changed state of the risk gate and all pending data. Call it about once a second.
   * @throws FileFault, also if the files were removed or replaced
   */
  storeState(): void {
    const { source } = this.#writeBehind;
    if (source === undefined) return;
    this.#writeBehind.assertInPlace();
    this.#flush();
    const risk = JSON.stringify(source.risk());
    if (risk === this.#opened.rows.risk && this.#positionToStore === this.#streamPosition) return;
    this.#writeProgress(risk);
  }

  /**
   * Returns a function that removes the next slice of rows older than `before` in one transaction, and returns their
   * counts. The function returns undefined after the last slice, and in a closed store. Call it while the bot is idle.
   * @throws FileFault
   */
  beginPruning(before: EpochMs): () => PrunedRows | undefined {
    const pruning = withSqliteFaults(this.file, 'read', () => new Pruning(this.#opened.reads, before));
    return () => {
      if (!this.#writeBehind.isUsable) return undefined;
      const rows = this.#writeBehind.write(() => pruning.removeSlice());
      if (rows !== undefined) this.#writeBehind.countRows(rows.steps + rows.orders + rows.fills);
      return rows;
    };
  }

  /** Writes a last snapshot for a quick start, and closes the file. A second call does nothing. */
  async close(time: number): Promise<void> {
    const { connection, mark } = this.#opened;
    if (!connection.open) return;
    try {
      const { source } = this.#writeBehind;
      if (this.#writeBehind.isUsable) this.#flush();
      if (source !== undefined && this.#writeBehind.isUsable) this.#storeSnapshot(source, time);
      if (mark !== undefined && this.#writeBehind.isUsable)
        withSqliteFaults(this.file, 'closed', () => endUse(connection));
    } finally {
      await this.#writeBehind.close();
      mark?.close();
      if (mark !== undefined) removeMarkAfterUse(this.file);
    }
  }

  /** Stores the pending steps and their signed orders durably. */
  #store(signed: readonly SignedRecord[]): void {
    const steps = this.#pending;
    this.#pending = [];
    const begunAt = this.onWritten === undefined ? 0 : monotonic();
    this.#writeBehind.store(steps, signed, this.#positionToStore);
    this.#streamPosition = this.#positionToStore;
    this.onWritten?.(monotonic() - begunAt);
  }

  /** Writes pending steps to the log, and waiting entries to the tables. */
  #flush(): void {
    this.flushDeferred();
    this.#writeBehind.flush();
  }

  #storeSnapshot(source: BotSource, time: number): void {
    this.#writeBehind.storeSnapshot(source, time, this.#positionToStore);
    this.#streamPosition = this.#positionToStore;
  }

  #writeProgress(risk: string | null): void {
    this.#writeBehind.write(() => this.#opened.rows.writeProgress(this.#positionToStore, risk));
    this.#streamPosition = this.#positionToStore;
  }

  #read<T>(query: (rows: BotRows) => T): T {
    if (this.#writeBehind.isUsable) this.#flush();
    return withSqliteFaults(this.file, 'read', () => query(this.#opened.rows));
  }
}
