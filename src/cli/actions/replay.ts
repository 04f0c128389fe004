import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { seededRandom } from '../../clock/index.ts';
import { FileFault } from '../../domain/index.ts';
import { isCutOff, mendRecording, readStepLog, TapeFile } from '../../history/index.ts';
import { recover, replaySession, type Step } from '../../runtime/index.ts';
import type { Feed } from '../../tape/index.ts';
import { liveCore } from '../live-core.ts';
import type { SessionHead } from '../live-recording.ts';
import { liveSchema } from '../live-schema.ts';
import { strategyPlans } from '../live-strategies.ts';
import type { Session } from '../session.ts';
import { strategyFolders } from '../strategy-folders.ts';

/** Fields of the first difference that are named. */
const SHOWN = 5;

const optionsSchema = z.object({ json: z.boolean().default(false) });

/** Does a recorded session again, and tells the first decision that is another one; then the exit code is 1. */
export async function replay({ terminal, end }: Session, path: string, given: unknown): Promise<void> {
  const { json } = optionsSchema.parse(given);
  const { head, steps, count, cut, isEnded } = readStepLog(path);
  const { file, baseDir, snapshot } = headOf(path, head);
  const plans = await strategyPlans(file, { folders: strategyFolders(terminal.cwd), baseDir });
  const recovered = recover({ snapshot, steps: [], risk: snapshot.risk });
  const chosen = new Set(recovered.roster.entries.flatMap(({ markets }) => markets));
  const markets = { present: [], added: [], chosen };
  const { core } = liveCore({ file, plans, markets, recovered, random: seededRandom(file.seed) });
  const feed = tapeOf(path.replace(/\.steps$/, '.tape'));
  const hash = createHash('sha256');
  try {
    const outcome = replaySession({ core, feed, steps: steps(), onSame: (bytes) => hash.update(bytes) });
    const { same, rows, difference, rowsEnded } = outcome;
    const told = { same, steps: count, rows, rowsEnded, cutBytes: cut, isEnded, hash: hash.digest('hex') };
    terminal.out.write(
      json ? `${JSON.stringify({ ...told, difference: difference ?? null })}\n` : text(told, difference),
    );
    if (difference !== undefined) end(1);
  } finally {
    feed.close();
  }
}

/** Taken at its word: `AccountState.restore` and its like refuse what contradicts itself. */
const SNAPSHOT = z.custom<SessionHead['snapshot']>((value) => typeof value === 'object' && value !== null);

/** What was written is taken at its word but for the configuration, whose schema may have changed since. */
function headOf(path: string, head: unknown): SessionHead {
  const found = z
    .looseObject({
      format: z.literal(1),
      version: z.string(),
      file: z.unknown(),
      baseDir: z.string(),
      snapshot: SNAPSHOT,
    })
    .safeParse(head);
  // Keys that a later version removed have no effect on what was recorded.
  const file = liveSchema.strip().safeParse(found.data?.file);
  if (!found.success || !file.success) {
    const [issue] = (found.error ?? file.error)?.issues ?? [];
    const problem = `its session cannot be read (${issue?.path.join('.')}: ${issue?.message})`;
    const remedy = 'Name the .steps file of a recording, and use the version of halfspread that recorded it';
    throw new FileFault(path, 'line 1', problem, remedy);
  }
  return { ...found.data, file: file.data };
}

/** A recording that was cut off is mended first. One without a row has no tape. */
function tapeOf(path: string): Feed {
  if (isCutOff(path)) mendRecording(path);
  return existsSync(path) ? TapeFile.open(path).feed() : { fill: () => 0, close: () => {} };
}

interface Difference {
  readonly recorded: Step | undefined;
  readonly again: Step | undefined;
}

interface Told {
  readonly same: number;
  readonly steps: number;
  readonly rows: number;
  readonly rowsEnded: boolean;
  readonly cutBytes: number;
  readonly isEnded: boolean;
  readonly hash: string;
}

/** Which fields of two steps differ, with both values; empty where one of the steps is missing. */
function fieldsText({ recorded, again }: Difference): string {
  if (recorded === undefined || again === undefined) return '';
  const fields = [...differences(recorded, again, '')];
  const more = fields.length > SHOWN ? `, and ${fields.length - SHOWN} more` : '';
  return fields.length === 0 ? '' : ` is in ${fields.slice(0, SHOWN).join(', ')}${more}`;
}

/** A path with both values for each, such as `commands[0].price (recorded 4900, now 4850)`. */
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

function text(
  { same, steps, rows, rowsEnded, cutBytes, isEnded, hash }: Told,
  difference: Difference | undefined,
): string {
  const compared = `${same} of ${steps} steps are the same, over ${rows} rows; sha256 of them ${hash}`;
  const lines = cutBytes === 0 ? [compared] : [cutOff(cutBytes), `before it ${compared}`];
  if (cutBytes === 0 && !isEnded) lines.push(NO_END);
  if (rowsEnded) lines.push('the tape ends before the steps: the recording was cut off');
  if (difference !== undefined) {
    lines.push(`the first difference${fieldsText(difference)}:`);
    lines.push(`  recorded: ${difference.recorded === undefined ? 'nothing' : JSON.stringify(difference.recorded)}`);
    lines.push(`  now:      ${difference.again === undefined ? 'nothing' : JSON.stringify(difference.again)}`);
  }
  return `${lines.join('\n')}\n`;
}

const NO_END =
  'the log has no end mark: the bot was killed, or steps at its end were cut off afterwards. Put back the complete file where there is one (recordings of earlier versions have no mark)';

/** First, so that what follows is not read as a word about the whole session. */
function cutOff(bytes: number): string {
  return `the log was cut off amid a step (${bytes} bytes of it are there): what the bot did after that is not known`;
}
