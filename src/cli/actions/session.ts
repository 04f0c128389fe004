/** Commands on recorded sessions of a bot: `report`, `replay` and `frames`. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { livePaths } from '../../app/live/paths.ts';
import { newestSession, reportSession } from '../../app/recorded-session.ts';
import { replayRecording, type SessionReplay, type StepDifference } from '../../app/replay.ts';
import { readLiveFile } from '../../config/live-file.ts';
import { counted, FileFault, formatTime, InputFault, joinFirst, unchecked } from '../../domain/index.ts';
import { readFrames } from '../../history/index.ts';
import { parseJson } from '../../network/index.ts';
import type { Step } from '../../runtime/index.ts';
import { action, flag, optionalText, whole } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { summary } from '../output/summary.ts';
import { writeResult } from '../output/terminal.ts';
import { displayPath, strategyFolders } from '../paths.ts';

const REPORT_OPTIONS = { json: flag, out: optionalText, quiet: flag, tables: optionalText };

export const report = action(REPORT_OPTIONS, async ({ terminal }, [subject = ''], { json, out, quiet, tables }) => {
  const { steps, folder } = findRecording(subject, terminal.cwd);
  const tablesFolder = tables === undefined ? undefined : resolve(terminal.cwd, tables);
  const run = await reportSession(steps, resolve(terminal.cwd, out ?? folder), tablesFolder);
  if (json) return terminal.out.write(`${JSON.stringify(run.result)}\n`);
  if (!quiet) terminal.out.writeColored(summary(run, terminal.out));
  terminal.out.write(`report: ${displayPath(terminal.cwd, run.result.report ?? '')}\n`);
});

/** @param subject a recording, or a bot's configuration, which selects its newest recording */
function findRecording(subject: string, cwd: string): { readonly steps: string; readonly folder: string } {
  if (/\.(steps|tape)$/.test(subject))
    return { steps: resolve(cwd, subject.replace(/\.tape$/, '.steps')), folder: DEFAULT_FOLDER };
  if (!/\.ya?ml$/.test(subject)) {
    const expected =
      'a .steps file of a recording, or the YAML file of a bot (a database has no market data to measure with)';
    throw new InputFault('session', subject, expected);
  }
  const { configuration, file } = readLiveFile(subject, cwd);
  const { record } = livePaths(configuration, file, cwd);
  if (record === undefined)
    throw new InputFault('record', false, 'true: a report is made from the recording of a session');
  return { steps: newestSession(record.folder), folder: file.report_dir ?? DEFAULT_FOLDER };
}

const DEFAULT_FOLDER = 'reports';
const MAX_FIELDS_SHOWN = 5;

/** Replays a recorded session and prints the first different decision. Exits with `EXIT.differs` if there is one. */
export const replay = action({ json: flag }, async ({ terminal, setExitCode }, [path = ''], { json }) => {
  const { replayed, last } = await replayRecording(path, strategyFolders(terminal.cwd));
  writeResult(terminal, json, replayed, () => replayText(replayed, last));
  if (replayed.difference !== null) setExitCode(EXIT.differs);
});

/** Lists the fields that differ, with both values. Returns an empty text if a step is missing. */
function fieldsText({ recorded, again: replayed }: StepDifference): string {
  if (recorded === undefined || replayed === undefined) return '';
  const fields = [...differences(recorded, replayed, '')];
  return fields.length === 0 ? '' : ` is in ${joinFirst(fields, MAX_FIELDS_SHOWN, ', ')}`;
}

