import { resolve } from 'node:path';
import { writeAtomically } from '../../backtest/report/index.ts';
import { displayPath } from '../paths.ts';
import type { Terminal } from './terminal.ts';

/** Writes a page, creates its folder, and prints its path to standard error. @throws FileFault that names `option` */
export async function writePage({ cwd, err }: Terminal, option: string, file: string, text: string): Promise<void> {
  const path = resolve(cwd, file);
  await writeAtomically(path, text, 'the page', `Set ${option} to a file in a folder that can be written`);
  err.write(`report: ${displayPath(cwd, path)}\n`);
}
