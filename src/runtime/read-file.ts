import { closeSync, openSync, readSync } from 'node:fs';
import { FileFault } from '../domain/index.ts';

const CHUNK = 65_536;

/**
 * A whole file of at most `most` bytes. Devices and pipes end there, too, whatever size they say they have.
 * @param expected what the file should be, for the fault: `a configuration`
 * @throws FileFault when it is larger; Error of the file system when it cannot be read
 */
export function readFileAtMost(path: string, most: number, expected: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = Buffer.alloc(Math.min(CHUNK, most - size + 1));
      const got = readSync(fd, part, 0, part.length, null);
      if (got === 0) return Buffer.concat(parts, size);
      size += got;
      if (size > most) {
        throw new FileFault(
          path,
          undefined,
          `it has more than ${most} bytes, too many for ${expected}`,
          'Name another file',
        );
      }
      parts.push(part.subarray(0, got));
    }
  } finally {
    closeSync(fd);
  }
}
