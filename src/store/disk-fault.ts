import { accessSync, closeSync, constants, existsSync, lstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FileFault } from '../domain/index.ts';
import { OWNER_ONLY } from './private-files.ts';

const CHECK_REMEDY = 'Check that the folder can be read and written to, and that the disk works';
export const DISK_FULL_REMEDY = 'Free disk space and try again. All acknowledged data is stored';
const DISK_FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

const REMOVED_REMEDY =
  'Put back a copy of all files of the database, or start with --accept-loss, which compares the account with the venue';

const FOLDER_REMEDY = 'Move it away: a file was expected here, not a folder';
/** Codes of operating systems and of Node for a folder in place of a file. */
const FOLDER_CODES: readonly unknown[] = ['EISDIR', 'ERR_FS_EISDIR'];

/** Returns the fault for a system error. @param verb past participle, such as `written` */
export function diskFault(path: string, verb: string, cause: unknown): FileFault {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const folder = dirname(resolve(path));
  if (code === 'ENOENT' && !existsSync(folder))
    return new FileFault(path, undefined, `there is no folder ${folder}`, 'Create it, or name another file', { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FileFault(path, undefined, `could not be ${verb} (${reason})`, remedyFor(code), { cause });
}

/** Runs `work` on a file and converts errors. @param verb past participle, such as `written`. @throws FileFault */
export function withDiskFaults<T>(path: string, verb: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw diskFault(path, verb, cause);
  }
}

/** Opens a file, runs `work` and closes the file. @throws Error of the file system */
export function withFile<T>(path: string, flags: string, work: (fd: number) => T): T {
  const fd = openSync(path, flags, OWNER_ONLY);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/** @throws FileFault */
export function assertExists(file: string, remedy: string): void {
  if (!existsSync(file)) throw new FileFault(file, undefined, 'there is no such file', remedy);
}

/**
 * Refuses a folder, which SQLite only reports as "cannot open", and a device, a pipe or a socket: making a database
 * private would change the mode of /dev/null for all programs. A missing file is allowed.
 * @throws FileFault
 */
export function assertRegularFile(path: string, remedy = FOLDER_REMEDY): void {
  const type = findFileType(path);
  if (type === 'folder') throw new FileFault(path, undefined, 'it is a folder', remedy);
  if (type === 'special') throw new FileFault(path, undefined, 'it is a device, a pipe or a socket', 'Name a file');
}

/**
 * Returns a function that throws a FileFault if the file at `path` was removed or replaced since this call. Writes to
 * an open file do not detect such a change.
 */
export function createInPlaceCheck(path: string): () => void {
  const inode = () => withDiskFaults(path, 'read', () => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino);
  const opened = inode();
  return () => {
    if (inode() === opened) return;
    throw new FileFault(path, undefined, 'it was removed or replaced while it was in use', REMOVED_REMEDY);
  };
}

/** Refuses links, because each name of a database would have its own lock, log and mark files. @throws FileFault */
export function assertNotLinked(path: string): void {
  const found = withDiskFaults(path, 'read', () => lstatSync(path, { throwIfNoEntry: false }));
  if (found?.isSymbolicLink() === true) {
    const target = resolve(dirname(path), readlinkSync(path));
    throw new FileFault(path, undefined, 'it is a symbolic link', `Name the file itself: ${target}`);
  }
  if (found?.isFile() !== true || found.nlink === 1) return;
  const remedy = `Remove the other names (\`find ${dirname(resolve(path))} -samefile ${resolve(path)}\` lists those in its folder), or name a copy`;
  throw new FileFault(path, undefined, `it has ${found.nlink} names (hard links)`, remedy);
}

/**
 * Checks that a database can be at a path. The folder must exist and be writable. The path must not be a folder, a
 * device, a symbolic link, or a file with several hard links.
 * @throws FileFault that names the problem and the remedy
 */
export function checkDatabasePath(file: string): void {
  const folder = dirname(resolve(file));
  const fault = (problem: string, remedy: string): FileFault => new FileFault(file, undefined, problem, remedy);
  const kind = findFileType(folder);
  if (kind === undefined) {
    const remedy = `Create it first (mkdir -p ${folder}), or name a file in another folder`;
    throw fault(`there is no folder ${folder}`, remedy);
  }
  if (kind !== 'folder') throw fault(`${folder} is not a folder`, 'Name a file in a folder');
  assertRegularFile(file, 'Name a file in it, such as venue.db');
  assertNotLinked(file);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const remedy = 'Give this user the right to write there, or name a file in another folder';
    throw new FileFault(file, undefined, `${folder} cannot be written to`, remedy, { cause });
  }
}

function findFileType(path: string): 'file' | 'folder' | 'special' | undefined {
  const found = withDiskFaults(path, 'read', () => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return undefined;
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'special';
}

function remedyFor(code: unknown): string {
  if (FOLDER_CODES.includes(code)) return FOLDER_REMEDY;
  return DISK_FULL_CODES.includes(code) ? DISK_FULL_REMEDY : CHECK_REMEDY;
}

export function damageRemedy(file: string): string {
  return `Put back a good copy of the file. \`npx halfspread journal check ${file}\` lists what is damaged`;
}

/** Returns a fault for the caller to throw. @param where a table and row, a record or an entry */
export function damageFault(file: string, where: string | undefined, problem: string, cause?: unknown): FileFault {
  return new FileFault(file, where, problem, damageRemedy(file), cause === undefined ? {} : { cause });
}
