/** What SQLite answered, as a fault that says what to do. */
import { FileFault } from '../../domain/index.ts';

/** What crosses threads of an error. */
export interface SqliteTrouble {
  /** SQLite's extended code in words, such as SQLITE_FULL; empty for anything else. */
  readonly code: string;
  readonly message: string;
}

const ROOM = 'Make room on the disk and start again: all that was acknowledged is there';
const DISK =
  'Check that the disk is well and the file can be written to, then start again: all that was acknowledged is there';
const DAMAGED = 'Put back a good copy of the file';
const HELD =
  'Another program has the file locked for writing: end it, then start again: all that was acknowledged is there';
const AGAIN = 'Start again: all that was acknowledged is there';

const REMEDIES: readonly (readonly [begin: string, remedy: string])[] = [
  ['SQLITE_FULL', ROOM],
  ['SQLITE_IOERR', DISK],
  ['SQLITE_CANTOPEN', 'Check that the folder is there and can be read and written to'],
  ['SQLITE_READONLY', 'Check that the file and its folder can be written to'],
  ['SQLITE_PERM', 'Check that the file and its folder can be written to'],
  ['SQLITE_BUSY', HELD],
  ['SQLITE_LOCKED', HELD],
  ['SQLITE_CORRUPT', DAMAGED],
  ['SQLITE_NOTADB', `${DAMAGED}, or name another one`],
];

/** An error as what crosses threads. */
export function troubleOf(cause: unknown): SqliteTrouble {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return { code, message: cause instanceof Error ? cause.message : String(cause) };
}

/** @param what a participle: what could not be done with the file */
export function sqliteFault(file: string, what: string, { code, message }: SqliteTrouble): FileFault {
  const remedy = REMEDIES.find(([begin]) => code.startsWith(begin))?.[1] ?? AGAIN;
  const why = code === '' ? message : `${code}: ${message}`;
  return new FileFault(file, undefined, `could not be ${what} (${why})`, remedy);
}
