import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FileFault } from '../domain/index.ts';
import type { Disk, DiskFile } from './disk.ts';
import { diskFault } from './disk-fault.ts';
import { shareFile } from './folder-lock.ts';
import { LOCK, readFile } from './node-disk.ts';

/**
 * A folder that is only looked at, and that nobody can write to meanwhile: what a journal repairs when it is opened (a torn
 * end, what was never finished) is repaired as far as it reads, and stays on the disk as it is. To be closed.
 */
export class ReadOnlyDisk implements Disk {
  readonly folder: string;
  /** Where files end that were cut. */
  readonly #ends = new Map<string, number>();
  readonly #gone = new Set<string>();
  #free: (() => void) | undefined;

  /** @throws FileFault when there is no such folder, or a process has it */
  constructor(folder: string) {
    this.folder = folder;
    if (!isFolder(folder)) throw noFolder(folder);
    const lock = join(folder, LOCK);
    // A copy may have none: nobody works on that.
    if (existsSync(lock)) this.#free = shareFile(lock);
  }

  list(): readonly string[] {
    try {
      return readdirSync(this.folder).filter((name) => !this.#gone.has(name));
    } catch (cause) {
      throw diskFault(this.folder, 'read', cause);
    }
  }

  read(name: string, bytes?: number): Uint8Array<ArrayBuffer> {
    const end = this.#ends.get(name);
    const most = end === undefined ? bytes : Math.min(end, bytes ?? end);
    return readFile(join(this.folder, name), most);
  }

  create(name: string): Promise<DiskFile> {
    throw new RangeError(`Invariant: ${this.folder}/${name} would be written, but is only looked at`);
  }

  cut(name: string, bytes: number): void {
    this.#ends.set(name, bytes);
  }

  /** Names of what is of no use are not needed any more. */
  rename(from: string, _to: string): void {
    this.#gone.add(from);
  }

  remove(name: string): void {
    this.#gone.add(name);
  }

  async syncFolder(): Promise<void> {}

  close(): void {
    this.#free?.();
    this.#free = undefined;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function noFolder(path: string): FileFault {
  const problem = existsSync(path) ? 'this is no folder' : 'there is no such folder';
  return new FileFault(path, undefined, problem, 'Give the folder in which the records and snapshots are');
}
