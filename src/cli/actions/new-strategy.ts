import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { FileFault, InputFault } from '../../domain/index.ts';
import { shellQuote } from '../../ops/index.ts';
import { PACKAGE_ROOT, STRATEGIES_FOLDER } from '../../package-files.ts';
import { makeFolder } from '../../runtime/index.ts';
import { action } from '../command.ts';
import { strategyFiles } from './strategy-template.ts';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Creates the files of a strategy and prints how to test and run it.
 * @throws InputFault for a name that is not kebab-case or that a shipped strategy has, FileFault for an existing folder
 */
export const newStrategy = action({ dir: z.string().min(1) }, ({ terminal }, [name = ''], { dir }) => {
  if (!NAME.test(name)) throw new InputFault('name', name, 'kebab-case, for instance my-maker');
  if (existsSync(join(STRATEGIES_FOLDER, name))) {
    const expected = 'another name: configurations that name the shipped strategy would use the new one';
    throw new InputFault('name', name, expected);
  }
  const folder = join(resolve(terminal.cwd, dir), name);
  const displayedFolder = relative(terminal.cwd, folder) || '.';
  makeNewFolder(folder, displayedFolder);
  const files = strategyFiles(name);
  try {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text, { flag: 'wx' });
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    const problem = `cannot be written: ${String(cause)}`;
    throw new FileFault(displayedFolder, undefined, problem, 'Check the disk and the permissions', { cause });
  }
  const strategyArgument = folder === join(terminal.cwd, 'strategies', name) ? name : folder;
  terminal.out.write(
    [
      ...Object.keys(files).map((file) => `created ${join(displayedFolder, file)}`),
      `test it: npx vitest run ${shellQuote(displayedFolder)}`,
      `run it:  npx halfspread backtest ${shellQuote(displayedBacktest(terminal.cwd))} --set strategy=${shellQuote(strategyArgument)} --set "params={}"`,
      '',
    ].join('\n'),
  );
});

function displayedBacktest(cwd: string): string {
  const existing = ['config/demo.yaml', 'config/backtest.yaml'].find((file) => existsSync(join(cwd, file)));
  return existing ?? (relative(cwd, join(PACKAGE_ROOT, 'config/demo.yaml')) || '.');
}

/** Creates the folder. It must not exist, because `newStrategy` removes the folder when a later step fails. */
function makeNewFolder(folder: string, displayedFolder: string): void {
  try {
    makeFolder(dirname(folder));
    mkdirSync(folder);
  } catch (cause) {
    const [problem, remedy] = existsSync(folder)
      ? ['already exists', 'Choose another name, or remove it first']
      : [`cannot be created: ${String(cause)}`, 'Check the path and the permissions'];
    throw new FileFault(displayedFolder, undefined, problem, remedy, { cause });
  }
}
