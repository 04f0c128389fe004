import { FileFault } from '../domain/index.ts';

/** Fault for an error of the system while a file is written. @param what a participle: the file could not be … */
export function writeFault(path: string, cause: unknown, what = 'written'): FileFault {
  const why = cause instanceof Error ? cause.message : String(cause);
  const remedy = 'Check that the folder can be written to and the disk has room';
  return new FileFault(path, undefined, `could not be ${what} (${why})`, remedy, { cause });
}
