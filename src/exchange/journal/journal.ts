/**
 * Where commands are kept so that nothing that was acknowledged is ever lost. A port without waiting: who asks is called
 * back, in the order of the questions and perhaps at once. `SqliteJournal` in `store/` implements it.
 *
 * Records are numbered 1, 2, 3 … One record is one command. They come in batches: a batch becomes durable as a whole, or
 * is gone as a whole when the machine dies before.
 */
import type { Fault } from '../../domain/index.ts';
import type { Hash } from '../state-hash.ts';

/** Records in a row. */
export interface JournalBatch {
  /** The number of its first record. */
  readonly first: number;
  /** How many records there are; at least one. */
  readonly count: number;
  /** What `BatchWriter` wrote. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A whole state after a record. */
export interface Snapshot {
  /** The last record that is in it. */
  readonly sequence: number;
  /** Of the state, to be compared after it was restored. */
  readonly hash: Hash;
  /** What `SnapshotWriter` wrote. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

/** Told once: nothing when it is durable, else why it is not and never will be. */
export type Durable = (fault: Fault | undefined) => void;

/** Keeps records and snapshots. */
export interface Journal {
  /** What people know it by: a folder. */
  readonly name: string;
  /** The oldest record that can be read; `last + 1` when there is none. */
  readonly first: number;
  /** The last record that is durable, or that a snapshot contains; 0 when there is none. */
  readonly last: number;
  /** The records in which the snapshots end that can be tried, newest first. */
  readonly snapshots: readonly number[];
  /**
   * Adds a batch behind the last one. One at a time: the next one when this one was told durable. The bytes may not
   * change until then. After a fault every further one gets the same fault.
   */
  append(batch: JournalBatch, durable: Durable): void;
  /**
   * All batches from the one with record `from` on.
   * @throws Fault when `from` is older than `first`, or at what is damaged
   */
  read(from: number): Iterable<JournalBatch>;
  /** The snapshot that ends in a record. @throws Fault when it is not there or damaged */
  readSnapshot(sequence: number): Snapshot;
  /** A snapshot was of no use: it is not tried again and counts for nothing. */
  setAside(sequence: number): void;
  /**
   * Keeps a snapshot of what is durable already, one at a time; then lets go of the records and snapshots that neither
   * it nor the one before it needs. A fault here is no fault of the records: they go on.
   */
  saveSnapshot(snapshot: Snapshot, durable: Durable): void;
}
