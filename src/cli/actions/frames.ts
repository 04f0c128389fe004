import { z } from 'zod';
import { FileFault, formatTime, unchecked } from '../../domain/index.ts';
import { readFrames } from '../../history/index.ts';
import { parseJson } from '../../network/index.ts';
import { action, flag, optionalText } from '../command.ts';

const OPTIONS = { grep: optionalText, limit: z.coerce.number().int().min(1).optional(), json: flag };

/** Prints the raw frames of a recording, a line each, and their number. */
export const frames = action(
  OPTIONS,
  ({ terminal }, [path = ''], { grep = '', limit = Number.POSITIVE_INFINITY, json }) => {
    const file = readFrames(path);
    refuseSteps(path, file.head);
    const reading = file.frames();
    let [count, shown, lost] = [0, 0, 0];
    for (let step = reading.next(); ; step = reading.next()) {
      if (step.done === true) {
        terminal.err.write(ending({ count, shown, lost, cut: step.value.cut }));
        return;
      }
      const { at, socket, text } = step.value;
      if (socket === 0) lost += lostOf(path, text);
      else count += 1;
      if (shown >= limit || !text.includes(grep)) continue;
      shown += 1;
      const time = formatTime(unchecked.time(at));
      terminal.out.write(json ? `${JSON.stringify({ time, socket, frame: text })}\n` : `${time} #${socket} ${text}\n`);
    }
  },
);

/** First line of a file of steps. Both files of a session start with JSON, and only this line has the initial state. */
const stepsSchema = z.looseObject({ snapshot: z.unknown() }).refine((head) => Object.hasOwn(head, 'snapshot'));

function refuseSteps(path: string, head: unknown): void {
  if (!stepsSchema.safeParse(head).success) return;
  const remedy =
    'Use `npx halfspread replay` for steps. Frames are in the .frames file of the same name, recorded with `raw: true`';
  throw new FileFault(path, 'line 1', 'these are the steps of a session, not its frames', remedy);
}

const lostSchema = z.object({ lost: z.int().nonnegative() });

function lostOf(path: string, text: string): number {
  try {
    return lostSchema.parse(parseJson(text)).lost;
  } catch (cause) {
    const problem = 'a note of frames that were left out cannot be read';
    throw new FileFault(path, undefined, problem, 'Put back a good copy of the file', { cause });
  }
}

function ending({ count, shown, lost, cut }: Readonly<Record<'count' | 'shown' | 'lost' | 'cut', number>>): string {
  const notes = [
    ...(lost === 0 ? [] : [`${lost} were left out: the disk was too slow`]),
    ...(cut === 0 ? [] : [`the last ${cut} bytes are incomplete: the recording was interrupted`]),
  ];
  return `${shown} of ${count} frames${notes.map((note) => `; ${note}`).join('')}\n`;
}
