/** A disk of a few megabytes that a test can fill: a tmpfs, which only root may mount, on Linux. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Reason for skipping a test that needs a small disk. */
export const NO_SMALL_DISK = 'a small disk needs Linux, root and the right to mount a tmpfs';

const PAGE = 4_096;

export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @returns undefined when this process is not allowed to mount it */
  static mount(megabytes: number): SmallDisk | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
        stdio: 'ignore',
        timeout: 20_000,
      });
      return new SmallDisk(folder);
    } catch {
      rmSync(folder, { recursive: true });
      return undefined;
    }
  }

  /** Keeps the disk full until `end` settles, also when a program frees space. */
  async keepFull(end: Promise<unknown>): Promise<void> {
    let hasEnded = false;
    void end.finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      this.#fill();
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
  }

  freeSpace(): void {
    rmSync(this.#ballast, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder], { timeout: 20_000 });
    rmSync(this.folder, { recursive: true });
  }

  get #ballast(): string {
    return join(this.folder, 'ballast');
  }

  #fill(): void {
    const fd = openSync(this.#ballast, 'a');
    try {
      for (;;) writeSync(fd, Buffer.alloc(PAGE));
    } catch (error) {
      if (Object(error).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(fd);
    }
  }
}
