import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it, one by one, and answers the first that was made; undefined when all were there.
 * Node's own `recursive` never comes back where a folder is there and nothing can be made in it, as under /proc.
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

/** False where another process made it first. */
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
