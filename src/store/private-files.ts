/**
 * Files that only their owner may read: databases hold keys and sessions; logs, journals and recordings hold what was
 * traded.
 *
 * A new file has the mode 600 from its first byte, whatever the umask is. SQLite gives a database's mode to its `-wal`
 * and `-shm`. A file of an earlier version that everybody may read is made private when it is opened. A file that only
 * a group may read is left as it is, because no program makes one by default: `doctor` reports it.
 */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Mode of a file that only its owner may read and write. */
export const OWNER_ONLY = 0o600;

const EVERYBODY = 0o007;
const OTHERS = 0o077;

/** A file that others than its owner may use. */
export interface LooseFile {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

/** The database file and SQLite's files beside it. */
export function sqliteFiles(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`, `${file}-journal`];
}

/** Creates an empty file with mode 600 if it is missing. @throws Error of the file system */
export function makePrivateFile(path: string): void {
  if (modeOf(path) !== undefined) return;
  closeSync(openSync(path, 'a', OWNER_ONLY));
}

/** Takes the rights of group and others from files that everybody may use. Files of another user stay as they are. */
export function takeRightsOfOthers(paths: readonly string[]): void {
  for (const path of paths) {
    if (((modeOf(path) ?? 0) & EVERYBODY) === 0) continue;
    try {
      chmodSync(path, OWNER_ONLY);
    } catch (cause) {
      // Only the owner may change the mode. Opening the file then fails if access is missing, and `doctor` reports the
      // mode.
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EPERM')) throw cause;
    }
  }
}

/** Those of the files that others than their owner may read, write or execute. Missing files are left out. */
export function looseFiles(paths: readonly string[]): readonly LooseFile[] {
  return paths.flatMap((path) => {
    const mode = modeOf(path);
    return mode !== undefined && (mode & OTHERS) !== 0 ? [{ path, mode }] : [];
  });
}

/** Permission bits; undefined where there is no such file. */
function modeOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : found.mode & 0o777;
}
