/**
 * Writes to the database: a message is a transaction, durable when it is answered.
 *
 * Invariant: after a message that failed nothing more is written, as nobody knows then what the disk holds; but what is
 * asked of snapshots and of checkpoints may fail by itself.
 */
import { crc32 } from 'node:zlib';
import type { RowBatch } from '../../exchange/index.ts';
import { type Connection, connect } from './database.ts';
import { keyWriter } from './key-writer.ts';
import type { Commit, Prune, SnapshotEnd, SnapshotPiece, WriterAnswer, WriterMessage } from './messages.ts';
import type { KeyPart } from './order-keys.ts';
import { rowWriter } from './row-writer.ts';
import { type SqliteTrouble, troubleOf } from './sqlite-fault.ts';

/** Rows of one prune: some milliseconds. */
const PRUNED_AT_ONCE = 500;
/** Likewise blocks of order events, two a page. */
const BLOCKS_AT_ONCE = 250;
const CACHE_MB = 128;

/** Where a writer writes. */
export interface WriterOptions {
  readonly file: string;
  /** The file may not grow beyond so many pages, as if the disk were full; 0 for no limit. */
  readonly mostPages: number;
}

/** Checksum of a batch: also of its place, so that batches cannot change places. */
export function batchCrc(first: number, bytes: Uint8Array): number {
  return crc32(bytes, first % 4_294_967_296);
}

/** The writer. */
export class Writer {
  readonly #connection: Connection;
  readonly #write: (message: WriterMessage) => boolean;
  readonly #ownsConnection: boolean;
  #trouble: SqliteTrouble | undefined;

  /** @param connection where it is not to open one of its own @throws FileFault */
  constructor({ file, mostPages }: WriterOptions, connection?: Connection) {
    this.#ownsConnection = connection === undefined;
    this.#connection = connection ?? connect(file, { cacheMb: CACHE_MB, mayWrite: true });
    // What undoes half a statement of several rows: it need not be on a disk.
    this.#connection.pragma('temp_store = MEMORY');
    if (mostPages > 0) this.#connection.pragma(`max_page_count = ${mostPages}`);
    this.#connection.exec('DELETE FROM snapshot_pieces WHERE sequence NOT IN (SELECT sequence FROM snapshots)');
    this.#write = transactions(this.#connection);
  }

  /** Does what is asked. */
  answer(message: WriterMessage): WriterAnswer {
    if (this.#trouble !== undefined) return { trouble: this.#trouble };
    try {
      return { trouble: undefined, hasMore: this.#write(message) };
    } catch (cause) {
      const trouble = troubleOf(cause);
      if (message.type === 'commit') this.#trouble = trouble;
      return { trouble };
    }
  }

  close(): void {
    if (this.#ownsConnection) this.#connection.close();
  }
}

/** Every kind of message as a transaction. */
function transactions(connection: Connection): (message: WriterMessage) => boolean {
  const commit = connection.transaction(commits(connection));
  const piece = connection.prepare<[number, number, Uint8Array]>(
    'INSERT OR REPLACE INTO snapshot_pieces VALUES (?, ?, ?)',
  );
  const aside = connection.prepare<[number]>('UPDATE snapshots SET is_usable = 0 WHERE sequence = ?');
  const end = connection.transaction(snapshotEnds(connection));
  const prune = connection.transaction(prunes(connection));
  return (message) => {
    if (message.type === 'commit') commit.immediate(message);
    else if (message.type === 'piece') putPiece(message);
    else if (message.type === 'snapshot') end.immediate(message);
    else if (message.type === 'aside') aside.run(message.sequence);
    else if (message.type === 'prune') return prune.immediate(message);
    else connection.pragma('wal_checkpoint(PASSIVE)');
    return false;
  };
  function putPiece({ sequence, piece: at, bytes }: SnapshotPiece): void {
    piece.run(sequence, at, bytes);
  }
}

function commits(connection: Connection): (message: Commit) => void {
  const rows: (batch: RowBatch) => void = rowWriter(connection);
  const keys: (part: KeyPart) => void = keyWriter(connection);
  const batchOf = connection.prepare<[number, number, Uint8Array, number]>('INSERT INTO journal VALUES (?, ?, ?, ?)');
  const put = connection.prepare<[string, string, string]>('INSERT OR REPLACE INTO registry VALUES (?, ?, ?)');
  const take = connection.prepare<[string, string]>('DELETE FROM registry WHERE name = ? AND key = ?');
  return (message) => {
    if (message.batch !== undefined) {
      const { first, count, bytes } = message.batch;
      batchOf.run(first, count, bytes, batchCrc(first, bytes));
    }
    if (message.rows !== undefined) rows(message.rows);
    if (message.keys !== undefined) keys(message.keys);
    for (const { table, key, value } of message.changes) {
      if (value === null) take.run(table, key);
      else put.run(table, key, value);
    }
  };
}

function snapshotEnds(connection: Connection): (message: SnapshotEnd) => void {
  const extra = connection.prepare<[number, number]>('DELETE FROM snapshot_pieces WHERE sequence = ? AND piece >= ?');
  const put = connection.prepare<[number, string, number, number]>(
    'INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, 1)',
  );
  return ({ sequence, hash, pieces, crc }) => {
    extra.run(sequence, pieces);
    put.run(sequence, hash, pieces, crc);
  };
}

function prunes(connection: Connection): (message: Prune) => boolean {
  const bounded = (table: string, key: string, most: number) =>
    connection.prepare<[number]>(
      `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${key} < ? ORDER BY ${key} LIMIT ${most})`,
    );
  const records = connection.prepare<[number]>(
    `DELETE FROM journal WHERE first IN (SELECT first FROM journal WHERE first + count <= ?
      ORDER BY first LIMIT ${PRUNED_AT_ONCE})`,
  );
  const snapshots = connection.prepare<[number]>('DELETE FROM snapshots WHERE sequence < ?');
  // Pieces are a megabyte each.
  const pieces = connection.prepare<[number]>(
    'DELETE FROM snapshot_pieces WHERE rowid IN (SELECT rowid FROM snapshot_pieces WHERE sequence < ? LIMIT 8)',
  );
  const events = bounded('order_events', 'id', PRUNED_AT_ONCE);
  const blocks = bounded('event_blocks', 'last', BLOCKS_AT_ONCE);
  return (message) => {
    snapshots.run(message.snapshots);
    const gone = [
      pieces.run(message.snapshots).changes >= 8,
      records.run(message.records).changes >= PRUNED_AT_ONCE,
      events.run(message.events).changes >= PRUNED_AT_ONCE,
      blocks.run(message.events).changes >= BLOCKS_AT_ONCE,
    ];
    return gone.includes(true);
  };
}
