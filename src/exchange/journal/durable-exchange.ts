/**
 * An exchange with durable commands: apply several commands, then commit them as one batch of the journal.
 *
 * Invariants: a command is journalled exactly when it has an event, that is, when it changes the state
 * (engine/state.ts). A refused command is journalled if it processed a due deadline; a replay refuses it again. Only
 * one commit runs at a time, and no command is applied meanwhile. When `commit` calls back, the exchange's state equals
 * the durable state: acknowledge commands only then. After a fault of the journal or a broken invariant, the exchange
 * stops. The process must then exit, and recovery restores the durable state.
 */
import { monotonic, type Stopwatch } from '../../clock/index.ts';
import type { Fault } from '../../domain/index.ts';
import type { Projector } from '../archive/projector.ts';
import type { ExchangeCommand } from '../command.ts';
import { WHOLE_COMMAND } from '../engine/event-sequencer.ts';
import type { Refusal } from '../refusal.ts';
import { BatchWriter } from './batch-codec.ts';
import { type AppliedCommand, EventRecorder } from './event-recorder.ts';
import type { Journal, OnDurable, Snapshot, StateMachine } from './journal.ts';
import { takeSnapshot } from './snapshot-writer.ts';

export interface DurableExchangeOptions {
  readonly machine: StateMachine;
  /** Must end at the machine's last record. Either both are new, or `recover` has restored the machine. */
  readonly journal: Journal;
  /** Creates the rows of each command, which the journal's store writes with the batch. Default: no rows. */
  readonly projector?: Projector;
  /** Records between snapshots, which block the exchange (bench/journal.ts). Default 0: only on `snapshot()`. */
  readonly snapshotEvery?: number;
  /** Records between two hashes of the whole state in the journal. Default 0: only the first batch has a hash. */
  readonly hashEvery?: number;
  /**
   * Maximum milliseconds between the last event and a command; default 366 days. A later command is refused
   * (ABOVE_MAX), because the exchange's clock cannot run backwards after an error. The first event may be at any time.
   */
  readonly maxTimeStep?: number;
  /** Called if the journal could not store a snapshot. The exchange tries again at the next snapshot. */
  readonly onSnapshotFault?: (fault: Fault) => void;
  /** Default: the process's monotonic stopwatch. */
  readonly stopwatch?: Stopwatch;
}

/** Default of `maxTimeStep`, ms. */
export const MAX_TIME_STEP: number = 366 * 86_400_000;

export class DurableExchange {
  /** Called after each durable batch, with its duration in milliseconds and its number of records. */
  onCommit: (ms: number, records: number) => void = () => {};
  readonly #options: DurableExchangeOptions;
  readonly #machine: StateMachine;
  readonly #recorder: EventRecorder;
  readonly #stopwatch: Stopwatch;
  readonly #records = new BatchWriter();
  /** Number of the last record that is durable or being committed. */
  #sequence: number;
  /** Start of the current commit; undefined if there is none. */
  #commitBegan: number | undefined;
  #isSavingSnapshot = false;
  #isSnapshotRequested = false;
  #lastSnapshot: number;
  #lastHash: number;
  #stopped: { readonly cause: unknown } | undefined;

  /** @throws RangeError if only one of machine and journal is new, because then the machine was not recovered */
  constructor(options: DurableExchangeOptions) {
    const { machine, journal } = options;
    if ((machine.view.seq === 0) !== (journal.last === 0)) {
      throw new RangeError(`Invariant: ${machine.view.seq} events, but ${journal.last} records in ${journal.name}`);
    }
    this.#options = options;
    this.#machine = machine;
    this.#recorder = new EventRecorder(options.projector);
    this.#stopwatch = options.stopwatch ?? monotonic;
    this.#sequence = journal.last;
    this.#lastSnapshot = journal.snapshots[0] ?? 0;
    this.#lastHash = this.#sequence;
  }

  /** Number of the last applied record. */
  get sequence(): number {
    return this.#sequence + (this.#commitBegan === undefined ? this.#records.count : 0);
  }

  /** Milliseconds since the current commit began; 0 if there is none. */
  get commitMs(): number {
    return this.#commitBegan === undefined ? 0 : this.#stopwatch() - this.#commitBegan;
  }

