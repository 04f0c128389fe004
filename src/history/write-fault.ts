import { FileFault } from '../domain/index.ts';

/** Fault for a system error while a file is written. @param participle completes "could not be …" */
export function writeFault(path: string, cause: unknown, participle = 'written'): FileFault {
  const why = cause instanceof Error ? cause.message : String(cause);
  const remedy = 'Check that the folder can be written to and the disk has room';
  return new FileFault(path, undefined, `could not be ${participle} (${why})`, remedy, { cause });
}
