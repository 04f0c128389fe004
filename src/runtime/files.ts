/** File operations on paths of the user, where Node's own functions could block or read without limit. */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FileFault } from '../domain/index.ts';

const CHUNK_BYTES = 65_536;

/**
 * Reads a whole file of at most `maxBytes` bytes. The limit also applies to devices and pipes.
 * @param expected what the file should be, for the fault, such as `a configuration`
 * @throws FileFault when the file is larger; Error of the file system for an unreadable file
 */
export function readFileAtMost(path: string, maxBytes: number, expected: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = Buffer.alloc(Math.min(CHUNK_BYTES, maxBytes - size + 1));
      const count = readSync(fd, part, 0, part.length, null);
      if (count === 0) return Buffer.concat(parts, size);
      size += count;
      if (size > maxBytes) {
        const problem = `it has more than ${maxBytes} bytes, too many for ${expected}`;
        throw new FileFault(path, undefined, problem, 'Name another file');
      }
      parts.push(part.subarray(0, count));
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * Creates a folder and its parents. Returns the first created folder; undefined if all existed.
 * Node's own `recursive` never returns if a parent exists and is not writable, as under /proc.
 * @param mode of created folders, before the process's umask
 * @throws the system's error when a folder cannot be created
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  let first: string | undefined;
  for (const folder of missing.toReversed()) if (createFolder(folder, mode)) first ??= folder;
  // If the path is a file, this call throws the system's error.
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path, mode);
  return first;
}

/** Returns whether the path is a device, a pipe or a socket, which a renamed file would replace. */
export function isSpecialFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** Checks that a folder is writable, or that a missing folder can be created. Creates nothing. @throws FileFault */
export function checkFolder(path: string, remedy: string): void {
  let existing = resolve(path);
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) throw new FileFault(path, undefined, `${existing} is not a folder`, remedy);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new FileFault(path, undefined, `${existing} cannot be written to`, remedy, { cause });
  }
}

/** Returns false if another process created the folder first. */
function createFolder(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, mode);
    return true;
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (exists && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return false;
    throw cause;
  }
}
