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

export function version(): string {
  const text = readFileSync(new URL('package.json', ROOT_URL), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
