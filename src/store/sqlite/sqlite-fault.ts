import { FileFault } from '../../domain/index.ts';
import { damageRemedy } from '../disk-fault.ts';

/** Parts of an error that cross threads. */
export interface SqliteTrouble {
  /** Name of SQLite's extended code, such as SQLITE_FULL; empty for other errors. */
  readonly code: string;
  readonly message: string;
}

const DISK_FULL_REMEDY = 'Make room on the disk and try again: all that was acknowledged is there';
const DISK_ERROR_REMEDY =
  'Check that the disk has room and is well, and the file can be written to, then try again: all that was acknowledged is there';
const LOCKED_REMEDY =
  'Another program has the file locked for writing: end it, then try again: all that was acknowledged is there';
const RETRY_REMEDY = 'Try again: all that was acknowledged is there';

const REMEDIES: readonly (readonly [begin: string, remedy: string])[] = [
  ['SQLITE_FULL', DISK_FULL_REMEDY],
  ['SQLITE_IOERR', DISK_ERROR_REMEDY],
  ['SQLITE_CANTOPEN', 'Check that the folder is there and can be read and written to'],
  ['SQLITE_READONLY', 'Check that the file and its folder can be written to'],
  ['SQLITE_PERM', 'Check that the file and its folder can be written to'],
  ['SQLITE_BUSY', LOCKED_REMEDY],
  ['SQLITE_LOCKED', LOCKED_REMEDY],
  ['SQLITE_NOTADB', 'Put back a good copy of the file, or name another one'],
];

/** Converts an error for sending it to another thread. */
export function troubleOf(cause: unknown): SqliteTrouble {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return { code, message: cause instanceof Error ? cause.message : String(cause) };
}

/** Converts an error of SQLite to a fault with a remedy. @param what a participle, such as `read`. @param where the table, if there is one */
export function sqliteFault(
  file: string,
  what: string,
  { code, message }: SqliteTrouble,
  where?: string,
  damage = damageRemedy(file),
): FileFault {
  const reason = code === '' ? message : `${code}: ${message}`;
  return new FileFault(file, where, `could not be ${what} (${reason})`, remedyFor(code, damage));
}

function remedyFor(code: string, damage: string): string {
  // SQLITE_ERROR: a table is missing or has other columns, because the schema is damaged.
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR') return damage;
  return REMEDIES.find(([begin]) => code.startsWith(begin))?.[1] ?? RETRY_REMEDY;
}
