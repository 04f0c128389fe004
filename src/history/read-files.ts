import { readSync } from 'node:fs';
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

/** Reads `length` bytes of an open file, or fewer at its end. */
export function readBytes(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, bytes, done, length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}
