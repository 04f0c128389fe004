import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { default as Database } from 'better-sqlite3';
import { Exchange, type Journal, recover } from '../../src/exchange/index.ts';
import { loadInitialSettings } from '../../src/server/initial-settings.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { assertSame } from '../exchange/properties/asserts.ts';
import { assertAgreement } from '../store/sqlite/agreement.ts';

interface Replay {
  readonly hash: string;
  /** Sequence number of the newest complete snapshot, 0 for none. */
  readonly snapshot: number;
  /** True if the file has an incomplete snapshot. */
  readonly isTorn: boolean;
}

/**
 * Replays a copy of the database from its newest snapshot and from the one before it.
 * @throws Error when the two states, or the rows of the archive, differ
 */
export function replayCopy(folder: string, sha256: (text: string) => string): Replay {
  // Closing a connection checkpoints the WAL into the database, so each reader gets its own copy.
  const isTorn = hasTornSnapshot(copyOf(folder, 'torn-check.db'));
  const copy = copyOf(folder, 'copy.db');
  const store = SqliteStore.open({ file: copy, thread: false });
  const { journal, archive, identities, registry } = store;
  const stored = { ...loadInitialSettings(registry, undefined), sha256, identities };
  const recoverFrom = (source: Journal) =>
    recover({
      journal: source,
      createNew: () => new Exchange(stored),
      restore: (reader) => Exchange.restore(reader, stored),
    });
  const [newest = 0, ...older] = journal.snapshots;
  const before = recoverFrom(journalWith(journal, older));
  assertSame(before.snapshot, older[0] ?? 0, 'snapshot that the replay started from');
  const { machine, snapshot } = recoverFrom(journal);
  assertSame(
    [snapshot, machine.stateHash()],
    [newest, before.machine.stateHash()],
    'snapshot and state of two replays',
  );
  assertAgreement(archive, machine.view);
  void store.close();
  return { hash: machine.stateHash(), snapshot, isTorn };
}

/** Copies the database with its WAL and its mark file. */
function copyOf(folder: string, name: string): string {
  for (const end of ['', '-wal', '-mark']) {
    const from = join(folder, `venue.db${end}`);
    const to = join(folder, `${name}${end}`);
    rmSync(to, { force: true });
    if (existsSync(from)) copyFileSync(from, to);
  }
  return join(folder, name);
}

/** A view of a journal with the same records and other snapshots. */
function journalWith(journal: Journal, snapshots: readonly number[]): Journal {
  return Object.create(journal, {
    snapshots: { value: snapshots },
    name: { value: journal.name },
    first: { value: journal.first },
    last: { value: journal.last },
    read: { value: (record: number) => journal.read(record) },
    readSnapshot: { value: (sequence: number) => journal.readSnapshot(sequence) },
    markUnusable: { value: () => undefined },
  });
}

/** Returns true if the file has pieces of a snapshot that was not completed. */
function hasTornSnapshot(file: string): boolean {
  const connection = new Database(file);
  const sql = 'SELECT count(*) FROM snapshot_pieces WHERE sequence NOT IN (SELECT sequence FROM snapshots)';
  const pieces = connection.prepare<[], number>(sql).pluck().get();
  connection.close();
  return pieces !== 0;
}
