/**
 * The stamp of a database is its id and the number of its transactions. Each transaction of this program writes the
 * stamp. A WAL file therefore shows, without SQLite, its database and the numbers of its first and last transaction.
 *
 * 64 bytes, little-endian: 16 bytes magic, 16 bytes id, float64 `commits`, float64 `lastEntry`, u32 flags (1 in use), 8
 * bytes zero, u32 CRC-32 of the 60 bytes before.
 */
import { crc32 } from 'node:zlib';
import type { Database as Connection, Statement } from 'better-sqlite3';

export const COMMIT_STAMP_TABLE = `
  CREATE TABLE commit_stamp (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    stamp BLOB NOT NULL
  ) STRICT;
  `;

export interface Stamp {
  /** Random id of the database, hex. */
  readonly database: string;
  /** Number of transactions. */
  readonly commits: number;
  /** Number of a venue's last record, or of the last log entry in a bot's tables. */
  readonly lastEntry: number;
  /** Set while a process uses the database, and after a crash. */
  readonly isInUse: boolean;
}

const BYTES = 64;
const MAGIC = Buffer.from('halfspread stamp', 'latin1');
const OFFSET = { id: 16, commits: 32, lastEntry: 40, flags: 48, crc: 60 } as const;
const IN_USE = 1;

export function encodeStamp({ database, commits, lastEntry, isInUse }: Stamp): Buffer {
  const bytes = Buffer.alloc(BYTES);
  MAGIC.copy(bytes);
  bytes.write(database, OFFSET.id, 'hex');
  bytes.writeDoubleLE(commits, OFFSET.commits);
  bytes.writeDoubleLE(lastEntry, OFFSET.lastEntry);
  bytes.writeUInt32LE(isInUse ? IN_USE : 0, OFFSET.flags);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, OFFSET.crc)), OFFSET.crc);
  return bytes;
}

export function findNewestStamp(bytes: Buffer): Stamp | undefined {
  let found: Stamp | undefined;
  for (let at = bytes.indexOf(MAGIC); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    const stamp = decodeStamp(bytes.subarray(at, at + BYTES));
    if (stamp !== undefined && (found === undefined || stamp.commits > found.commits)) found = stamp;
  }
  return found;
}

function decodeStamp(bytes: Buffer): Stamp | undefined {
  if (bytes.length < BYTES || crc32(bytes.subarray(0, OFFSET.crc)) !== bytes.readUInt32LE(OFFSET.crc)) return undefined;
  return {
    database: bytes.toString('hex', OFFSET.id, OFFSET.commits),
    commits: bytes.readDoubleLE(OFFSET.commits),
    lastEntry: bytes.readDoubleLE(OFFSET.lastEntry),
    isInUse: (bytes.readUInt32LE(OFFSET.flags) & IN_USE) !== 0,
  };
}

/** Reads the stamp of an open database; undefined in a file of an early version, or if the row is invalid. */
export function readStamp(connection: Connection): Stamp | undefined {
  const table = "SELECT 1 FROM sqlite_schema WHERE name = 'commit_stamp'";
  if (connection.prepare(table).get() === undefined) return undefined;
  const rows = connection.prepare<[], { id: unknown; stamp: unknown }>('SELECT id, stamp FROM commit_stamp').all();
  const [row] = rows;
  return rows.length === 1 && row?.id === 1 && row.stamp instanceof Buffer ? findNewestStamp(row.stamp) : undefined;
}

/** Changes the stamp and counts the open transaction. Creates a missing stamp. @returns the new stamp */
export function updateCommitStamp(
  connection: Connection,
  change: Partial<Pick<Stamp, 'lastEntry' | 'isInUse'>> = {},
): Stamp {
  const newId = () => connection.prepare<[], string>('SELECT lower(hex(randomblob(16)))').pluck().get() ?? '';
  const before = readStamp(connection) ?? { database: newId(), commits: 0, lastEntry: 0, isInUse: false };
  const stamp = { ...before, ...change, commits: before.commits + 1 };
  connection.prepare<[Buffer]>('INSERT OR REPLACE INTO commit_stamp VALUES (1, ?)').run(encodeStamp(stamp));
  return stamp;
}

/** Writes the unchanged stamp in a transaction. Deletes it first, because SQLite skips an equal update. */
export function rewriteStamp(connection: Connection): void {
  const rewrite = connection.transaction(() => {
    const stamp = connection.prepare<[], Buffer>('SELECT stamp FROM commit_stamp').pluck().get();
    connection.exec('DELETE FROM commit_stamp');
    connection.prepare('INSERT INTO commit_stamp VALUES (1, ?)').run(stamp);
  });
  rewrite.immediate();
}

/** Counts each transaction in the stamp. */
export class CommitCounter {
  readonly #update: Statement<[Buffer]>;
  readonly #bytes: Buffer;
  #commits: number;
  #lastEntry: number;

  constructor(connection: Connection) {
    const stamp = readStamp(connection);
    if (stamp === undefined) throw new RangeError('Invariant: a database in use has no stamp');
    this.#update = connection.prepare<[Buffer]>('UPDATE commit_stamp SET stamp = ?');
    this.#bytes = encodeStamp(stamp);
    this.#commits = stamp.commits;
    this.#lastEntry = stamp.lastEntry;
  }

  get commits(): number {
    return this.#commits;
  }

  /** `Stamp.lastEntry` of the last committed transaction. */
  get lastEntry(): number {
    return this.#lastEntry;
  }

  /** Writes the stamp of the open transaction. Call this once in each transaction. @param lastEntry as in `Stamp` */
  count(lastEntry = this.#lastEntry): void {
    this.#bytes.writeDoubleLE(this.#commits + 1, OFFSET.commits);
    this.#bytes.writeDoubleLE(lastEntry, OFFSET.lastEntry);
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(0, OFFSET.crc)), OFFSET.crc);
    this.#update.run(this.#bytes);
  }

  /** @param lastEntry the value passed to `count` */
  onCommitted(lastEntry = this.#lastEntry): void {
    this.#commits += 1;
    this.#lastEntry = lastEntry;
  }
}
