import { withReadFault } from '../domain/index.ts';
import { readFileAtMost } from '../runtime/index.ts';

/** Reads a file that a configuration names under `key`. @throws FileFault */
export function readConfigured(
  path: string,
  { maxBytes, kind, key }: { readonly maxBytes: number; readonly kind: string; readonly key: string },
): Buffer {
  const remedy = `Check \`${key}\`: the path is relative to the configuration`;
  return withReadFault(path, remedy, () => readFileAtMost(path, maxBytes, kind));
}
