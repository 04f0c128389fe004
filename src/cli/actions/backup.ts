import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { botPlaces } from '../../app/live/paths.ts';
import { whileStopped } from '../../app/shared-lease.ts';
import { wallClock } from '../../clock/index.ts';
import { epochMs, FileFault, formatCount, formatTime } from '../../domain/index.ts';
import { type BackupReport, backUpBot, restoreBot } from '../../store/index.ts';
import type { Session } from '../output/terminal.ts';

const optionsSchema = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, '64 hexadecimal digits, as `backup` prints them')
    .optional(),
  json: z.boolean().default(false),
});

/** Copies the database of a running or stopped bot. @throws FileFault as `backUpBot` */
export async function backup(
  { terminal }: Session,
  { bot, target }: { readonly bot: string; readonly target: string },
  given: unknown,
): Promise<void> {
  const { json } = optionsSchema.parse(given);
  const { db, marker } = placesOf(bot, terminal.cwd);
  const path = resolve(terminal.cwd, target);
  const killMark = existsSync(marker) ? readFileSync(marker, 'utf8') : null;
  const report = backUpBot(db, path, { at: wallClock().now(), killMark });
  const isKilled = killMark !== null;
  const text = `backed up ${db} to ${path}: ${contents(report, isKilled)}`;
  terminal.out.write(json ? `${JSON.stringify({ db, target: path, ...report, killed: isKilled })}\n` : `${text}\n`);
}

/** Creates the database of a bot from a backup. @throws FileFault if a bot uses the database; any fault of `restoreBot` */
export async function restore(
  { terminal }: Session,
  { backup: source, bot }: { readonly backup: string; readonly bot: string },
  given: unknown,
): Promise<void> {
  const { json, sha256 } = optionsSchema.parse(given);
  const { db, marker } = placesOf(bot, terminal.cwd);
  const path = resolve(terminal.cwd, source);
  if (existsSync(marker))
    throw new FileFault(marker, undefined, 'it exists already', 'Move it away, or name another file');
  await whileStopped(db, 'Stop that bot first', () => {
    const { note, ...report } = restoreBot(path, db, sha256);
    if (note.killMark !== null) writeFileSync(marker, note.killMark, { mode: 0o600, flag: 'wx' });
    const madeAt = formatTime(epochMs(note.at));
    const isKilled = note.killMark !== null;
    const text = `restored ${db} from ${path} of ${madeAt}: ${contents(report, isKilled)}. The next start cancels orders that the backup does not know and compares the account with the venue`;
    terminal.out.write(
      json ? `${JSON.stringify({ db, backup: path, madeAt, ...report, killed: isKilled })}\n` : `${text}\n`,
    );
  });
}

/** @param bot a YAML file, or a database */
function placesOf(bot: string, cwd: string): ReturnType<typeof botPlaces> {
  return /\.ya?ml$/i.test(bot) ? botPlaces(bot, undefined, cwd) : botPlaces(undefined, bot, cwd);
}

function contents({ bot, lastStep, orders, fills, bytes, sha256 }: BackupReport, isKilled: boolean): string {
  const [step, o, f] = [lastStep, orders, fills].map(formatCount);
  const killed = isKilled ? ', killed until `resume`' : '';
  return `${bot}${killed}, up to step ${step}, ${o} orders, ${f} fills, ${(bytes / 1e6).toFixed(1)} MB, sha256 ${sha256}`;
}
