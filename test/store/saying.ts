/** For children that are killed: what they have said is out. */
import { writeSync } from 'node:fs';

/** At once, so that nothing said is lost; again while the pipe is full. */
export function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN')) throw cause;
    }
  }
}
