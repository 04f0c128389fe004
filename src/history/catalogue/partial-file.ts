import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * A file that grows out of sight: in a folder of its own beside the place where it will be, `<path>.partial-<random>`. So a file
 * that bears its name is complete, and of two processes that write the same one the later wins. One that is killed leaves
 * the folder.
 */
export class PartialFile {
  /** Where to write. */
  readonly path: string;
  readonly #target: string;
  readonly #folder: string;

  /** The folder of `path` has to be there. */
  constructor(path: string) {
    this.#target = path;
    this.#folder = mkdtempSync(`${path}.partial-`);
    this.path = join(this.#folder, basename(path));
  }

  /** Gives the file its name; one of that name is replaced. */
  finish(): void {
    renameSync(this.path, this.#target);
    this.abandon();
  }

  /** Leaves nothing behind. */
  abandon(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
