import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileFault } from '../domain/index.ts';

const SOURCE_NAME = /\.(?:ts|mts|js|mjs|json)$/;
/** Name of the file in a compiled strategy's folder that contains the hash of the sources. */
export const SOURCE_HASH_FILE = 'source.sha256';
const TEST_NAME = /\.test\.[a-z]+$/;

/**
 * Returns the sha256, lower-case hex, of the paths and bytes of all sources in a folder, sorted by path. Equal folders
 * have equal hashes on every machine. Omits tests, hidden folders and `node_modules`. For a compiled strategy, returns
 * the content of `SOURCE_HASH_FILE`.
 * @throws FileFault for a source that cannot be read
 */
export function hashFolder(folder: string): string {
  const hashFile = join(folder, SOURCE_HASH_FILE);
  if (existsSync(hashFile)) return readSource(hashFile).toString().trim();
  const hash = createHash('sha256');
  for (const path of listSources(folder, '').toSorted()) {
    const bytes = readSource(join(folder, path));
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function readSource(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const problem = `a source of the strategy cannot be read (${String(cause)})`;
    const remedy = 'Restore the file. If it is a broken link, remove the link';
    throw new FileFault(file, undefined, problem, remedy, { cause });
  }
}

/** Returns paths relative to `folder`, with `/` on every system. @param subfolder empty, or a path that ends in `/` */
function listSources(folder: string, subfolder: string): readonly string[] {
  return readdirSync(join(folder, subfolder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${subfolder}${entry.name}`;
    if (entry.isDirectory()) {
      return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : listSources(folder, `${path}/`);
    }
    return SOURCE_NAME.test(entry.name) && !TEST_NAME.test(entry.name) ? [path] : [];
  });
}
