import { FileFault } from '../domain/index.ts';

/** Remedies for paths that no rights and no room can make right, by error code. */
const WRONG_PATH: ReadonlyMap<unknown, string> = new Map([
  ['EEXIST', 'A part of the path is a file, not a folder: name another path'],
  ['ENOTDIR', 'A part of the path is a file, not a folder: name another path'],
  ['EISDIR', 'The path is a folder: name a file in it'],
]);

/** Fault for a system error while a file is written. @param participle completes "could not be …" */
export function writeFault(path: string, cause: unknown, participle = 'written'): FileFault {
  const why = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const remedy = WRONG_PATH.get(code) ?? 'Check that the folder can be written to and the disk has room';
  return new FileFault(path, undefined, `could not be ${participle} (${why})`, remedy, { cause });
}
