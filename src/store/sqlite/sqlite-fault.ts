import { FileFault } from '../../domain/index.ts';
import { DISK_FULL_REMEDY, damageRemedy } from '../disk-fault.ts';

/** The parts of an error that one thread sends to another. */
export interface SqliteProblem {
  /** Name of SQLite's extended code, such as SQLITE_FULL; empty for other errors. */
  readonly code: string;
  readonly message: string;
}

const DISK_ERROR_REMEDY =
  'Check that the disk works and has free space, and that the file is writable, then try again. All acknowledged data is stored';
const LOCKED_REMEDY =
  'Another program has locked the file for writing. End it and try again. All acknowledged data is stored';

const REMEDIES: readonly (readonly [prefix: string, remedy: string])[] = [
  ['SQLITE_FULL', DISK_FULL_REMEDY],
  ['SQLITE_IOERR', DISK_ERROR_REMEDY],
  ['SQLITE_CANTOPEN', 'Check that the folder exists and is readable and writable'],
  ['SQLITE_READONLY', 'Check that the file and its folder are writable'],
  ['SQLITE_PERM', 'Check that the file and its folder are writable'],
  ['SQLITE_BUSY', LOCKED_REMEDY],
  ['SQLITE_LOCKED', LOCKED_REMEDY],
  ['SQLITE_NOTADB', 'Put back a good copy of the file, or name another one'],
];

/** Converts an error, so that another thread can receive the problem. */
export function toSqliteProblem(cause: unknown): SqliteProblem {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return { code, message: cause instanceof Error ? cause.message : String(cause) };
}

interface FaultDetails {
  /** The table, if there is one. */
  readonly where?: string | undefined;
  /** Remedy for a damaged file. Default: put back a good copy. */
  readonly remedyForDamage?: string | undefined;
}

/** @param verb past participle, such as `read` */
export function toSqliteFault(
  file: string,
  verb: string,
  { code, message }: SqliteProblem,
  { where, remedyForDamage = damageRemedy(file) }: FaultDetails = {},
): FileFault {
  const reason = code === '' ? message : `${code}: ${message}`;
  return new FileFault(file, where, `could not be ${verb} (${reason})`, remedyFor(code, remedyForDamage));
}

function remedyFor(code: string, remedyForDamage: string): string {
  // SQLite reports SQLITE_ERROR if a damaged schema lacks a table or a column.
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR') return remedyForDamage;
  return REMEDIES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'Try again. All acknowledged data is stored';
}
