import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage, FileFault } from '../../domain/index.ts';
import { makeFolder } from '../../runtime/index.ts';
import type { BacktestRun } from '../run-result.ts';
import { renderReport } from './page.ts';

/** Writes the HTML report atomically and returns its path. @throws FileFault when it cannot be written */
export async function writeReport(run: BacktestRun, folder: string): Promise<string> {
  const path = join(folder, reportName(run));
  const page = await renderReport(run);
  await writeWhole(path, page, 'the report', 'Set report_dir to a folder that can be written');
  return path;
}

/** `ladder-betfair-1.200806927-1a2b3c4d.html`: the log's hash keeps runs with other settings apart. */
function reportName({ result }: BacktestRun): string {
  const words = `${result.strategy}-${result.tape.name}`
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  return `${words}-${result.eventLogHash.slice(0, 8)}.html`;
}

/**
 * Creates the folder if it is missing, and writes through a temporary folder, so that two runs that write the same file do
 * not share a temporary file.
 * @param content its name in the fault, such as "the report"
 * @throws FileFault when the file cannot be written
 */
export async function writeWhole(
  path: string,
  data: string | Uint8Array,
  content: string,
  remedy: string,
): Promise<void> {
  try {
    makeFolder(dirname(path));
    const folder = await mkdtemp(`${path}.`);
    try {
      const temporary = join(folder, 'whole');
      await writeFile(temporary, data, { flush: true });
      await rename(temporary, path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (cause) {
    throw new FileFault(path, undefined, `${content} cannot be written (${errorMessage(cause)})`, remedy, { cause });
  }
}
