/**
 * Copies of tapes from afar, one file each, named by the sha256 of what the tape says of itself: two copies of one tape are
 * one, and a tape that changed is another.
 *
 * Invariants: a file `tapes/<sha256>.tape` is complete and was read whole; all of them together stay below the limit, where
 * those that were not used for the longest time go first; several processes may share a folder.
 */
import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock/index.ts';
import { FileFault } from '../../domain/index.ts';
import { checkFolder, makeFolder } from '../../runtime/index.ts';

const ENDING = '.tape';

export class TapeCache {
  readonly folder: string;
  readonly #clock: Clock;
  readonly #mostBytes: number;
  /** Tapes of this run: they stay. */
  readonly #used = new Set<string>();

  /** @throws FileFault where nothing can be written to the folder */
  constructor(folder: string, mostBytes: number, clock: Clock) {
    this.folder = folder;
    this.#clock = clock;
    checkFolder(folder, 'Set XDG_CACHE_HOME to a folder that can be written');
    this.#mostBytes = mostBytes;
    for (const name of ['tapes', 'parts', 'folders']) makeFolder(join(folder, name));
  }

  /** Path of a tape, which counts as used now. */
  find(key: string): string | undefined {
    const path = this.#pathOf(key);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const seconds = this.#clock.now() / 1_000;
    utimesSync(path, seconds, seconds);
    this.#used.add(path);
    return path;
  }

  /** Where a tape grows while it is downloaded. */
  partPath(key: string): string {
    const path = join(this.folder, 'parts', `${key}${ENDING}`);
    this.#used.add(path);
    return path;
  }

  /** Takes a tape that was downloaded and read. */
  add(key: string): string {
    const path = this.#pathOf(key);
    renameSync(this.partPath(key), path);
    this.#used.add(path);
    return path;
  }

  /** Removes what was not used for the longest time until so many bytes fit. @throws FileFault when they cannot */
  makeRoom(bytes: number): void {
    const files = ['tapes', 'parts'].flatMap((name) => filesOf(join(this.folder, name)));
    const sum = (some: typeof files): number => some.reduce((total, { size }) => total + size, 0);
    // Before anything is removed: the size is what a server says.
    if (sum(files.filter(({ path }) => this.#used.has(path))) + bytes > this.#mostBytes) {
      const problem = `the tapes of this run do not fit into ${this.#mostBytes} bytes`;
      throw new FileFault(this.folder, undefined, problem, 'Raise `remote_tapes.max_gb`, or choose fewer tapes');
    }
    let free = this.#mostBytes - sum(files);
    for (const { path, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (free >= bytes) return;
      if (this.#used.has(path)) continue;
      rmSync(path, { force: true });
      free += size;
    }
  }

  /** A folder in which these tapes have their own names. */
  folderOf(url: string, tapes: readonly { readonly file: string; readonly path: string }[]): string {
    const name = createHash('sha256')
      .update(JSON.stringify([url, tapes]))
      .digest('hex');
    const folder = join(this.folder, 'folders', name);
    makeFolder(folder);
    for (const { file, path } of tapes) {
      try {
        symlinkSync(path, join(folder, file));
      } catch (cause) {
        // It is there from an earlier run, or from another process: its name says what it leads to.
        if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
      }
    }
    return folder;
  }

  #pathOf(key: string): string {
    return join(this.folder, 'tapes', `${key}${ENDING}`);
  }
}

function filesOf(folder: string) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ path, size: stat.size, usedAt: stat.mtimeMs }];
  });
}
