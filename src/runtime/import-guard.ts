/**
 * Restricts the imports of strategies to `halfspread`, `zod`, files of the strategy's folder, and what the
 * configuration allows. The restriction prevents mistakes but is no sandbox, because Node's globals stay reachable.
 *
 * Node's resolver calls `resolve` for each import that runs, so type imports are not restricted. An `import()` in a
 * function may run much later, so each file is searched for `import()` when the file is loaded.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { isBuiltin, registerHooks } from 'node:module';
import { dirname, relative, resolve as resolvePath } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FileFault } from '../domain/index.ts';
import { CODE_URL, ENTRY_URL } from '../package-files.ts';

export interface AllowedImports {
  /** Names of modules, and paths of files or folders, which begin with `.` or `/`. `all` allows every import. */
  readonly allowed: readonly string[] | 'all';
  /** Base of relative paths. */
  readonly baseDir: string;
}

interface GuardedFolder extends AllowedImports {
  /** URL with a slash at the end. */
  readonly url: string;
  /** URLs of files that were searched for `import()`. */
  readonly searched: Set<string>;
}

const PROVIDED_MODULES: ReadonlySet<string> = new Set(['halfspread', 'zod']);
const TEST_URL = /\.test\.[a-z]+$/;
/** Matches imports. Also matches comments and string literals, to skip their contents. */
const IMPORT_TOKENS =
  /\/\/.*|\/\*[\s\S]*?\*\/|\b(from|import)\s*(\(?)\s*(['"])([^'"\n]*)\3|\bimport\s*(\()|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

const guardedFolders = new Map<string, GuardedFolder>();
let isRegistered = false;

/**
 * Restricts the imports of a strategy's folder in this thread. Also resolves `halfspread` and `zod` to this program's
 * copies, so that a strategy in any folder needs no installed package.
 */
export function guardImports(file: string, imports: AllowedImports): void {
  const url = `${pathToFileURL(realpathSync(dirname(file))).href}/`;
  guardedFolders.set(url, { ...imports, url, searched: new Set() });
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const folder = findGuardedFolder(context.parentURL);
      if (folder !== undefined && context.parentURL !== undefined) assertAllowed(specifier, context.parentURL, folder);
      if (specifier === 'halfspread') return nextResolve(ENTRY_URL, context);
      const isProvided = folder !== undefined && PROVIDED_MODULES.has(specifier);
      const found = nextResolve(specifier, isProvided ? { ...context, parentURL: ENTRY_URL } : context);
      const foundFolder = findGuardedFolder(found.url);
      if (foundFolder !== undefined) searchImports(found.url, foundFolder);
      return found;
    },
  });
}

/** Returns the guarded folder of a strategy's file; undefined for tests and packages. */
function findGuardedFolder(url: string | undefined): GuardedFolder | undefined {
  if (url === undefined || url.startsWith(CODE_URL) || TEST_URL.test(url)) return undefined;
  for (const folder of guardedFolders.values()) {
    if (url.startsWith(folder.url) && !url.slice(folder.url.length).includes('node_modules/')) return folder;
  }
  return undefined;
}

/** @throws FileFault with the line of the import */
function assertAllowed(specifier: string, importer: string, folder: GuardedFolder, line?: number): void {
  if (folder.allowed === 'all' || isAllowed(specifier, importer, folder.allowed, folder)) return;
  const file = fileURLToPath(importer);
  const foundLine = line ?? findImports(file).find((found) => found.specifier === specifier)?.line;
  const where = foundLine === undefined ? undefined : `line ${foundLine}`;
  const [reason, remedy, entry] = isPath(specifier)
    ? [
        'which lies outside the folder of the strategy',
        'Move it into the folder',
        toAllowedPath(folder, specifier, importer),
      ]
    : ['which is neither halfspread, zod nor a file of the strategy', 'Remove it', specifier];
  const allow = `allow it in the configuration: allow_imports: [${JSON.stringify(entry)}]`;
  throw new FileFault(file, where, `it imports "${specifier}", ${reason}`, `${remedy}, or ${allow}`);
}

/** Returns the path of an import as an entry of `allow_imports`. */
function toAllowedPath({ baseDir }: GuardedFolder, specifier: string, importer: string): string {
  const path = relative(baseDir, fileURLToPath(new URL(specifier, importer))).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

function isAllowed(specifier: string, importer: string, allowed: readonly string[], folder: GuardedFolder): boolean {
  if (!isPath(specifier)) {
    const name = moduleName(specifier);
    if (PROVIDED_MODULES.has(name)) return true;
    return allowed.some((entry) => name === moduleName(entry) || name.startsWith(`${moduleName(entry)}/`));
  }
  const { href } = new URL(specifier, importer);
  if (href.startsWith(folder.url)) return true;
  return allowed.filter(isPath).some((entry) => {
    const path = pathToFileURL(resolvePath(folder.baseDir, entry)).href.replace(/\/$/, '');
    return href === path || href.startsWith(`${path}/`);
  });
}

function isPath(specifier: string): boolean {
  return /^(?:\.{0,2}\/|file:)/.test(specifier) || specifier === '.' || specifier === '..';
}

function moduleName(specifier: string): string {
  return isBuiltin(specifier) && !specifier.startsWith('node:') ? `node:${specifier}` : specifier;
}

/** Checks each `import()` of a file like a static import. @throws FileFault with the line of the import */
function searchImports(url: string, folder: GuardedFolder): void {
  if (folder.searched.has(url)) return;
  const file = fileURLToPath(url);
  if (folder.allowed !== 'all') {
    for (const { specifier, line, isDynamic } of findImports(file)) {
      if (!isDynamic) continue;
      if (specifier !== undefined) assertAllowed(specifier, url, folder, line);
      else {
        const remedy = 'Import each module by its name, at the top of the file';
        throw new FileFault(file, `line ${line}`, 'import() has a computed name', remedy);
      }
    }
  }
  folder.searched.add(url);
}

/** Finds the imports of a file. `specifier` is undefined for a computed name. */
function findImports(file: string) {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORT_TOKENS)].flatMap(({ index, 1: keyword, 2: bracket, 4: specifier, 5: computed }) => {
    if (keyword === undefined && computed === undefined) return [];
    const line = text.slice(0, index).split('\n').length;
    return [{ specifier, line, isDynamic: computed !== undefined || bracket === '(' }];
  });
}
