/** Messages to the writer: one message is one transaction. All of it is data that can be sent between threads. */
import type { RegistryTableName, RowBatch } from '../../exchange/index.ts';
import type { KeyPart } from './order-keys.ts';
import type { SqliteTrouble } from './sqlite-fault.ts';

/** A batch of the journal with what belongs to it, or changes of the registry alone. */
export interface Commit {
  readonly type: 'commit';
  readonly batch:
    | { readonly first: number; readonly count: number; readonly bytes: Uint8Array<ArrayBuffer> }
    | undefined;
  readonly rows: RowBatch | undefined;
  readonly keys: KeyPart | undefined;
  readonly changes: readonly StoredChange[];
}

/** A row of the registry; null takes it away. */
export interface StoredChange {
  readonly table: RegistryTableName;
  readonly key: string;
  readonly value: string | null;
}

/** A part of a snapshot, which counts for nothing before its end is there. */
export interface SnapshotPiece {
  readonly type: 'piece';
  readonly sequence: number;
  readonly piece: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A snapshot is whole. */
export interface SnapshotEnd {
  readonly type: 'snapshot';
  readonly sequence: number;
  readonly hash: string;
  readonly pieces: number;
  readonly crc: number;
}

/** A snapshot is not tried again. */
export interface SnapshotAside {
  readonly type: 'aside';
  readonly sequence: number;
}

/** Removes a bounded part of the rows that are no longer needed; the answer says if there are more. */
export interface Prune {
  readonly type: 'prune';
  /** Records before it; 0 for none. */
  readonly records: number;
  /** Snapshots and their pieces before it; 0 for none. */
  readonly snapshots: number;
  /** Order events before this id, as far as their whole block is; 0 for none. */
  readonly events: number;
}

/** Moves the log into the database. */
interface Checkpoint {
  readonly type: 'checkpoint';
}

export type WriterMessage = Commit | SnapshotPiece | SnapshotEnd | SnapshotAside | Prune | Checkpoint;

/** Result of a message. `hasMore` is only meaningful for a prune. */
export type WriterAnswer =
  | { readonly trouble: undefined; readonly hasMore: boolean }
  | { readonly trouble: SqliteTrouble };

/** Called with the writer's answer to a message. */
export type Answered = (answer: WriterAnswer) => void;

/** Sends messages to the writer. Answers come in the order of the messages, perhaps at once. */
export interface WriterLink {
  send(message: WriterMessage, answered: Answered): void;
  /** Resolves when all messages are answered. */
  close(): Promise<void>;
}

/** Messages to the writer's thread. */
export type ThreadMessage = WriterMessage | { readonly type: 'close' };
