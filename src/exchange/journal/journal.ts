/**
 * Stores commands so that no acknowledged command is lost. An asynchronous port: callbacks answer the calls in order,
 * perhaps at once. `SqliteJournal` in `store/` implements it.
 *
 * Records are numbered 1, 2, 3 … One record is one command. They come in batches: a batch becomes durable as a whole,
 * or is gone as a whole when the machine dies before.
 */
import type { EpochMs, Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';
import type { ExchangeSink } from '../sink.ts';
import type { Hash } from '../state-hash.ts';
import type { StateWriter } from '../state-writer.ts';

/** Records in a row. */
export interface JournalBatch {
  /** The number of its first record. */
  readonly first: number;
  /** Number of records, at least 1. */
  readonly count: number;
  /** What `BatchWriter` wrote. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A whole state after a record. */
export interface Snapshot {
  /** The last record that is in it. */
  readonly sequence: number;
  /** Digest of the state, compared after a restore. */
  readonly hash: Hash;
  /** What `SnapshotWriter` wrote. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

/** Called once: without a fault when it is durable, else with the reason why it is not and never will be. */
export type OnDurable = (fault: Fault | undefined) => void;

/** Stores records and snapshots. */
export interface Journal {
  /** Its name for people: a folder. */
  readonly name: string;
  /** The oldest record that can be read; `last + 1` when there is none. */
  readonly first: number;
  /** The last record that is durable, or that a snapshot contains; 0 when there is none. */
  readonly last: number;
  /** The records in which the snapshots end that can be tried, newest first. */
  readonly snapshots: readonly number[];
  /**
   * Adds a batch behind the last one. One at a time: the next one when this one is durable. The bytes may not
   * change until then. After a fault every further one gets the same fault.
   */
  append(batch: JournalBatch, onDurable: OnDurable): void;
  /**
   * All batches from the one with record `from` on.
   * @throws Fault when `from` is older than `first`, or at what is damaged
   */
  read(from: number): Iterable<JournalBatch>;
  /** The snapshot that ends in a record. @throws Fault when it is not there or damaged */
  readSnapshot(sequence: number): Snapshot;
  /** A snapshot was unusable: it is ignored from now on. */
  setAside(sequence: number): void;
  /**
   * Stores a snapshot of durable state, one at a time, then deletes the records and snapshots that neither it nor the
   * one before it needs. A fault here does not stop the records.
   */
  saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void;
}

/**
 * What can be journalled: an `Exchange`. The same commands in the same order bring it to the same state, and its state changes
 * exactly when it has an event.
 */
export interface StateMachine {
  /** The number of the last event and its time in epoch milliseconds; 0 before the first. */
  readonly view: { readonly seq: number; readonly now: EpochMs };
  /** Synchronous. What it throws is a broken invariant. */
  apply(command: ExchangeCommand, sink: ExchangeSink): void;
  /** Hash of the whole state that `writeState` writes. */
  stateHash(): Hash;
  /** Writes all that a restart needs. */
  writeState(writer: StateWriter): void;
}
