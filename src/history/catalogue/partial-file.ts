import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * A file that is written in a temporary folder beside its path, `<path>.partial-<random>`, and renamed when complete. If
 * two processes write the same file, the later one wins. A killed process leaves the folder.
 */
export class PartialFile {
  /** Path of the temporary file. */
  readonly path: string;
  readonly #target: string;
  readonly #folder: string;

  /** @param path path of the complete file, in an existing folder */
  constructor(path: string) {
    this.#target = path;
    this.#folder = mkdtempSync(`${path}.partial-`);
    this.path = join(this.#folder, basename(path));
  }

  /** Renames the file to its path, which replaces an existing file. */
  finish(): void {
    renameSync(this.path, this.#target);
    this.abandon();
  }

  /** Deletes the temporary folder. */
  abandon(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
