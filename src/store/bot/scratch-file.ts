/**
 * A file without a name, beside a bot's: entries that nobody needs are written to it as real ones are to the log, so that the system's way
 * of a write is at hand, too. It is emptied again and again, mostly before it gets to a disk, and gone with the process, however that ends.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { diskFault } from '../disk-fault.ts';
import { OWNER_ONLY } from '../private-files.ts';
import { writeWhole } from './write-whole.ts';

/** Bytes after which it is emptied: some 40 passes, 4 s of them at ten a second. */
const MOST = 65_536;

export class ScratchFile {
  readonly #path: string;
  #fd: number | undefined;
  #written = 0;
  /** Where a file that is open cannot lose its name. */
  #isNamed = false;

  /** @param path for the moment until it has lost its name; what is there goes @throws FileFault when it cannot be made */
  constructor(path: string) {
    this.#path = path;
    try {
      rmSync(path, { force: true });
      this.#fd = openSync(path, 'ax', OWNER_ONLY);
    } catch (cause) {
      throw diskFault(path, 'made', cause);
    }
    try {
      rmSync(path);
    } catch {
      this.#isNamed = true;
    }
  }

  /** Bytes that it holds. */
  get length(): number {
    return this.#fd === undefined ? 0 : fstatSync(this.#fd).size;
  }

  /** @throws Error as the system tells it; nothing depends on it */
  write(bytes: Uint8Array): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#written += bytes.length;
    if (this.#written > MOST) {
      ftruncateSync(fd, 0);
      this.#written = bytes.length;
    }
    writeWhole(fd, bytes);
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd === undefined) return;
    closeSync(fd);
    if (this.#isNamed) rmSync(this.#path, { force: true });
  }
}
