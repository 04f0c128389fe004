import { errorMessage, FileFault } from '../domain/index.ts';

/** Remedies for wrong paths, by error code. */
const WRONG_PATH: ReadonlyMap<unknown, string> = new Map([
  ['EEXIST', 'A part of the path is a file, not a folder: name another path'],
  ['ENOTDIR', 'A part of the path is a file, not a folder: name another path'],
  ['EISDIR', 'The path is a folder: name a file in it'],
]);

/** Returns the fault for a system error during a write. @param participle completes "could not be …" */
export function writeFault(path: string, cause: unknown, participle = 'written'): FileFault {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const remedy = WRONG_PATH.get(code) ?? 'Check that the folder can be written to and the disk has room';
  return new FileFault(path, undefined, `could not be ${participle} (${errorMessage(cause)})`, remedy, { cause });
}
