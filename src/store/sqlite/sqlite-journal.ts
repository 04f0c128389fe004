/**
 * The journal in a database. One transaction writes a batch, its rows and the waiting registry changes, so that all
 * agree. A snapshot is written in pieces between batches, and is valid after its last piece.
 */
import { crc32 } from 'node:zlib';
import { Fault } from '../../domain/index.ts';
import type { Journal, JournalBatch, OnDurable, Snapshot } from '../../exchange/index.ts';
import { damageFault } from '../disk-fault.ts';
import type { Commits } from './commits.ts';
import { withSqliteFaults } from './database.ts';
import type { DatabaseReads } from './database-reads.ts';
import { batchCrc } from './writer.ts';

export interface BatchColumns {
  readonly first: number;
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly crc: number;
}

interface SqliteJournalOptions {
  readonly commits: Commits;
  readonly reads: DatabaseReads;
  /** Whether to keep records that no snapshot needs. */
  readonly keepRecords: boolean;
}

/** Number of batches in one read. A bounded read frees the connection for a replay's queries of identities. */
const BATCHES_PER_READ = 64;

export class SqliteJournal implements Journal {
  readonly name: string;
  readonly #commits: Commits;
  readonly #reads: DatabaseReads;
  readonly #keepRecords: boolean;
  #first: number;
  #last: number;
  /** Sequence numbers of the usable snapshots, newest first. */
  #snapshots: readonly number[];
  #isWriting = false;
  #isSavingSnapshot = false;

