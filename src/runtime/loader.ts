/**
 * Loads strategies at run time, by name or by path. Node runs their `.ts` files directly.
 *
 * A strategy is a folder `<name>/` with a `strategy.ts` (`.js` if compiled for publishing) whose default export comes
 * from `defineStrategy`. A wrong name is an `InputFault`. A problem of a file is a `FileFault`.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { FileFault, InputFault } from '../domain/index.ts';
import { nearest, type Strategy, type StrategyWrapper } from '../strategy/index.ts';
import { checkStrategy, isWrapper, type StrategyExport } from './check-strategy.ts';
import { hashFolder } from './folder-hash.ts';
import { guardImports } from './import-guard.ts';
import { loadFault } from './load-fault.ts';
import { checkHandlers } from './strategy-instance.ts';

const FILES = ['strategy.ts', 'strategy.js'] as const;

export interface LoadOptions {
  /** Folders of strategies, searched in this order for a bare name. */
  readonly folders: readonly string[];
  /** Base of relative paths. */
  readonly baseDir: string;
  /** Modules and paths that strategies may import besides `halfspread`, `zod` and their own files. Default: none. */
  readonly allowImports?: readonly string[] | 'all' | undefined;
}

export interface LoadedStrategy {
  readonly strategy: Strategy;
  /** Absolute path of the `strategy.ts`. */
  readonly file: string;
  /** sha256 of the sources in the folders of the strategy and of the wrapped strategy, if any (`strategy_sha256`). */
  readonly sha256: string;
}

/**
 * Loads a strategy. For a wrapper, also loads the strategy that `params.strategy` names.
 * @param nameOrPath a name in `folders`, such as `ladder`; or the path of a strategy's folder or file, with a
 * `/` or a file extension
 * @throws InputFault for an unknown name, or an invalid `params.strategy` of a wrapper
 * @throws FileFault for a missing file, a failed or forbidden import, or a default export that is not a strategy
 */
export async function loadStrategy(
  nameOrPath: string,
  options: LoadOptions,
  params: Readonly<Record<string, unknown>> = {},
): Promise<LoadedStrategy> {
  const { exported, ...outer } = await loadExport(nameOrPath, options);
  if (!isWrapper(exported)) return { strategy: exported, ...outer };
  const { strategy: name } = params;
  const toFault = (expected: string, cause?: unknown) => new InputFault('params.strategy', name, expected, { cause });
  if (typeof name !== 'string') throw toFault(`the name or path of the strategy that ${exported.name} wraps`);
  const inner = await loadExport(name, options).catch((fault: unknown) => {
    throw fault instanceof InputFault ? toFault(fault.expected, fault) : fault;
  });
  if (isWrapper(inner.exported)) throw toFault('a strategy that wraps no other');
  const sha256 = createHash('sha256').update(`${outer.sha256}\n${inner.sha256}`).digest('hex');
  return { strategy: wrapStrategy(exported, inner.exported, name), file: outer.file, sha256 };
}

/** Returns the parameters' schema. A wrapper's schema accepts any wrapped strategy. @throws as `loadStrategy` */
export async function loadParamsSchema(nameOrPath: string, options: LoadOptions): Promise<z.ZodType> {
  const { exported } = await loadExport(nameOrPath, options);
  return isWrapper(exported) ? createWrapperSchema(exported) : exported.params;
}

async function loadExport(nameOrPath: string, options: LoadOptions) {
  const file = isPath(nameOrPath) ? findByPath(nameOrPath, options) : findByName(nameOrPath, options);
  guardImports(file, { allowed: options.allowImports ?? [], baseDir: options.baseDir });
  return { exported: await importFrom(file), file, sha256: hashFolder(dirname(file)) };
}

/** Returns the sorted names of the strategies in the folders, without duplicates. */
export function listStrategies(folders: readonly string[]): readonly string[] {
  const names = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).filter((name) => findStrategyFile(join(folder, name)) !== undefined));
  return [...new Set(names)].toSorted();
}

function isPath(nameOrPath: string): boolean {
  return /[/\\]/.test(nameOrPath) || nameOrPath === '.' || nameOrPath === '..' || extname(nameOrPath) !== '';
}

function findByPath(path: string, { baseDir }: LoadOptions): string {
  const full = resolve(baseDir, path);
  const isFolder = existsSync(full) && statSync(full).isDirectory();
  const file = isFolder ? findStrategyFile(full) : full;
  if (file !== undefined && existsSync(file)) return file;
  const problem = isFolder ? 'the folder has no strategy.ts' : 'there is no such file';
  throw new FileFault(full, undefined, problem, 'Give the folder of a strategy, or the path of its strategy.ts');
}

function findByName(name: string, { folders }: LoadOptions): string {
  const file = folders.map((folder) => findStrategyFile(join(folder, name))).find((found) => found !== undefined);
  if (file !== undefined) return file;
  const known = listStrategies(folders);
  const near = nearest(name, known);
  const hint = near === undefined ? '' : `did you mean "${near}"? `;
  const list = known.length === 0 ? `no strategy in ${folders.join(', ')}` : `known: ${known.join(', ')}`;
  throw new InputFault('strategy', name, `the name of a strategy (${hint}${list})`);
}

function findStrategyFile(folder: string): string | undefined {
  return FILES.map((name) => join(folder, name)).find((file) => existsSync(file));
}

async function importFrom(file: string): Promise<StrategyExport> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (cause) {
    throw loadFault(file, cause);
  }
  return checkStrategy(loaded.default, file, basename(dirname(file)));
}

/**
 * Combines a wrapper and the strategy that it wraps. The new name joins both names, so that different wrapped
 * strategies have separate states and reports.
 * @param innerName name or path of the wrapped strategy in the configuration
 */
export function wrapStrategy(wrapper: StrategyWrapper, inner: Strategy, innerName: string): Strategy {
  const { scope, state, signals } = inner;
  const params = wrapper.params.safeExtend({ strategy: z.literal(innerName), params: inner.params.prefault({}) });
  return toStrategy(params, {
    name: `${wrapper.name}-${inner.name}`,
    summary: wrapper.summary,
    ...(scope !== undefined && { scope }),
    ...(state !== undefined && { state }),
    timers: ({ params: innerParams }) => inner.timers?.(innerParams) ?? [],
    ...(signals !== undefined && { signals: ({ params: innerParams }) => inner.signals?.(innerParams) ?? [] }),
    create: (all, context) => {
      const { params: innerParams } = all;
      return wrapper.wrap(checkHandlers(inner.create(innerParams, context)), all, context);
    },
  });
}

/** Returns the schema of a wrapper's parameters for an unknown wrapped strategy. */
function createWrapperSchema({ params }: StrategyWrapper): z.ZodType {
  return params.safeExtend({
    strategy: z
      .string()
      .min(1)
      .describe('The wrapped strategy: a name under strategies/, or a path relative to this file.'),
    params: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("The wrapped strategy's parameters, checked by its own schema. Default: its defaults."),
  });
}

function toStrategy<S extends z.ZodType>(params: S, rest: Omit<Strategy<S>, 'params'>): Strategy {
  return { params, ...rest };
}
