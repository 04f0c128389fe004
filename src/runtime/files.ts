/** Reading and making files of the user, where Node's own calls could wait or grow without end. */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FileFault } from '../domain/index.ts';

const CHUNK = 65_536;

/**
 * Reads a whole file of at most `most` bytes. Devices and pipes are cut there too, whatever size they report.
 * @param expected what the file should be, for the fault: `a configuration`
 * @throws FileFault when it is larger; Error of the file system when it cannot be read
 */
export function readFileAtMost(path: string, most: number, expected: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = Buffer.alloc(Math.min(CHUNK, most - size + 1));
      const got = readSync(fd, part, 0, part.length, null);
      if (got === 0) return Buffer.concat(parts, size);
      size += got;
      if (size > most) {
        throw new FileFault(
          path,
          undefined,
          `it has more than ${most} bytes, too many for ${expected}`,
          'Name another file',
        );
      }
      parts.push(part.subarray(0, got));
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * Creates a folder and its parents, and returns the first one that it created; undefined if all existed.
 * Node's own `recursive` never returns if a parent exists and is not writable, as under /proc.
 * @param mode rights of those that are made, less the process's umask
 * @throws the system's error where a folder cannot be made
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at);
  let first: string | undefined;
  for (const folder of missing.toReversed()) if (madeNow(folder, mode)) first ??= folder;
  // A file in its place is the system's to refuse, in the words it has for that.
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path, mode);
  return first;
}

/** Creates nothing. @throws FileFault if files cannot be created in a folder, or the missing folder itself */
export function checkFolder(path: string, remedy: string): void {
  let at = resolve(path);
  while (!existsSync(at)) at = dirname(at);
  if (!statSync(at).isDirectory()) throw new FileFault(path, undefined, `${at} is no folder`, remedy);
  try {
    accessSync(at, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new FileFault(path, undefined, `${at} cannot be written to`, remedy, { cause });
  }
}

/** Returns false if another process created it first. */
function madeNow(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, mode);
    return true;
  } catch (cause) {
    const there = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (there && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return false;
    throw cause;
  }
}
