/** Synchronous output for children that are killed. */
import { writeSync } from 'node:fs';

/** Writes at once, so that a kill loses no line, and retries while the pipe is full. */
export function printLine(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN')) throw cause;
    }
  }
}
