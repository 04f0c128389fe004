/** Paths of strategies, mappings and configurations, and the places of faults in configurations. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { FileFault, InputFault } from '../domain/index.ts';
import { PACKAGE_ROOT, STRATEGIES_FOLDER } from '../package-files.ts';
import { nearest } from '../strategy/index.ts';

/** Folders in which strategies are searched by name: `strategies/` of the working folder, then those of the package. */
export function strategyFolders(cwd: string): readonly string[] {
  return [...new Set([resolve(cwd, 'strategies'), STRATEGIES_FOLDER])];
}

const MAPPINGS_FOLDER = resolve(PACKAGE_ROOT, 'config/mappings');

/**
 * Returns the path of a mapping.
 * @param pathOrName the path, or the name of a file in the package's `config/mappings/` without `.yaml`
 * @throws InputFault for an unknown name, with the closest known name
 */
export function mappingPath(cwd: string, pathOrName: string): string {
  if (!/^[\w-]+$/.test(pathOrName) || existsSync(resolve(cwd, pathOrName))) return pathOrName;
  const knownNames = readdirSync(MAPPINGS_FOLDER).map((file) => basename(file, '.yaml'));
  if (knownNames.includes(pathOrName)) return join(MAPPINGS_FOLDER, `${pathOrName}.yaml`);
  const near = nearest(pathOrName, knownNames);
  const hint = near === undefined ? '' : `did you mean "${near}"? `;
  const expected = `the path of a mapping, or the name of one (${hint}known: ${knownNames.join(', ')})`;
  throw new InputFault('--mapping', pathOrName, expected);
}

/** Runs `work`. @throws its faults, with the place in the configuration that caused them */
export async function withFaultLocation<T>(
  configuration: Configuration,
  cwd: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    throw locatedFault(fault, configuration, cwd);
  }
}

/** Adds the place in the configuration to a fault, and the right path for a file that exists relative to `cwd`. */
export function locatedFault(thrown: unknown, { path, locateFault }: Configuration, cwd: string): unknown {
  const fault = locateFault(thrown);
  if (!(fault instanceof FileFault) || existsSync(fault.file)) return fault;
  const folder = dirname(path);
  const intended = resolve(cwd, relative(folder, fault.file));
  if (!existsSync(intended)) return fault;
  const remedy = `Paths in a configuration are relative to its folder: write ${relative(folder, intended)}`;
  return new FileFault(fault.file, undefined, 'there is no such file', remedy, { cause: fault });
}

/** Returns the bot's file from the operand or `--config`. @throws InputFault if they name different files */
export function chooseBotFile(operand: string | undefined, option: string | undefined): string | undefined {
  if (operand !== undefined && option !== undefined && operand !== option)
    throw new InputFault('--config', option, `only one file; the operand already names ${operand}`);
  return operand ?? option;
}

/** Returns a path for display: relative if it is in the working folder. */
export function displayPath(cwd: string, path: string): string {
  const short = relative(cwd, resolve(cwd, path));
  return short.startsWith('..') ? path : short;
}
