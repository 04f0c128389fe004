import { FileFault, readProblem } from '../domain/index.ts';
import { readFileAtMost } from '../runtime/index.ts';

/** Reads a file that a configuration names under `key`. @throws FileFault */
export function readConfigured(
  path: string,
  { maxBytes, kind, key }: { readonly maxBytes: number; readonly kind: string; readonly key: string },
): Buffer {
  try {
    return readFileAtMost(path, maxBytes, kind);
  } catch (cause) {
    if (cause instanceof FileFault) throw cause;
    const remedy = `Check \`${key}\`: the path is relative to the configuration`;
    throw new FileFault(path, undefined, readProblem(cause), remedy, { cause });
  }
}
