import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../runtime/index.ts';
import type { Disk, DiskFile } from './disk.ts';
import { diskFault } from './disk-fault.ts';
import { lockFile } from './folder-lock.ts';
import { OWNER_ONLY, OWNER_ONLY_FOLDER, takeRightsOfOthers } from './private-files.ts';

/** Name of the file that is locked. */
export const LOCK = 'journal.lock';
/** Node reads no more than 2 GiB in one go. */
const MOST_AT_ONCE = 1_073_741_824;

/** A folder of the machine, locked against other processes. To be closed. */
export class NodeDisk implements Disk {
  readonly folder: string;
  readonly #free: () => void;

  /**
   * Makes the folder if it is not there; its name is durable then.
   * @throws FileFault when another process has it, or it cannot be used
   */
  constructor(folder: string) {
    this.folder = folder;
    on(folder, 'made', () => makeDurableFolder(resolve(folder)));
    this.#free = lockFile(join(folder, LOCK));
    on(folder, 'made private', () =>
      takeRightsOfOthers(
        this.list()
          .filter(isOurs)
          .map((name) => join(folder, name)),
      ),
    );
  }

  list(): readonly string[] {
    return on(this.folder, 'read', () => readdirSync(this.folder));
  }

  read(name: string, bytes?: number): Uint8Array<ArrayBuffer> {
    return readFile(join(this.folder, name), bytes);
  }

  async create(name: string): Promise<DiskFile> {
    const path = join(this.folder, name);
    try {
      return new NodeFile(path, await open(path, 'wx', OWNER_ONLY));
    } catch (cause) {
      throw diskFault(path, 'made', cause);
    }
  }

  cut(name: string, bytes: number): void {
    const path = join(this.folder, name);
    on(path, 'cut', () => {
      const fd = openSync(path, 'r+');
      try {
        ftruncateSync(fd, bytes);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    });
  }

  rename(from: string, to: string): void {
    const path = join(this.folder, from);
    on(path, 'renamed', () => renameSync(path, join(this.folder, to)));
  }

  remove(name: string): void {
    const path = join(this.folder, name);
    on(path, 'removed', () => rmSync(path));
  }

  async syncFolder(): Promise<void> {
    try {
      const folder = await open(this.folder, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch (cause) {
      throw diskFault(this.folder, 'made durable', cause);
    }
  }

  close(): void {
    this.#free();
  }
}

/** The first bytes of a file; all of them when `bytes` is left out. @throws FileFault */
export function readFile(path: string, bytes?: number): Uint8Array<ArrayBuffer> {
  return on(path, 'read', () => {
    const fd = openSync(path, 'r');
    try {
      const size = fstatSync(fd).size;
      return readWhole(fd, Math.min(bytes ?? size, size));
    } finally {
      closeSync(fd);
    }
  });
}

class NodeFile implements DiskFile {
  readonly #path: string;
  readonly #handle: FileHandle;

  constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  async write(parts: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
    try {
      let left = parts;
      while (left.length > 0) {
        const { bytesWritten } = await this.#handle.writev(left);
        left = behind(left, bytesWritten);
      }
    } catch (cause) {
      throw diskFault(this.#path, 'written', cause);
    }
  }

  async sync(): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (cause) {
      throw diskFault(this.#path, 'made durable', cause);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#handle.close();
    } catch (cause) {
      throw diskFault(this.#path, 'closed', cause);
    }
  }
}

/** Whether a journal gives a file this name. */
function isOurs(name: string): boolean {
  return name === LOCK || /^(records|state)-\d/.test(name);
}

/** Makes a folder and those above it, and each name durable in the folder that holds it. */
function makeDurableFolder(path: string): void {
  const first = makeFolder(path, OWNER_ONLY_FOLDER);
  const top = dirname(first ?? path);
  // One that was there before may have been made a moment ago by a process that died.
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    syncNames(folder, first === undefined);
    if (folder === top) return;
  }
}

/** @param isOld nothing was made in it: who may not even read it did not make what is in it either */
function syncNames(folder: string, isOld: boolean): void {
  let fd: number;
  try {
    fd = openSync(folder, 'r');
  } catch (cause) {
    if (isOld && cause instanceof Error && 'code' in cause && cause.code === 'EACCES') return;
    throw cause;
  }
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What is left of parts behind their first bytes. */
function behind(parts: readonly Uint8Array<ArrayBuffer>[], bytes: number): readonly Uint8Array<ArrayBuffer>[] {
  let skipped = bytes;
  return parts.flatMap((part) => {
    const from = Math.min(skipped, part.length);
    skipped -= from;
    return from < part.length ? [part.subarray(from)] : [];
  });
}

function readWhole(fd: number, bytes: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes);
  for (let done = 0; done < bytes; ) {
    const got = readSync(fd, all, done, Math.min(bytes - done, MOST_AT_ONCE), done);
    if (got === 0) return all.subarray(0, done);
    done += got;
  }
  return all;
}

function on<T>(path: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw diskFault(path, what, cause);
  }
}
