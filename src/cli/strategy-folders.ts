import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where strategies are looked for by name: the working folder's own, then those that come with the program. */
export function strategyFolders(cwd: string): readonly string[] {
  return [...new Set([resolve(cwd, 'strategies'), fileURLToPath(new URL('../../strategies', import.meta.url))])];
}
