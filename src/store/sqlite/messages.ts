/** Messages to the writer, which can be sent between threads. Each message is one transaction. */
import type { RegistryTableName, RowBatch } from '../../exchange/index.ts';
import type { KeyPart } from './order-keys.ts';
import type { SqliteProblem } from './sqlite-fault.ts';

/** A batch of the journal with its rows, keys and registry changes, or only registry changes. */
export interface Commit {
  readonly type: 'commit';
  readonly batch:
    | { readonly first: number; readonly count: number; readonly bytes: Uint8Array<ArrayBuffer> }
    | undefined;
  readonly rows: RowBatch | undefined;
  readonly keys: KeyPart | undefined;
  readonly changes: readonly StoredChange[];
}

/** A change of the registry; a null value removes the row. */
export interface StoredChange {
  readonly table: RegistryTableName;
  readonly key: string;
  readonly value: string | null;
}

/** A piece of a snapshot, which is valid only after its `SnapshotEnd`. */
export interface SnapshotPiece {
  readonly type: 'piece';
  readonly sequence: number;
  readonly piece: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface SnapshotEnd {
  readonly type: 'snapshot';
  readonly sequence: number;
  readonly hash: string;
  readonly pieces: number;
  readonly crc: number;
}

export interface MarkSnapshotUnusable {
  readonly type: 'mark-unusable';
  readonly sequence: number;
}

/** Removes a bounded number of rows that are no longer needed. The answer states whether more remain. */
export interface Prune {
  readonly type: 'prune';
  /** Removes journal batches that end before this record; 0 for none. */
  readonly records: number;
  /** Removes snapshots and their pieces before this sequence number; 0 for none. */
  readonly snapshots: number;
  /** Removes order events and complete blocks of events before this id; 0 for none. */
  readonly events: number;
}

export type WriterMessage =
  | Commit
  | SnapshotPiece
  | SnapshotEnd
  | MarkSnapshotUnusable
  | Prune
  | { readonly type: 'checkpoint' };

/** Result of a message. `hasMore` says whether rows to prune remain; it is false for messages except `prune`. */
export type WriterAnswer =
  | { readonly problem: undefined; readonly hasMore: boolean }
  | { readonly problem: SqliteProblem };

export type OnAnswer = (answer: WriterAnswer) => void;

/** Sends messages to the writer. Answers come in the order of the messages, possibly before `send` returns. */
export interface WriterLink {
  send(message: WriterMessage, onAnswer: OnAnswer): void;
  /** Resolves when all messages are answered. */
  close(): Promise<void>;
}

export type ThreadMessage = WriterMessage | { readonly type: 'close' };
