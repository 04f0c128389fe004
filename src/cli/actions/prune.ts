import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { botPlaces } from '../../app/live/paths.ts';
import { whileStopped } from '../../app/shared-lease.ts';
import { wallClock } from '../../clock/index.ts';
import { type EpochMs, FileFault, formatCount, formatTime, InputFault, parseTime } from '../../domain/index.ts';
import { pruneFile } from '../../store/index.ts';
import { action, flag, optionalText } from '../command.ts';
import { writeResult } from '../output/terminal.ts';
import { botFileOf } from '../paths.ts';

const OPTIONS = { config: optionalText, db: optionalText, before: z.string().min(1), shrink: flag, json: flag };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Removes old rows from the database of a stopped bot. @throws FileFault when the bot runs */
export const prune = action(OPTIONS, async ({ terminal }, [config], options) => {
  const { db } = botPlaces(botFileOf(config, options.config), options.db, terminal.cwd);
  const clock = wallClock();
  const before = parseBefore(options.before, clock.now());
  if (!existsSync(db)) {
    throw new FileFault(db, undefined, 'there is no such file', 'Name the file that the bot was started with');
  }
  const remedy = 'Stop it first, or let it remove old rows itself with store.keep_days in its configuration';
  await whileStopped(db, remedy, () => {
    const rows = pruneFile(db, before, options.shrink);
    const report = { db, before: formatTime(before), ...rows, bytes: statSync(db).size };
    writeResult(terminal, options.json, report, () => textOf(report, options.shrink));
  });
});

type PruneReport = ReturnType<typeof pruneFile> & { readonly before: string; readonly bytes: number };

function textOf({ before, steps, orders, fills, bytes }: PruneReport, isShrunk: boolean): string {
  const [s, o, f] = [steps, orders, fills].map(formatCount);
  const room = isShrunk ? '' : '. It reuses the freed space; --shrink returns the space to the disk';
  return `removed what is older than ${before}: ${s} steps, ${o} orders, ${f} fills. The file has ${(bytes / 1e6).toFixed(1)} MB${room}\n`;
}

/** @throws InputFault for an invalid time, or one in the future */
function parseBefore(text: string, now: EpochMs): EpochMs {
  const expected = 'a day (2026-10-01) or a time (2026-10-01T12:00:00Z) of the past';
  let before: EpochMs;
  try {
    before = parseTime('before', DAY.test(text) ? `${text}T00:00:00Z` : text);
  } catch (cause) {
    throw new InputFault('before', text, expected, { cause });
  }
  if (before > now) throw new InputFault('before', text, expected);
  return before;
}
