import { createHash } from 'node:crypto';
import { z } from 'zod';
import { seededRandom } from '../clock/index.ts';
import { liveSchema } from '../config/live-schema.ts';
import { FileFault } from '../domain/index.ts';
import {
  chainFeeds,
  findParts,
  isInterrupted,
  openRecordedRows,
  readStepLog,
  repairRecording,
  TapeFile,
} from '../history/index.ts';
import { recover, replaySession, type Step } from '../runtime/index.ts';
import { isLocked } from '../store/index.ts';
import type { Feed } from '../tape/index.ts';
import { createLiveCore } from './live/core.ts';
import { recordingLock, type SessionHead } from './live/recording.ts';
import { loadConfiguredStrategies } from './live/strategies.ts';

export type SessionReplay = Readonly<Awaited<ReturnType<typeof replayRecording>>['replayed']>;
export type StepDifference = NonNullable<SessionReplay['difference']>;

/**
 * Replays a recorded session with the strategies of `folders`, up to the first difference.
 * @param path steps file, with its tape in the same folder
 * @throws FileFault for a recording that cannot be read, InputFault for parameters that a strategy refuses
 */
export async function replayRecording(path: string, folders: readonly string[]) {
  const { head, steps, count, cutBytes, isEnded, lastStep } = readStepLog(path);
  const { file, baseDir, snapshot } = parseSessionHead(path, head);
  const strategies = await loadConfiguredStrategies(file, { folders, baseDir });
  const recovered = recover({ snapshot, steps: [], risk: snapshot.risk });
  const chosen = new Set(recovered.assignments.entries.flatMap(({ markets }) => markets));
  const markets = { present: [], chosen };
  const { tradingCore } = createLiveCore({ file, strategies, markets, recovered, random: seededRandom(file.seed) });
  const feed = openTape(path);
  const hash = createHash('sha256');
  try {
    const replay = replaySession({
      core: tradingCore,
      feed,
      steps: steps(),
      onEqualStep: (bytes) => hash.update(bytes),
    });
    const { matching, rows, difference = null, rowsEnded } = replay;
    const last: Step | undefined = lastStep();
    const replayed = {
      same: matching,
      steps: count,
      rows,
      rowsEnded,
      /** Bytes of an incomplete last step, and whether the log has its end mark. */
      cutBytes,
      isEnded,
      /** Number of the last recorded step in the bot's journal. */
      lastSeq: last?.seq ?? null,
      hash: hash.digest('hex'),
      /** The first difference, with the replayed step as `again`; null when all steps are identical. */
      difference: difference === null ? null : { recorded: difference.recorded, again: difference.replayed },
    };
    return { replayed, last };
  } finally {
    feed.close();
  }
}

/** Accepts any object, because `AccountState.restore` and other readers refuse invalid values. */
const SNAPSHOT = z.custom<SessionHead['snapshot']>((value) => typeof value === 'object' && value !== null);

/** Validates the configuration, whose schema may have changed since the recording. @throws FileFault */
export function parseSessionHead(path: string, head: unknown): SessionHead {
  const found = z
    .looseObject({
      format: z.literal(1),
      version: z.string(),
      file: z.unknown(),
      baseDir: z.string(),
      snapshot: SNAPSHOT,
    })
    .safeParse(head);
  // Ignores keys that a later version removed, because these keys do not affect the replay.
  const file = liveSchema.strip().safeParse(found.data?.file);
  if (!found.success || !file.success) {
    const [issue] = (found.error ?? file.error)?.issues ?? [];
    const problem = `its session cannot be read (${issue?.path.join('.')}: ${issue?.message})`;
    const remedy = 'Name the .steps file of a recording, and use the version of halfspread that recorded it';
    throw new FileFault(path, 'line 1', problem, remedy);
  }
  return { ...found.data, file: file.data };
}

/** Repairs the interrupted parts of a tape, but not while it is recorded. A recording without rows has no tape. */
function openTape(path: string): Feed {
  const tape = path.replace(/\.steps$/, '.tape');
  if (isLocked(recordingLock(path))) return openRecordedRows(tape).feed;
  const parts = findParts(tape).filter((part) => !isInterrupted(part) || repairRecording(part) !== undefined);
  return chainFeeds(parts.map((part) => () => TapeFile.open(part).feed()));
}
