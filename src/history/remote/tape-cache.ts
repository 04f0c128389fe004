/**
 * A cache of downloaded tapes. Each file is named by the sha256 of its footer and trailer, so equal tapes share one
 * file and a changed tape is another file.
 *
 * Invariants: a file `tapes/<sha256>.tape` is complete and checked. The total size stays below the limit; the least
 * recently used files are deleted first. Several processes may share a folder.
 */
import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock/index.ts';
import { FileFault } from '../../domain/index.ts';
import { checkFolder, makeFolder } from '../../runtime/index.ts';

export class TapeCache {
  readonly folder: string;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  /** Tapes of this run, which are not deleted. */
  readonly #used = new Set<string>();

  /** @throws FileFault when the folder cannot be written */
  constructor(folder: string, maxBytes: number, clock: Clock) {
    this.folder = folder;
    this.#clock = clock;
    checkFolder(folder, 'Set XDG_CACHE_HOME to a folder that can be written');
    this.#maxBytes = maxBytes;
    for (const name of ['tapes', 'parts', 'folders']) makeFolder(join(folder, name));
  }

  /** Returns the path of a cached tape and marks it as used. */
  find(key: string): string | undefined {
    const path = this.#getPath(key);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const seconds = this.#clock.now() / 1_000;
    utimesSync(path, seconds, seconds);
    this.#used.add(path);
    return path;
  }

  /** Returns the path of a tape's partial download and marks it as used. */
  partPath(key: string): string {
    const path = join(this.folder, 'parts', `${key}.tape`);
    this.#used.add(path);
    return path;
  }

  /** Adds a tape that was downloaded and checked. Returns its path. */
  add(key: string): string {
    const path = this.#getPath(key);
    renameSync(this.partPath(key), path);
    this.#used.add(path);
    return path;
  }

  /** Deletes the least recently used files until `bytes` fit. @throws FileFault when they cannot fit */
  makeRoom(bytes: number): void {
    const files = ['tapes', 'parts'].flatMap((name) => listFiles(join(this.folder, name)));
    const sum = (list: typeof files): number => list.reduce((total, { size }) => total + size, 0);
    // Checked before any deletion, because a server states the size.
    if (sum(files.filter(({ path }) => this.#used.has(path))) + bytes > this.#maxBytes) {
      const problem = `the tapes of this run do not fit into ${this.#maxBytes} bytes`;
      throw new FileFault(this.folder, undefined, problem, 'Raise `remote_tapes.max_gb`, or choose fewer tapes');
    }
    let free = this.#maxBytes - sum(files);
    for (const { path, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (free >= bytes) return;
      if (this.#used.has(path)) continue;
      rmSync(path, { force: true });
      free += size;
    }
  }

  /** Returns a folder in which these tapes have their original names. */
  linkFolder(url: string, tapes: readonly { readonly file: string; readonly path: string }[]): string {
    const content = JSON.stringify([url, tapes]);
    const folder = join(this.folder, 'folders', createHash('sha256').update(content).digest('hex'));
    makeFolder(folder);
    for (const { file, path } of tapes) {
      try {
        symlinkSync(path, join(folder, file));
      } catch (cause) {
        // An earlier run or another process has made the same link.
        if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
      }
    }
    return folder;
  }

  #getPath(key: string): string {
    return join(this.folder, 'tapes', `${key}.tape`);
  }
}

function listFiles(folder: string) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ path, size: stat.size, usedAt: stat.mtimeMs }];
  });
}
