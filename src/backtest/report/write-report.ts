import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, FileFault } from '../../domain/index.ts';
import { makeFolder } from '../../runtime/index.ts';
import type { BacktestRun } from '../run-result.ts';
import { renderReport } from './page.ts';

/** Writes the HTML report atomically and returns its path. @throws FileFault when it cannot be written */
export async function writeReport(run: BacktestRun, folder: string): Promise<string> {
  const path = join(folder, reportName(run));
  const page = await renderReport(run);
  try {
    makeFolder(folder);
    await writeWhole(path, page);
  } catch (cause) {
    const problem = `the report cannot be written (${errorMessage(cause)})`;
    throw new FileFault(path, undefined, problem, 'Set report_dir to a folder that can be written', { cause });
  }
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

/** Writes through a temporary folder, so that two runs that write the same file do not share a temporary file. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const folder = await mkdtemp(`${path}.`);
  try {
    const temporary = join(folder, 'whole');
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
