import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage, FileFault } from '../../domain/index.ts';
import { isSpecialFile, makeFolder } from '../../runtime/index.ts';
import type { BacktestRun } from '../run-result.ts';
import { renderReport } from './run-page.ts';

/** Writes the HTML report atomically and returns its path. @throws FileFault if the report cannot be written */
export async function writeReport(run: BacktestRun, folder: string): Promise<string> {
  const path = join(folder, reportName(run));
  const page = await renderReport(run);
  await writeAtomically(path, page, 'the report', 'Set report_dir to a folder that can be written');
  return path;
}

/** Returns a name such as `ladder-betfair-1.200806927-1a2b3c4d.html`. The hash differs for other settings. */
function reportName({ result }: BacktestRun): string {
  const words = `${result.strategy}-${result.tape.name}`.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return `${words.slice(0, 80)}-${result.eventLogHash.slice(0, 8)}.html`;
}

/**
 * Writes a file atomically, and creates its folder. A temporary folder keeps two writers of the same file from sharing
 * a temporary file. Writes to a device or a pipe, such as /dev/stdout, in place. Replaces the target of a symbolic
 * link, or the link itself if its target does not exist.
 * @param content name of the file's content in the fault, such as "the report"
 * @throws FileFault if the file cannot be written
 */
export async function writeAtomically(
  path: string,
  data: string | Uint8Array,
  content: string,
  remedy: string,
): Promise<void> {
  try {
    if (isSpecialFile(path)) return await writeFile(path, data);
    makeFolder(dirname(path));
    const target = existsSync(path) ? await realpath(path) : path;
    const folder = await mkdtemp(`${target}.`);
    try {
      const temporary = join(folder, 'whole');
      await writeFile(temporary, data, { flush: true });
      await rename(temporary, target);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (cause) {
    throw new FileFault(path, undefined, `${content} cannot be written (${errorMessage(cause)})`, remedy, { cause });
  }
}
