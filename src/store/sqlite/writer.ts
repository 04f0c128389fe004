/**
 * Writes to the database. Each message is a transaction, which is durable when its answer is sent.
 *
 * Invariant: after a failed commit, nothing more is written, because the disk's content is unknown. A failure of
 * another message does not stop later writes.
 */
import { crc32 } from 'node:zlib';
import { CommitCounter } from './commit-stamp.ts';
import { type Connection, connect, MEMORY } from './database.ts';
import { endUse } from './database-use.ts';
import { CommitMarkFile } from './mark-file.ts';
import type {
  Commit,
  MarkSnapshotUnusable,
  Prune,
  SnapshotEnd,
  SnapshotPiece,
  WriterAnswer,
  WriterMessage,
} from './messages.ts';
import { createKeyWriter } from './order-keys.ts';
import { RowCrc } from './row-crc.ts';
import { createRowWriter } from './row-writer.ts';
import { type SqliteProblem, toSqliteProblem } from './sqlite-fault.ts';

/** Maximum number of rows that one prune deletes from a table. The deletion takes some milliseconds. */
const MAX_PRUNED_ROWS = 500;
/** Maximum number of blocks of order events that one prune deletes. */
const MAX_PRUNED_BLOCKS = 250;
/** Maximum number of pieces of snapshots that one prune deletes. A piece has a megabyte. */
const MAX_PRUNED_PIECES = 8;
const CACHE_MB = 128;

export interface WriterOptions {
  readonly file: string;
  /** Maximum number of pages in the file; 0 for no limit. At the limit, writes fail as on a full disk. */
  readonly maxPages: number;
}

/** Computes the checksum of a batch and its number. The number detects batches whose places were swapped. */
export function batchCrc(first: number, bytes: Uint8Array): number {
  return crc32(bytes, first % 4_294_967_296);
}

export class Writer {
  readonly #connection: Connection;
  readonly #write: (message: WriterMessage) => boolean;
  readonly #isConnectionOwned: boolean;
  readonly #mark: CommitMarkFile | undefined;
  #problem: SqliteProblem | undefined;

  /** @param connection connection to use. Default: a new connection. @throws FileFault */
  constructor({ file, maxPages }: WriterOptions, connection?: Connection) {
    this.#isConnectionOwned = connection === undefined;
    this.#connection = connection ?? connect(file, { cacheMb: CACHE_MB });
    // Statement journals need not be durable.
    this.#connection.pragma('temp_store = MEMORY');
    if (maxPages > 0) this.#connection.pragma(`max_page_count = ${maxPages}`);
    this.#mark = file === MEMORY ? undefined : new CommitMarkFile(file);
    this.#write = createMessageHandler(this.#connection, this.#mark);
  }

