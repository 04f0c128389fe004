/** Paths of the package's files. In a checkout and in the published package, this code is one folder below the root. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT_URL = new URL('../', import.meta.url);
const IS_SOURCE = import.meta.url.endsWith('.ts');

/** Absolute path of the package's folder, with a trailing slash. */
export const PACKAGE_ROOT = fileURLToPath(ROOT_URL);
export const PACKAGE_URL = ROOT_URL.href;
/** URL of the folder of the running code. */
export const CODE_URL = new URL(IS_SOURCE ? 'src/' : 'dist/', ROOT_URL).href;
/** URL of the module `halfspread`. */
export const ENTRY_URL = new URL(IS_SOURCE ? 'src/index.ts' : 'dist/index.js', ROOT_URL).href;
export const STRATEGIES_FOLDER = `${PACKAGE_ROOT}strategies`;

/**
 * Returns the URL of a module that starts a thread or a process.
 * @param name file name without its ending @param importer `import.meta.url` of a module in the same folder
 */
export function entryUrl(name: string, importer: string): URL {
  return new URL(`${name}${IS_SOURCE ? '.ts' : '.js'}`, importer);
}

export function version(): string {
  const text = readFileSync(new URL('package.json', ROOT_URL), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
