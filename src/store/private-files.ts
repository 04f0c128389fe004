/**
 * Files that only their owner can read. Databases contain keys and sessions; other files contain trades.
 *
 * A new file has the mode 600 from its first byte, under any umask. SQLite gives a database's mode to its `-wal` and
 * `-shm`. A file that everybody can read becomes private when it is opened. A file that only a group can read is not
 * changed, because such a mode is usually chosen on purpose. `doctor` reports such files.
 */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Mode of a file that only its owner can read and write. */
export const OWNER_ONLY = 0o600;

const EVERYBODY_BITS = 0o007;
const GROUP_AND_EVERYBODY_BITS = 0o077;

export interface ExposedFile {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

/** Returns the paths of a database and of SQLite's files for it. */
export function sqliteFiles(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`, `${file}-journal`];
}

/** Creates an empty file with mode 600 if it is missing. @throws Error of the file system */
export function makePrivateFile(path: string): void {
  if (readMode(path) !== undefined) return;
  closeSync(openSync(path, 'a', OWNER_ONLY));
}

/** Makes files private if everybody can access them. Does not change files of another user. */
export function makePrivate(paths: readonly string[]): void {
  for (const path of paths) {
    if (((readMode(path) ?? 0) & EVERYBODY_BITS) === 0) continue;
    try {
      chmodSync(path, OWNER_ONLY);
    } catch (cause) {
      // Only the owner can change the mode. `doctor` reports the file.
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EPERM')) throw cause;
    }
  }
}

/** Returns the files that other users can read, write or execute. Omits missing files. */
export function exposedFiles(paths: readonly string[]): readonly ExposedFile[] {
  return paths.flatMap((path) => {
    const mode = readMode(path);
    return mode !== undefined && (mode & GROUP_AND_EVERYBODY_BITS) !== 0 ? [{ path, mode }] : [];
  });
}

/** Returns a file's permission bits; undefined if it is missing. */
function readMode(path: string): number | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  return mode === undefined ? undefined : mode & 0o777;
}
