import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FileFault } from '../domain/index.ts';
import { assertOneName, diskFault } from './disk-fault.ts';

/**
 * Checks that a path can hold a database: its folder exists and is writable, and the path is not a folder, a symbolic link or
 * a file with several hard links.
 * @throws FileFault that names the problem and the remedy
 */
export function checkPlace(file: string): void {
  const folder = dirname(resolve(file));
  const fault = (problem: string, remedy: string): FileFault => new FileFault(file, undefined, problem, remedy);
  const kind = kindOf(folder);
  if (kind === undefined) {
    throw fault(`there is no folder ${folder}`, `Create it first (mkdir -p ${folder}), or name a file in another one`);
  }
  if (kind !== 'folder') throw fault(`${folder} is not a folder`, 'Name a file in a folder');
  if (kindOf(file) === 'folder') throw fault('it is a folder', 'Name a file in it, such as venue.db');
  assertOneName(file);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const remedy = 'Give this user the right to write there, or name a file in another folder';
    throw new FileFault(file, undefined, `${folder} cannot be written to`, remedy, { cause });
  }
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isDirectory() ? 'folder' : 'file';
  } catch (cause) {
    throw diskFault(path, 'read', cause);
  }
}
