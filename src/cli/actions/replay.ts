import { replayRecording, type SessionReplay, type StepDifference } from '../../app/replay.ts';
import { counted, formatTime } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import { action, flag } from '../command.ts';
import { writeResult } from '../output/terminal.ts';
import { strategyFolders } from '../paths.ts';

/** Longest list of different fields. */
const MAX_FIELDS = 5;

/** Replays a recorded session. Prints the first different decision, if any, and then ends with exit code 1. */
export const replay = action({ json: flag }, async ({ terminal, end }, [path = ''], { json }) => {
  const { replayed, last } = await replayRecording(path, strategyFolders(terminal.cwd));
  writeResult(terminal, json, replayed, () => text(replayed, last));
  if (replayed.difference !== null) end(1);
});

/** Lists the different fields of two steps with both values. Returns an empty text when one step is missing. */
function fieldsText({ recorded, again }: StepDifference): string {
  if (recorded === undefined || again === undefined) return '';
  const fields = [...differences(recorded, again, '')];
  const more = fields.length > MAX_FIELDS ? `, and ${fields.length - MAX_FIELDS} more` : '';
  return fields.length === 0 ? '' : ` is in ${fields.slice(0, MAX_FIELDS).join(', ')}${more}`;
}

/** Yields each difference as `commands[0].price (recorded 4900, now 4850)`. */
function* differences(one: unknown, other: unknown, path: string): Generator<string> {
  if (isObject(one) && isObject(other)) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const at = Array.isArray(one) ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${key}`;
      yield* differences(Reflect.get(one, key), Reflect.get(other, key), at);
    }
  } else if (!Object.is(one, other)) yield `${path} (recorded ${shown(one)}, now ${shown(other)})`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function text(replayed: SessionReplay, last: Step | undefined): string {
  const { same, steps, rows, rowsEnded, isEnded, hash, difference } = replayed;
  const lines = isEnded ? [] : [missingEndText(replayed, last)];
  lines.push(`${same} of ${steps} steps are the same, over ${rows} rows; sha256 of them ${hash}`);
  if (rowsEnded) lines.push('the tape ends before the last step: the end of the recording is missing');
  if (difference !== null) {
    lines.push(`the first difference${fieldsText(difference)}:`);
    lines.push(`  recorded: ${difference.recorded === undefined ? 'nothing' : JSON.stringify(difference.recorded)}`);
    lines.push(`  now:      ${difference.again === undefined ? 'nothing' : JSON.stringify(difference.again)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Printed first, because the other lines do not apply to the whole session. */
function missingEndText({ steps, cutBytes }: SessionReplay, last: Step | undefined): string {
  const complete = `The file has ${counted(steps, 'complete step')}`;
  const end = last === undefined ? '' : `; the last is step ${last.seq} of ${formatTime(last.time)}`;
  const cut = cutBytes === 0 ? '' : `. The next one is incomplete and has ${cutBytes} bytes`;
  return (
    `no end mark: the bot was killed, its disk was full, or the end of the file is missing. ${complete}${end}${cut}. ` +
    "Later steps may be missing. Until the bot starts again, `npx halfspread journal check` of its database shows the bot's last step"
  );
}
