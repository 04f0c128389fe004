import { FileFault, readProblem } from '../domain/index.ts';
import { readFileAtMost } from '../runtime/index.ts';

/** The bytes of a file that a configuration names. @param key where it is named @throws FileFault */
export function readConfigured(
  path: string,
  { most, what, key }: { readonly most: number; readonly what: string; readonly key: string },
): Buffer {
  try {
    return readFileAtMost(path, most, what);
  } catch (cause) {
    if (cause instanceof FileFault) throw cause;
    const remedy = `Check \`${key}\`: the path is relative to the configuration`;
    throw new FileFault(path, undefined, readProblem(cause), remedy, { cause });
  }
}