/** Yields each difference as `commands[0].price (recorded 4900, now 4850)`. */
function* differences(recorded: unknown, replayed: unknown, path: string): Generator<string> {
  if (isObject(recorded) && isObject(replayed)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
      const childPath = Array.isArray(recorded) ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${key}`;
      yield* differences(Reflect.get(recorded, key), Reflect.get(replayed, key), childPath);
    }
  } else if (!Object.is(recorded, replayed))
    yield `${path} (recorded ${valueText(recorded)}, now ${valueText(replayed)})`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function replayText(replayed: SessionReplay, last: Step | undefined): string {
  const { same, steps, rows, rowsEnded, isEnded, hash, difference } = replayed;
  const lines = isEnded ? [] : [missingEndText(replayed, last)];
  lines.push(`${same} of ${steps} steps are the same, over ${rows} rows; sha256 of them ${hash}`);
  if (rowsEnded) lines.push('the tape ends before the last step: the end of the recording is missing');
  if (difference !== null) {
    lines.push(`the first difference${fieldsText(difference)}:`);
    lines.push(`  recorded: ${valueText(difference.recorded)}`);
    lines.push(`  now:      ${valueText(difference.again)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Formats the first line if the recording has no end mark: the other lines may not cover the whole session. */
function missingEndText({ steps, cutBytes }: SessionReplay, last: Step | undefined): string {
  const complete = `The file has ${counted(steps, 'complete step')}`;
  const end = last === undefined ? '' : `; the last is step ${last.seq} of ${formatTime(last.time)}`;
  const cut = cutBytes === 0 ? '' : `. The next one is incomplete and has ${cutBytes} bytes`;
  return (
    `no end mark: the bot was killed, its disk was full, or the end of the file is missing. ${complete}${end}${cut}. ` +
    "Later steps may be missing. Until the bot starts again, `npx halfspread journal check` of its database shows the bot's last step"
  );
}

const FRAMES_OPTIONS = { grep: optionalText, limit: whole(1, 1_000_000_000).optional(), json: flag };

export const frames = action(
  FRAMES_OPTIONS,
  ({ terminal }, [path = ''], { grep = '', limit = Number.POSITIVE_INFINITY, json }) => {
    const file = readFrames(path);
    if (stepsSchema.safeParse(file.head).success)
      throw new FileFault(path, 'line 1', 'these are the steps of a session, not its frames', STEPS_REMEDY);
    const frameIterator = file.frames();
    let [count, shown, lost] = [0, 0, 0];
    for (let entry = frameIterator.next(); ; entry = frameIterator.next()) {
      if (entry.done === true) return terminal.err.write(framesText({ count, shown, lost, ...entry.value }));
      const { at, socket, text } = entry.value;
      if (socket === 0) lost += parseLostCount(path, text);
      else count += 1;
      if (shown >= limit || !text.includes(grep)) continue;
      if (socket !== 0) shown += 1;
      const time = formatTime(unchecked.time(at));
      terminal.out.write(json ? `${JSON.stringify({ time, socket, frame: text })}\n` : `${time} #${socket} ${text}\n`);
    }
  },
);

/** First line of a .steps file. All files of a session start with JSON, but only this one has an initial state. */
const stepsSchema = z.looseObject({ snapshot: z.unknown() }).refine((head) => Object.hasOwn(head, 'snapshot'));

const STEPS_REMEDY =
  'Use `npx halfspread replay` for steps. Frames are in the .frames file of the same name, recorded with `raw: true`';

const lostSchema = z.object({ lost: z.int().nonnegative() });

function parseLostCount(path: string, text: string): number {
  try {
    return lostSchema.parse(parseJson(text)).lost;
  } catch (cause) {
    const problem = 'a note of frames that were left out cannot be read';
    throw new FileFault(path, undefined, problem, 'Put back a good copy of the file', { cause });
  }
}

function framesText(counts: Readonly<Record<'count' | 'shown' | 'lost' | 'cutBytes', number>>): string {
  const { count, shown, lost, cutBytes } = counts;
  const notes = [
    ...(lost === 0 ? [] : [`${lost} were left out: the disk was too slow`]),
    ...(cutBytes === 0 ? [] : [`the last ${cutBytes} bytes are incomplete: the recording was interrupted`]),
  ];
  return `${shown} of ${count} frames${notes.map((note) => `; ${note}`).join('')}\n`;
}