  /** Applies a command, which must not be changed before its commit. @throws like `commit` */
  apply(command: ExchangeCommand): AppliedCommand {
    this.#assertReady();
    const { view } = this.#machine;
    const before = view.seq;
    const applied: AppliedCommand = { command, events: [], isRefused: false, hasChanged: false, at: view.now };
    try {
      this.#recorder.begin(applied);
      const refusal = this.#refusal(command);
      if (refusal === undefined) this.#machine.apply(command, this.#recorder);
      else this.#recorder.refused(WHOLE_COMMAND, refusal);
      this.#recorder.end();
      applied.at = view.now;
      applied.hasChanged = view.seq !== before;
      if (applied.hasChanged) this.#records.add(command);
    } catch (cause) {
      this.#stopped = { cause };
      throw cause;
    }
    return applied;
  }

  /** Commits all applied commands. @throws the cause that stopped the exchange; RangeError during a commit */
  commit(done: OnDurable): void {
    this.#assertReady();
    const { journal } = this.#options;
    const { count } = this.#records;
    const first = this.#sequence + 1;
    try {
      this.#sequence += count;
      if (count === 0) {
        done(undefined);
        return;
      }
      const snapshot = this.#takeDueSnapshot();
      const batch = this.#records.end(first, this.#machine.view.seq, this.#computeDueHash(first));
      this.#commitBegan = this.#stopwatch();
      journal.append(batch, (fault) => this.#onAppended(fault, snapshot, done));
    } catch (cause) {
      // The hash or the snapshot failed.
      this.#stopped ??= { cause };
      throw cause;
    }
  }

  /** Takes a snapshot now, or with the next commit if commands wait. @throws the cause that stopped the exchange */
  snapshot(): void {
    if (this.#stopped !== undefined) throw this.#stopped.cause;
    this.#isSnapshotRequested = true;
    this.#saveSnapshotIfIdle();
  }

  #assertReady(): void {
    if (this.#stopped !== undefined) throw this.#stopped.cause;
    if (this.#commitBegan !== undefined) throw new RangeError('Invariant: a commit is under way');
  }

  /** Refuses a command that must not reach the machine. */
  #refusal(command: ExchangeCommand): Refusal | undefined {
    if (command === null || command === undefined) return { reason: 'INVALID_ORDER', field: 'type' };
    const { maxTimeStep = MAX_TIME_STEP } = this.#options;
    const { now } = this.#machine.view;
    const limit = now + maxTimeStep;
    // The exchange itself refuses an invalid time.
    const { time } = command;
    if (now === 0 || !Number.isSafeInteger(time) || time <= limit) return undefined;
    return { reason: 'ABOVE_MAX', field: 'time', limit, value: time, unit: 'MILLISECONDS' };
  }

  #onAppended(fault: Fault | undefined, snapshot: Snapshot | undefined, done: OnDurable): void {
    const ms = this.commitMs;
    const { count } = this.#records;
    this.#commitBegan = undefined;
    this.#records.clear();
    if (fault !== undefined) this.#stopped = { cause: fault };
    else {
      this.onCommit(ms, count);
      if (snapshot !== undefined) this.#saveSnapshot(snapshot);
      else this.#saveSnapshotIfIdle();
    }
    done(fault);
  }

  /** Computes a hash if it is due. The first batch always has one, to detect a replay with another configuration. */
  #computeDueHash(first: number): string | undefined {
    const { hashEvery = 0 } = this.#options;
    const isDue = hashEvery !== 0 && this.#sequence - this.#lastHash >= hashEvery;
    if (!isDue && first !== 1) return undefined;
    this.#lastHash = this.#sequence;
    return this.#machine.stateHash();
  }

  #takeDueSnapshot(): Snapshot | undefined {
    const { snapshotEvery = 0 } = this.#options;
    const isDue = snapshotEvery > 0 && this.#sequence - this.#lastSnapshot >= snapshotEvery;
    if (this.#isSavingSnapshot || !(isDue || this.#isSnapshotRequested)) return undefined;
    this.#isSavingSnapshot = true;
    this.#isSnapshotRequested = false;
    this.#lastSnapshot = this.#sequence;
    return takeSnapshot(this.#machine, this.#sequence);
  }

  #saveSnapshotIfIdle(): void {
    if (!this.#isSnapshotRequested || this.#records.count > 0 || this.#stopped !== undefined) return;
    try {
      const snapshot = this.#takeDueSnapshot();
      if (snapshot !== undefined) this.#saveSnapshot(snapshot);
    } catch (cause) {
      this.#stopped = { cause };
      throw cause;
    }
  }

  #saveSnapshot(snapshot: Snapshot): void {
    this.#options.journal.saveSnapshot(snapshot, (fault) => {
      this.#isSavingSnapshot = false;
      if (fault !== undefined) this.#options.onSnapshotFault?.(fault);
      this.#saveSnapshotIfIdle();
    });
  }
}
