import { readSync } from 'node:fs';
import { errorMessage, FileFault, withReadFault } from '../domain/index.ts';
import { isSpecialFile, readFileAtMost } from '../runtime/index.ts';

/** Reads a file that a configuration names under `key`. @throws FileFault */
export function readConfigured(
  path: string,
  { maxBytes, kind, key }: { readonly maxBytes: number; readonly kind: string; readonly key: string },
): Buffer {
  const remedy = `Check \`${key}\`: the path is relative to the configuration`;
  return withReadFault(path, remedy, () => readFileAtMost(path, maxBytes, kind));
}

/** Reads `length` bytes of an open file, or fewer at its end. */
export function readBytes(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, bytes, done, length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

/**
 * Refuses a device, a pipe or a socket, which the completed file would replace.
 * @throws FileFault also if the path cannot be checked, for example because a name in it is too long
 */
export function assertReplaceable(path: string): void {
  let isSpecial: boolean;
  try {
    isSpecial = isSpecialFile(path);
  } catch (cause) {
    throw writeFault(path, cause);
  }
  if (isSpecial) throw new FileFault(path, undefined, 'it is a device, a pipe or a socket', 'Name a file');
}

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