  /** @throws FileFault for a damaged file */
  constructor({ commits, reads, keepRecords }: SqliteJournalOptions) {
    const { connection } = reads;
    this.name = commits.file;
    this.#commits = commits;
    this.#reads = reads;
    this.#keepRecords = keepRecords;
    const selectNumber = (sql: string) => connection.prepare<[], number | null>(sql).pluck().get() ?? undefined;
    [this.#snapshots, this.#first, this.#last] = reads.query(() => {
      const sql = 'SELECT sequence FROM snapshots WHERE is_usable = 1 ORDER BY sequence DESC';
      const usable = connection.prepare<[], number>(sql).pluck().all();
      const end = selectNumber('SELECT first + count - 1 FROM journal ORDER BY first DESC LIMIT 1') ?? 0;
      const last = Math.max(end, usable[0] ?? 0);
      return [usable, selectNumber('SELECT min(first) FROM journal') ?? last + 1, last];
    }, 'journal');
  }

  get first(): number {
    return this.#first;
  }

  get last(): number {
    return this.#last;
  }

  get snapshots(): readonly number[] {
    return this.#snapshots;
  }

  append(batch: JournalBatch, onDurable: OnDurable): void {
    const { first, count } = batch;
    if (this.#commits.fault !== undefined) {
      onDurable(this.#commits.fault);
      return;
    }
    if (this.#isWriting) throw new RangeError('Invariant: a batch is under way');
    if (first !== this.#last + 1 || count < 1) {
      throw new RangeError(`Invariant: ${count} records from ${first} do not follow record ${this.#last}`);
    }
    this.#isWriting = true;
    this.#commits.commit(batch, (fault) => {
      this.#isWriting = false;
      if (fault === undefined) this.#last = first + count - 1;
      onDurable(fault);
    });
  }

  *read(from: number): Iterable<JournalBatch> {
    if (from < this.#first) {
      throw new Fault('JOURNAL_GONE', `${this.name}: record ${from} was removed, the oldest is ${this.#first}`);
    }
    const begin = 'SELECT max(first) FROM journal WHERE first <= ?';
    const sql = `SELECT first, count, bytes, crc FROM journal WHERE first >= ? ORDER BY first LIMIT ${BATCHES_PER_READ}`;
    const [page, first] = this.#reads.query(() => {
      const batches = this.#reads.connection.prepare<[number], BatchColumns>(sql);
      return [batches, this.#reads.connection.prepare<[number], number | null>(begin).pluck().get(from)];
    }, 'journal');
    let next = first ?? this.#last + 1;
    while (next <= this.#last) {
      const list = this.#reads.query(() => page.all(next), 'journal');
      if (list.length === 0) return;
      for (const batch of list) {
        const { first, count } = batch;
        if (first !== next) throw damageFault(this.name, `record ${next}`, 'it is missing');
        const fault = batchFault(batch);
        if (fault !== undefined) throw damageFault(this.name, `record ${first}`, fault);
        next = first + count;
        if (next > from) yield { first, count, bytes: Uint8Array.from(batch.bytes) };
      }
    }
  }

  readSnapshot(sequence: number): Snapshot {
    // `withSqliteFaults` instead of `#reads.query`, because an unreadable snapshot is skipped and stops no writing.
    return withSqliteFaults(this.name, 'read', () => {
      const { connection } = this.#reads;
      const found = connection
        .prepare<[number], { readonly hash: string; readonly pieces: number; readonly crc: number }>(
          'SELECT hash, pieces, crc FROM snapshots WHERE sequence = ? AND is_usable = 1',
        )
        .get(sequence);
      if (found === undefined || !this.#snapshots.includes(sequence)) {
        throw new Fault('JOURNAL_GONE', `${this.name}: there is no snapshot after record ${sequence}`);
      }
      const pieces = connection
        .prepare<[number], { readonly piece: number; readonly bytes: Uint8Array }>(
          'SELECT piece, bytes FROM snapshot_pieces WHERE sequence = ? ORDER BY piece',
        )
        .all(sequence)
        .filter(({ piece, bytes }, at) => piece === at && bytes instanceof Uint8Array)
        .map(({ bytes }) => Uint8Array.from(bytes));
      if (pieces.length !== found.pieces || piecesCrc(pieces) !== found.crc) {
        throw damageFault(this.name, `the snapshot after record ${sequence}`, 'its checksum is wrong');
      }
      return { sequence, hash: found.hash, pieces };
    });
  }

  markUnusable(unusable: number): void {
    this.#snapshots = this.#snapshots.filter((sequence) => sequence !== unusable);
    // If this write fails, the next start tries and marks the snapshot again.
    this.#commits.send({ type: 'mark-unusable', sequence: unusable }, () => {});
  }

  saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void {
    const { sequence, hash, pieces } = snapshot;
    if (this.#isSavingSnapshot) throw new RangeError('Invariant: a snapshot is under way');
    if (sequence > this.#last) {
      throw new RangeError(`Invariant: a snapshot of record ${sequence}, which is not durable`);
    }
    if (this.#commits.fault !== undefined) {
      onDurable(this.#commits.fault);
      return;
    }
    this.#isSavingSnapshot = true;
    const finish: OnDurable = (fault) => {
      this.#isSavingSnapshot = false;
      onDurable(fault);
    };
    const putPiece = (at: number): void => {
      const bytes = pieces[at];
      if (bytes === undefined) {
        const crc = piecesCrc(pieces);
        this.#commits.send({ type: 'snapshot', sequence, hash, pieces: pieces.length, crc }, (fault) => {
          if (fault === undefined) this.#pruneAfterSnapshot(sequence, finish);
          else finish(fault);
        });
        return;
      }
      this.#commits.send({ type: 'piece', sequence, piece: at, bytes }, (fault) => {
        if (fault === undefined) putPiece(at + 1);
        else finish(fault);
      });
    };
    putPiece(0);
  }

  /** Keeps the last two snapshots and the records after the older one. Removes all earlier snapshots and records. */
  #pruneAfterSnapshot(sequence: number, onDurable: OnDurable): void {
    const all = [sequence, ...this.#snapshots.filter((other) => other !== sequence)].toSorted((a, b) => b - a);
    this.#snapshots = all.slice(0, 2);
    const [, older = 0] = this.#snapshots;
    const records = this.#keepRecords || older === 0 ? 0 : older + 1;
    this.#prune(records, older, onDurable);
  }

  #prune(records: number, snapshots: number, onDurable: OnDurable): void {
    this.#commits.send({ type: 'prune', records, snapshots, events: 0 }, (fault, hasMore) => {
      if (hasMore) {
        this.#prune(records, snapshots, onDurable);
        return;
      }
      if (fault === undefined && records > 0) this.#refreshFirst();
      onDurable(fault);
    });
  }

  #refreshFirst(): void {
    const sql = 'SELECT min(first) FROM journal';
    const oldest = () => this.#reads.connection.prepare<[], number | null>(sql).pluck().get();
    this.#first = this.#reads.query(oldest, 'journal') ?? this.#last + 1;
  }
}

/** Returns the damage of a batch; undefined if the batch is intact. */
export function batchFault({ first, count, bytes, crc }: BatchColumns): string | undefined {
  if (!(bytes instanceof Uint8Array)) return 'it has no bytes';
  if (batchCrc(first, bytes) !== crc) return 'its checksum is wrong';
  return Number.isSafeInteger(count) && count > 0 ? undefined : `it cannot have ${count} records`;
}

function piecesCrc(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((crc, piece) => crc32(piece, crc), 0);
}
