/**
 * Where the system's libsecp256k1 is looked for. Whoever can put a file there reads keys, so: never in the working folder, never
 * by a relative path, and by a bare name only where the system's loader keeps to its own folders for it.
 */
import type { ForeignLibrary } from './system-curve.ts';

/** What is used of the package `koffi`. */
export interface ForeignLoader {
  /** How libraries end here: `.so`, `.dylib` or `.dll`. */
  readonly extension: string;
  /** @throws Error when the system's loader finds none or cannot take it */
  load(file: string): ForeignLibrary;
}

/** Of the ABI, newest first (0.8 is the 7th, 0.1 the one numbered 0). What is used has not changed among them. */
const NUMBERS = [7, 6, 5, 4, 3, 2, 1, 0] as const;

/**
 * By how libraries end. Loaders of ELF systems look for bare names where `ldconfig` and `LD_LIBRARY_PATH` say; that of macOS
 * in the working folder too, so there it is the whole path, as Homebrew (Apple's processors, Intel's) and MacPorts have it; that of
 * Windows in the working folder as well, and nobody installs it in one place, so there it has to be named.
 */
const PLACES: ReadonlyMap<string, readonly string[]> = new Map([
  ['.so', [...NUMBERS.map((number) => `libsecp256k1.so.${number}`), 'libsecp256k1.so']],
  ['.dylib', ['/opt/homebrew/lib', '/usr/local/lib', '/opt/local/lib'].map((path) => `${path}/libsecp256k1.dylib`)],
]);

/** Whether a loaded module has what is used of koffi. */
export function isForeignLoader(module: unknown): module is ForeignLoader {
  if (typeof module !== 'object' || module === null) return false;
  const members = new Map(Object.entries(module));
  return typeof members.get('load') === 'function' && typeof members.get('extension') === 'string';
}

/**
 * What `use` makes of the first library that loads and that it can use; `file` alone where it is given.
 * @throws Error saying why none is, when none is
 */
export function openSystemLibrary<T>(
  loader: ForeignLoader,
  file: string | undefined,
  use: (library: ForeignLibrary, name: string) => T,
): T {
  if (file !== undefined) {
    if (!isWhole(file, loader.extension)) throw new Error('it is no absolute path');
    return use(loader.load(file), file);
  }
  const places = PLACES.get(loader.extension) ?? [];
  const unusable: string[] = [];
  for (const place of places) {
    const library = loaded(loader, place);
    if (library === undefined) continue;
    try {
      return use(library, place);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      unusable.push(problem.startsWith(place) ? problem : `${place}: ${problem}`);
    }
  }
  if (unusable.length > 0) throw new Error(unusable.join('; '));
  const looked = places.length === 0 ? 'it has to be named here' : `looked for ${places.join(', ')}`;
  throw new Error(`no libsecp256k1 of the system (${looked})`);
}

/** `undefined` where the loader has none of that name, or none that it can take. */
function loaded(loader: ForeignLoader, place: string): ForeignLibrary | undefined {
  try {
    return loader.load(place);
  } catch {
    return undefined;
  }
}

function isWhole(file: string, extension: string): boolean {
  return extension === '.dll' ? /^([A-Za-z]:[\\/]|\\\\)/.test(file) : file.startsWith('/');
}
