import { writeSync } from 'node:fs';

/** Writes all of it, in one call of the system as a rule. @throws Error as the system tells it: some of it may be there then */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done);
}
