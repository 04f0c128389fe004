import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { FileFault } from '../domain/index.ts';
import { STRATEGIES_FOLDER } from '../package-files.ts';

/** Where strategies are looked for by name: the working folder's own, then those that come with the program. */
export function strategyFolders(cwd: string): readonly string[] {
  return [...new Set([resolve(cwd, 'strategies'), STRATEGIES_FOLDER])];
}

/**
 * A missing file that would be there if its path were read from the working folder: the same fault, with the path as the
 * configuration has to have it. Other faults come back as they are.
 * @param configuration absolute path of the configuration, whose folder its paths are relative to
 */
export function withPathHint(fault: unknown, configuration: string, cwd: string): unknown {
  if (!(fault instanceof FileFault) || existsSync(fault.file)) return fault;
  const folder = dirname(configuration);
  const meant = resolve(cwd, relative(folder, fault.file));
  if (!existsSync(meant)) return fault;
  const remedy = `Paths in a configuration are relative to its folder: write ${relative(folder, meant)}`;
  return new FileFault(fault.file, undefined, 'there is no such file', remedy, { cause: fault });
}
