import { closeSync, existsSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileFault } from '../../domain/index.ts';
import { makeFolder } from '../../runtime/index.ts';
import type { Feed } from '../../tape/index.ts';
import { assertReplaceable, writeFault } from '../files.ts';
import type { TapeFile } from '../tape-file.ts';

/**
 * A file that is written in the temporary folder `<path>.partial-<random>`, and renamed when complete. If two processes
 * write the same file, the later rename wins. A killed process leaves the folder.
 */
export class PartialFile {
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

  abandon(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Writes a file that is renamed when complete, and creates its folder. @throws FileFault */
export function writeFileAtomically(path: string, text: string): void {
  let partial: PartialFile | undefined;
  try {
    makeFolder(dirname(path));
    partial = new PartialFile(path);
    writeFileSync(partial.path, text);
    partial.finish();
  } catch (cause) {
    partial?.abandon();
    throw writeFault(path, cause);
  }
}

/** Exports a tape to a file that is renamed after `write`. @throws FileFault for a damaged tape or a failed write */
export async function writeExport(
  tape: TapeFile,
  path: string,
  write: (feed: Feed, fd: number) => void | Promise<void>,
): Promise<void> {
  assertReplaceable(path);
  const feed = tape.feed();
  let fd: number | undefined;
  let partial: PartialFile | undefined;
  try {
    makeFolder(dirname(path));
    partial = new PartialFile(path);
    fd = openSync(partial.path, 'w');
    await write(feed, fd);
    partial.finish();
  } catch (cause) {
    partial?.abandon();
    throw cause instanceof FileFault ? cause : writeFault(path, cause);
  } finally {
    feed.close();
    if (fd !== undefined) closeSync(fd);
  }
}

/** @throws FileFault if there is no export to restore a tape from */
export function expectExport(path: string): void {
  if (path.endsWith('.tape')) {
    const remedy = 'Use it as it is, or name the file that `npx halfspread tape export` wrote';
    throw new FileFault(path, undefined, 'this is a tape, not an export of a tape', remedy);
  }
  if (existsSync(path)) return;
  const remedy = 'Check the path, or write the export with `npx halfspread tape export`';
  throw new FileFault(path, undefined, 'there is no such export of a tape', remedy);
}
