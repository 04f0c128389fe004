/** Port that stores commands as numbered records. A batch of records becomes durable as a whole, or not at all. */
import type { EpochMs, Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';
import type { ExchangeSink } from '../sink.ts';
import type { Hash, StateWriter } from '../state-writer.ts';

export interface JournalBatch {
  /** Number of the first record. */
  readonly first: number;
  /** Number of records, at least 1. */
  readonly count: number;
  /** Output of `BatchWriter`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The whole state after a record. */
export interface Snapshot {
  /** Number of the record. */
  readonly sequence: number;
  /** Hash of the state, compared after a restore. */
  readonly hash: Hash;
  /** Output of `SnapshotWriter`. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

/** Called once, in the order of the writes, perhaps before the write returns. A fault means that the write failed. */
export type OnDurable = (fault: Fault | undefined) => void;

export interface Journal {
  /** The journal's file, for messages. */
  readonly name: string;
  /** The oldest readable record; `last + 1` if there is none. */
  readonly first: number;
  /** The last record that is durable or in a snapshot; 0 if there is none. */
  readonly last: number;
  /** The `sequence` of each usable snapshot, newest first. */
  readonly snapshots: readonly number[];
  /**
   * Appends a batch. Append no other batch, and do not change the bytes, before `onDurable` is called. After a fault,
   * each later batch gets the same fault.
   */
  append(batch: JournalBatch, onDurable: OnDurable): void;
  /** Reads all batches from record `from` on. @throws Fault if `from` is before `first`, or for a damaged batch */
  read(from: number): Iterable<JournalBatch>;
  /** Reads the snapshot after a record. @throws Fault if the snapshot is missing or damaged */
  readSnapshot(sequence: number): Snapshot;
  /** Excludes an unusable snapshot from `snapshots`. */
  markUnusable(sequence: number): void;
  /**
   * Stores a snapshot of durable state, one at a time. Then deletes the records and snapshots that neither the new nor
   * the previous snapshot needs. A fault here does not stop `append`.
   */
  saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void;
}

/** A deterministic machine, such as `Exchange`, whose state changes exactly when it emits an event. */
export interface StateMachine {
  /** Number and time of the last event, epoch ms; 0 before the first. */
  readonly view: { readonly seq: number; readonly now: EpochMs };
  /** Applies a command synchronously. @throws only if an invariant is broken */
  apply(command: ExchangeCommand, sink: ExchangeSink): void;
  /** Returns the hash of `writeState`'s output. */
  stateHash(): Hash;
  writeState(writer: StateWriter): void;
}
