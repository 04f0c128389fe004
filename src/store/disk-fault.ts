import { FileFault } from '../domain/index.ts';

const CHECK = 'Check that the folder can be read and written to, and the disk is well';
const ROOM = 'Make room on the disk and start again: all that was acknowledged is there';
/** What systems call a disk, or a user's part of it, without room. */
const FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** What the system answered to `what` (a participle), with its remedy. */
export function diskFault(path: string, what: string, cause: unknown): FileFault {
  const isFull = cause instanceof Error && 'code' in cause && FULL.includes(cause.code);
  const why = cause instanceof Error ? cause.message : String(cause);
  return new FileFault(path, undefined, `could not be ${what} (${why})`, isFull ? ROOM : CHECK, { cause });
}