  handle(message: WriterMessage): WriterAnswer {
    if (this.#problem !== undefined) return { problem: this.#problem };
    try {
      return { problem: undefined, hasMore: this.#write(message) };
    } catch (cause) {
      const problem = toSqliteProblem(cause);
      if (message.type === 'commit') this.#problem = problem;
      return { problem };
    }
  }

  /** Closes the files. Stamps the database as not in use, unless a commit has failed. */
  close(): void {
    try {
      if (this.#mark !== undefined && this.#problem === undefined) endUse(this.#connection);
    } catch (cause) {
      // No acknowledged data is missing. The mark stays, and the next start compares the file with the mark.
      this.#problem = toSqliteProblem(cause);
    }
    this.#mark?.close();
    if (this.#isConnectionOwned) this.#connection.close();
  }
}

/** Returns a function that executes a message as a counted transaction. */
function createMessageHandler(connection: Connection, mark: CommitMarkFile | undefined) {
  const counter = new CommitCounter(connection);
  const counted = <Message>(work: (message: Message) => unknown) => {
    const run = connection.transaction((message: Message, lastEntry: number | undefined) => {
      const hasMore = work(message) === true;
      counter.count(lastEntry);
      return hasMore;
    });
    return (message: Message, lastEntry?: number): boolean => {
      const hasMore = run.immediate(message, lastEntry);
      counter.onCommitted(lastEntry);
      // Write the mark before the answer is sent.
      mark?.acknowledge(counter.commits, counter.lastEntry);
      return hasMore;
    };
  };
  const insert = connection.prepare<[number, number, Uint8Array]>(
    'INSERT OR REPLACE INTO snapshot_pieces VALUES (?, ?, ?)',
  );
  const setUnusable = connection.prepare<[number]>('UPDATE snapshots SET is_usable = 0 WHERE sequence = ?');
  const commit = counted(prepareCommit(connection));
  const piece = counted(({ sequence, piece: at, bytes }: SnapshotPiece) => insert.run(sequence, at, bytes));
  const end = counted(prepareSnapshotEnd(connection));
  const markUnusable = counted(({ sequence }: MarkSnapshotUnusable) => setUnusable.run(sequence));
  const prune = counted(preparePrune(connection));
  return (message: WriterMessage): boolean => {
    switch (message.type) {
      case 'commit':
        // The sender of an empty commit only waits for earlier commits.
        if (!message.batch && !message.rows && !message.keys && message.changes.length === 0) return false;
        return commit(message, message.batch && message.batch.first + message.batch.count - 1);
      case 'piece':
        return piece(message);
      case 'snapshot':
        return end(message);
      case 'mark-unusable':
        return markUnusable(message);
      case 'prune':
        return prune(message);
      case 'checkpoint':
        connection.pragma('wal_checkpoint(PASSIVE)');
        return false;
    }
  };
}

function prepareCommit(connection: Connection): (message: Commit) => void {
  const writeRows = createRowWriter(connection);
  const writeKeys = createKeyWriter(connection);
  const insertBatch = connection.prepare<[number, number, Uint8Array, number]>(
    'INSERT INTO journal VALUES (?, ?, ?, ?)',
  );
  const put = connection.prepare<[string, string, string, number]>(
    'INSERT OR REPLACE INTO registry (name, key, value, crc) VALUES (?, ?, ?, ?)',
  );
  const crc = new RowCrc();
  const remove = connection.prepare<[string, string]>('DELETE FROM registry WHERE name = ? AND key = ?');
  return (message) => {
    if (message.batch !== undefined) {
      const { first, count, bytes } = message.batch;
      insertBatch.run(first, count, bytes, batchCrc(first, bytes));
    }
    if (message.rows !== undefined) writeRows(message.rows);
    if (message.keys !== undefined) writeKeys(message.keys);
    for (const { table, key, value } of message.changes) {
      if (value === null) {
        remove.run(table, key);
        continue;
      }
      for (const text of [table, key, value]) crc.text(text);
      put.run(table, key, value, crc.finish());
    }
  };
}

function prepareSnapshotEnd(connection: Connection): (message: SnapshotEnd) => void {
  const deleteExtraPieces = connection.prepare<[number, number]>(
    'DELETE FROM snapshot_pieces WHERE sequence = ? AND piece >= ?',
  );
  const put = connection.prepare<[number, string, number, number]>(
    'INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, 1)',
  );
  return ({ sequence, hash, pieces, crc }) => {
    deleteExtraPieces.run(sequence, pieces);
    put.run(sequence, hash, pieces, crc);
  };
}

function preparePrune(connection: Connection): (message: Prune) => boolean {
  const bounded = (table: string, key: string, maxRows: number) =>
    connection.prepare<[number]>(
      `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${key} < ? ORDER BY ${key} LIMIT ${maxRows})`,
    );
  const records = connection.prepare<[number]>(
    `DELETE FROM journal WHERE first IN (SELECT first FROM journal WHERE first + count <= ?
      ORDER BY first LIMIT ${MAX_PRUNED_ROWS})`,
  );
  const snapshots = connection.prepare<[number]>('DELETE FROM snapshots WHERE sequence < ?');
  const pieces = connection.prepare<[number]>(
    `DELETE FROM snapshot_pieces WHERE rowid IN (SELECT rowid FROM snapshot_pieces WHERE sequence < ? LIMIT ${MAX_PRUNED_PIECES})`,
  );
  const events = bounded('order_events', 'id', MAX_PRUNED_ROWS);
  const blocks = bounded('event_blocks', 'last', MAX_PRUNED_BLOCKS);
  return (message) => {
    snapshots.run(message.snapshots);
    const limitsReached = [
      pieces.run(message.snapshots).changes >= MAX_PRUNED_PIECES,
      records.run(message.records).changes >= MAX_PRUNED_ROWS,
      events.run(message.events).changes >= MAX_PRUNED_ROWS,
      blocks.run(message.events).changes >= MAX_PRUNED_BLOCKS,
    ];
    return limitsReached.includes(true);
  };
}
