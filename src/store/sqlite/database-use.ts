/**
 * Begins and ends a process's use of a database. Before SQLite opens the database, its files are compared with the
 * acknowledged data. The database is then stamped as in use and gets a mark file. A normal close
 * clears the stamp's flag and removes the mark.
 */
import { readFileSync } from 'node:fs';
import { updateCommitStamp } from './commit-stamp.ts';
import type { Connection } from './database.ts';
import { findLoss, readDatabaseFiles } from './loss-check.ts';
import { type CommitMark, removeCommitMark, writeCommitMark } from './mark-file.ts';

export interface LossOptions {
  /** Unit of `Stamp.lastEntry` for messages: `record` for a venue, `entry` for a bot. */
  readonly unit: string;
  /** Whether to continue with the existing data if acknowledged data is missing. Default false. */
  readonly acceptLoss?: boolean | undefined;
  /** Whether a power cut may lose the last acknowledged data, which the owner can recover. Default false. */
  readonly mayLoseAtPowerCut?: boolean;
  /** Id of the machine's last start. Default: the operating system's id. */
  readonly boot?: string | undefined;
}

export interface LastUse {
  /** Undefined after a normal close, and for a copy without a mark. */
  readonly mark: CommitMark | undefined;
  /** Whether the machine was restarted since the last use. False if unknown. */
  readonly wasMachineRestarted: boolean;
  /** Number of missing transactions that were accepted. */
  readonly lostCommits: number;
  /** Description of the missing data, if the user accepted the loss. */
  readonly acceptedLoss: string | undefined;
}

/** Returns an id of the machine's last start; undefined on systems other than Linux. */
export function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Compares a database with the acknowledged data, before SQLite opens it. The caller must hold the file's lock, and
 * this process must not have the file open.
 * @throws FileFault if acknowledged data is missing, or files do not belong together
 */
export function checkForLoss(file: string, options: LossOptions): LastUse {
  const { unit, acceptLoss = false, mayLoseAtPowerCut = false, boot = readBootId() } = options;
  const files = readDatabaseFiles(file, unit);
  const mark = typeof files.mark === 'string' ? undefined : files.mark;
  const wasMachineRestarted = mark?.boot !== undefined && boot !== undefined && mark.boot !== boot;
  const loss = findLoss(files);
  if (loss === undefined) return { mark, wasMachineRestarted, lostCommits: 0, acceptedLoss: undefined };
  if (!loss.isOnlyEndMissing || !(acceptLoss || (wasMachineRestarted && mayLoseAtPowerCut))) throw loss.fault;
  const storedCommits = (files.wal?.last ?? files.base)?.commits ?? 0;
  const lostCommits = mark === undefined ? 0 : mark.commits - storedCommits;
  return { mark, wasMachineRestarted, lostCommits, acceptedLoss: acceptLoss ? loss.fault.problem : undefined };
}

export interface UseOptions {
  /** `Stamp.lastEntry` of the acknowledged data. */
  readonly lastEntry: number;
  /** See `LossOptions.boot`. */
  readonly boot?: string | undefined;
  /** Called in the transaction that writes the stamp, to record an accepted loss. */
  readonly onAcceptedLoss?: (() => void) | undefined;
}

/** Stamps a database as in use, checkpoints the stamp, and creates the mark. @throws FileFault, SqliteError */
export function beginUse(file: string, connection: Connection, options: UseOptions): void {
  const { lastEntry, boot = readBootId(), onAcceptedLoss = () => {} } = options;
  const begin = connection.transaction(() => {
    onAcceptedLoss();
    return updateCommitStamp(connection, { isInUse: true });
  });
  const stamp = begin.immediate();
  connection.pragma('wal_checkpoint(PASSIVE)');
  writeCommitMark(file, { ...stamp, lastEntry }, boot);
}

/** Stamps a database as no longer in use. @throws SqliteError */
export function endUse(connection: Connection): void {
  connection.transaction(() => updateCommitStamp(connection, { isInUse: false })).immediate();
}

/** Removes the mark of a closed database, if its file is complete and stamped as not in use. @throws FileFault */
export function removeMarkAfterUse(file: string): void {
  const { base, wal } = readDatabaseFiles(file, '');
  if (base?.isInUse === false && wal === undefined) removeCommitMark(file);
}
