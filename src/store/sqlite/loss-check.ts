/**
 * Checks whether a database contains all acknowledged data, before SQLite opens the database. SQLite does not detect a
 * missing, truncated, damaged or foreign log (WAL). SQLite removes the log after copying it into the database.
 *
 * The check compares the stamps (commit-stamp.ts) of the database file and its log with the mark (mark-file.ts). It
 * changes no file. This process must have no open connection to the file, because a close would release its locks.
 */
import { readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { epochMs, FileFault, formatTime } from '../../domain/index.ts';
import { assertNotLinked, assertRegularFile, withDiskFaults, withFile } from '../disk-fault.ts';
import { sqliteFiles } from '../private-files.ts';
import { findNewestStamp, type Stamp } from './commit-stamp.ts';
import { type CommitMark, commitMarkPath, readCommitMark } from './mark-file.ts';
import { readWal, type WalContent } from './wal-file.ts';

export interface Loss {
  readonly fault: FileFault;
  /** Whether only the last acknowledged data is missing, as after a power cut. */
  readonly isOnlyEndMissing: boolean;
}

const HEADER_BYTES = 100;
/** Offset of the read version in a database's header, and its value for a database with a log (WAL). */
const READ_VERSION = 19;
const WITH_WAL = 2;

/** @throws FileFault for a disk error, a folder in place of a file, or a database with two names */
export function readDatabaseFiles(file: string, unit: string) {
  assertRegularFile(file, 'Name the database file of a venue or a bot');
  for (const path of sqliteFiles(file)) assertRegularFile(path);
  assertNotLinked(file);
  const header = readHeader(file);
  return {
    file,
    /** Unit of `Stamp.lastEntry` for messages: `record` for a venue, `entry` for a bot. */
    unit,
    /** Whether the file exists and is not empty. */
    exists: header !== undefined,
    /** Stamp of the file without its log; undefined without a stamp, or if unreadable. */
    base: header === undefined ? undefined : readBase(file),
    /** Whether the file expects a log. A file that `VACUUM INTO` wrote does not. */
    expectsLog: header?.[READ_VERSION] === WITH_WAL,
    wal: readWal(`${file}-wal`),
    mark: readCommitMark(file),
  };
}

export type DatabaseFiles = Readonly<ReturnType<typeof readDatabaseFiles>>;

/** Returns the loss; undefined if no acknowledged data is known to be missing. */
export function findLoss(files: DatabaseFiles): Loss | undefined {
  const { file, mark } = files;
  if (typeof mark === 'string') return createFileLoss(commitMarkPath(file), mark, MARK_REMEDY);
  return findMismatch(files, mark) ?? findMissingEnd(files, mark);
}

const MARK_REMEDY =
  'Put back the mark that belongs to the database. Remove it only if you know that the database and its log (-wal) are complete';

function findMismatch({ file, exists, base, wal }: DatabaseFiles, mark: CommitMark | undefined): Loss | undefined {
  const name = basename(file);
  const log = `${file}-wal`;
  if (mark !== undefined && exists && base !== undefined && mark.database !== base.database) {
    return createFileLoss(commitMarkPath(file), `it belongs to another database than ${name}`, MARK_REMEDY);
  }
  if (wal?.hasCommits !== true) return undefined;
  if (!exists && mark === undefined) {
    const problem = `${name} is missing or empty, and its log is there`;
    return createFileLoss(log, problem, `Put back ${name}, or move its log away`);
  }
  if (base === undefined) return undefined;
  const { first, last } = wal;
  if (first === undefined || last === undefined || first.database !== base.database) {
    const problem = `it is not the log of ${name}, and would be written into it`;
    return createFileLoss(log, problem, `Move it away, and put back the log that belongs to ${name}`);
  }
  const restoreTogether = `Put back ${name} and its log together, both from the same moment`;
  if (first.commits > base.commits + 1) {
    const problem = `it begins with commit ${first.commits}, and ${name} ends with commit ${base.commits}: commits between them are missing`;
    return createFileLoss(log, problem, restoreTogether);
  }
  if (last.commits < base.commits) {
    const problem = `it is older than ${name}: it ends with commit ${last.commits}, ${name} has ${base.commits}`;
    return createFileLoss(log, problem, restoreTogether);
  }
  return undefined;
}

function findMissingEnd(files: DatabaseFiles, mark: CommitMark | undefined): Loss | undefined {
  const { file, unit, exists, base, expectsLog, wal } = files;
  const name = basename(file);
  const log = `${name}-wal`;
  // If the database is missing, SQLite removes the log.
  const last = exists ? (wal?.last ?? base) : undefined;
  if (mark === undefined) {
    const isLogGone = base?.isInUse === true && expectsLog && wal === undefined;
    if (!isLogGone) return undefined;
    const problem = `it was in use and was not closed, and both ${log} and ${name}-mark are missing`;
    return { isOnlyEndMissing: true, fault: new FileFault(file, undefined, problem, restoreRemedy(log, base, unit)) };
  }
  if (exists && last === undefined) {
    const problem = `it has no stamp of its transactions, but had one when ${name}-mark was made: it is damaged, or another database`;
    return createFileLoss(file, problem, 'Put back a good copy of all files of the database');
  }
  if (last !== undefined && last.commits >= mark.commits) return undefined;
  const found =
    last === undefined ? 'it is missing or empty' : `it ends with ${unit} ${last.lastEntry} (commit ${last.commits})`;
  const acknowledged = `${unit} ${mark.lastEntry} (commit ${mark.commits}) was acknowledged at ${formatTime(epochMs(mark.at))}`;
  const problem = `${found}, and ${acknowledged}: ${describeLog(log, wal)}`;
  return { isOnlyEndMissing: true, fault: new FileFault(file, undefined, problem, restoreRemedy(log, last, unit)) };
}

function describeLog(log: string, wal: WalContent | undefined): string {
  if (wal === undefined) return `${log} is missing or empty`;
  return wal.isBroken ? `${log} is damaged or cut at byte ${wal.end}` : `${log} ends at byte ${wal.end}`;
}

function restoreRemedy(log: string, last: Stamp | undefined, unit: string): string {
  const rest = last === undefined ? 'then all data is lost' : `all after ${unit} ${last.lastEntry} is lost`;
  return `Put back ${log}, or a good copy of all files of the database. To continue with the existing data, start with --accept-loss: ${rest}`;
}

function createFileLoss(path: string, problem: string, remedy: string): Loss {
  return { isOnlyEndMissing: false, fault: new FileFault(path, undefined, problem, remedy) };
}

/** Reads the stamp of the database file without newer pages in its log. */
function readBase(file: string): Stamp | undefined {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    const { stamp: bytes } = database.prepare('SELECT stamp FROM commit_stamp').get() ?? {};
    return bytes instanceof Uint8Array ? findNewestStamp(Buffer.from(bytes)) : undefined;
  } catch {
    // The file is of an earlier version or another program, or is damaged. The next open reports which.
    return undefined;
  } finally {
    database?.close();
  }
}

/** Returns undefined for a missing or empty file. @throws FileFault for an unreadable file */
function readHeader(file: string): Buffer | undefined {
  return withDiskFaults(file, 'read', () => {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
    const header = Buffer.alloc(HEADER_BYTES);
    withFile(file, 'r', (fd) => readSync(fd, header, 0, HEADER_BYTES, 0));
    return header;
  });
}
