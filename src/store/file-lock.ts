import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FileFault } from '../domain/index.ts';
import { assertRegularFile } from './disk-fault.ts';
import { makePrivateFile } from './private-files.ts';

/** SQLite's code for a lock that is held. */
const BUSY = 5;
/** SQLite's codes for a file that is not a database, and therefore not a lock. */
const NOT_A_LOCK: readonly unknown[] = [11, 26];
/** Maximum duration of another process's check of a lock, ms. */
const MAX_CHECK_MS = 200;

/**
 * Takes a lock that the operating system releases when the process stops for any reason. Node has no file locks, so
 * this is SQLite's lock on an empty database. It works between processes, threads, and containers on one machine.
 * @returns a function that releases the lock
 * @throws FileFault if the lock is held or cannot be created
 */
export function lockFile(path: string): () => void {
  return takeLock(path, { readOnly: false }, 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
}

/**
 * Takes an existing lock as a reader. The lock excludes writers and allows other readers. Writes nothing.
 * @returns a function that releases the lock
 * @throws FileFault if a writer holds the lock, or the lock cannot be read
 */
export function lockFileShared(path: string): () => void {
  return takeLock(path, { readOnly: true }, 'BEGIN; SELECT count(*) FROM sqlite_master');
}

/** Returns whether a fault of `lockFile` or `lockFileShared` means that another process holds the lock. */
export function isBusy(fault: unknown): boolean {
  return fault instanceof FileFault && sqliteErrorCode(fault.cause) === BUSY;
}

/** Returns `process <id>` for the process that holds the lock; `another process` if the system does not list its id. */
export function describeLockHolder(path: string): string {
  try {
    // A line is `1: POSIX ADVISORY WRITE 4711 fe:00:10003030 1073741824 1073742335`.
    const { dev, ino } = statSync(path, { bigint: true });
    const numbers = [(dev >> 8n) & 0xfffn, (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)];
    const id = [...numbers.map((number) => number.toString(16).padStart(2, '0')), ino].join(':');
    const locks = readFileSync('/proc/locks', 'utf8').split('\n');
    const pid = locks.map((line) => line.split(/\s+/)).find((words) => words.includes(id))?.[4];
    return pid !== undefined && /^[1-9]\d*$/.test(pid) ? `process ${pid}` : 'another process';
  } catch {
    // Only Linux has the file.
    return 'another process';
  }
}

export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    lockFileShared(path)();
    return false;
  } catch {
    // Either the lock is held, or the file is not a lock. `lockFile` reports the difference.
    return true;
  }
}

/**
 * Checks files that only the holder of the lock changes. Skips the check while the lock is held. Ignores a fault if
 * another process took the lock during the check.
 * @throws the fault of `check`
 */
export function checkWhileUnlocked(path: string, check: () => void): void {
  if (isLocked(path)) return;
  try {
    check();
  } catch (fault) {
    if (!isLocked(path)) throw fault;
  }
}

function takeLock(path: string, { readOnly }: { readonly readOnly: boolean }, sql: string): () => void {
  assertRegularFile(path);
  let database: DatabaseSync | undefined;
  try {
    if (!readOnly) makePrivateFile(path);
    const inode = readInode(path);
    const opened = new DatabaseSync(path, { readOnly });
    database = opened;
    // Wait, because a process that only checks the lock also holds the lock for a moment.
    opened.exec(`PRAGMA busy_timeout = ${readOnly ? 0 : MAX_CHECK_MS}; ${sql}`);
    // The previous holder may have removed the file. A lock on a removed file excludes no other process.
    if (readInode(path) !== inode) throw Object.assign(new Error('the lock was replaced'), { errcode: BUSY });
    return () => opened.close();
  } catch (cause) {
    database?.close();
    const code = sqliteErrorCode(cause);
    const problem =
      code === BUSY ? `${describeLockHolder(path)} holds this lock` : `this lock cannot be taken (${String(cause)})`;
    throw new FileFault(path, undefined, problem, remedyFor(path, code), { cause });
  }
}

/** Returns SQLite's error code; undefined for other errors. */
function sqliteErrorCode(cause: unknown): unknown {
  return cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined;
}

function readInode(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function remedyFor(path: string, code: unknown): string {
  const folder = dirname(resolve(path));
  if (code === BUSY) return `Stop that process first, or use another folder than ${folder}`;
  if (NOT_A_LOCK.includes(code))
    return `A lock file must be empty. Move this file away while no process uses the files of ${folder}`;
  return `Check that this user can read and write this file and ${folder}`;
}
