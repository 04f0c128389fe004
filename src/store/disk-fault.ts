import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FileFault } from '../domain/index.ts';

const CHECK = 'Check that the folder can be read and written to, and that the disk works';
const FREE_SPACE = 'Free disk space and try again. All acknowledged data is stored';
/** System error codes for a full disk or an exhausted quota. */
const FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

const REMOVED =
  'Put back a copy of all files of the database, or start with --accept-loss: the account is compared with the venue';

const FOLDER = 'Move it away: a file was expected here, not a folder';
/** Error codes of operating systems and Node for a folder in place of a file. */
const IS_FOLDER: readonly unknown[] = ['EISDIR', 'ERR_FS_EISDIR'];

/** Returns the fault for a system error. @param what a participle, such as `written` */
export function diskFault(path: string, what: string, cause: unknown): FileFault {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const folder = dirname(resolve(path));
  if (code === 'ENOENT' && !existsSync(folder))
    return new FileFault(path, undefined, `there is no folder ${folder}`, 'Create it, or name another file', { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FileFault(path, undefined, `could not be ${what} (${reason})`, remedyFor(code), { cause });
}

/** @throws FileFault */
export function readFile(path: string): Uint8Array<ArrayBuffer> {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw diskFault(path, 'read', cause);
  }
}

/** @throws FileFault if the path is a folder, which SQLite only reports as "cannot open" */
export function assertNoFolder(path: string, remedy = FOLDER): void {
  if (isFolder(path)) throw new FileFault(path, undefined, 'it is a folder', remedy);
}

/**
 * Remembers which file has this name now. No write to an open file detects that it was removed or replaced.
 * @returns a function that throws a FileFault if the name is gone, or another file has it
 */
export function inPlaceCheck(path: string): () => void {
  const inode = () => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  const opened = inode();
  return () => {
    if (inode() === opened) return;
    throw new FileFault(path, undefined, 'it was removed or replaced while it was in use', REMOVED);
  };
}

/** Refuses symbolic links and several hard links: each name would have its own lock, log and mark. @throws FileFault */
export function assertOneName(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) {
    const target = resolve(dirname(path), readlinkSync(path));
    throw new FileFault(path, undefined, 'it is a symbolic link', `Name the file itself: ${target}`);
  }
  if (found?.isFile() !== true || found.nlink === 1) return;
  const remedy = `Remove the other names (\`find ${dirname(resolve(path))} -samefile ${resolve(path)}\` lists those in its folder), or name a copy`;
  throw new FileFault(path, undefined, `it has ${found.nlink} names (hard links)`, remedy);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (cause) {
    throw diskFault(path, 'read', cause);
  }
}

function remedyFor(code: unknown): string {
  if (IS_FOLDER.includes(code)) return FOLDER;
  return FULL.includes(code) ? FREE_SPACE : CHECK;
}

export function damageRemedy(file: string): string {
  return `Put back a good copy of the file. \`npx halfspread journal check ${file}\` lists what is damaged`;
}

/** @param where a table and row, a record or an entry @param problem description of the damage */
export function damaged(file: string, where: string | undefined, problem: string, cause?: unknown): FileFault {
  return new FileFault(file, where, problem, damageRemedy(file), cause === undefined ? {} : { cause });
}
