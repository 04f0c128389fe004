import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { placesOfBot } from '../../app/live/paths.ts';
import { whileStopped } from '../../app/shared-lease.ts';
import { wallClock } from '../../clock/index.ts';
import { epochMs, FileFault, formatCount, formatTime } from '../../domain/index.ts';
import { type BackupReport, backUpBot, restoreBot } from '../../store/index.ts';
import { action, flag } from '../command.ts';
import { writeResult } from '../output/terminal.ts';

/** Copies the database of a running or stopped bot. @throws FileFault as `backUpBot` */
export const backup = action({ json: flag }, ({ terminal }, [bot = '', target = ''], { json }) => {
  const { db, marker } = placesOfBot(bot, terminal.cwd);
  const path = resolve(terminal.cwd, target);
  const killMark = existsSync(marker) ? readFileSync(marker, 'utf8') : null;
  const report = backUpBot(db, path, { at: wallClock().now(), killMark });
  const isKilled = killMark !== null;
  const text = (): string => `backed up ${db} to ${path}: ${contents(report, isKilled)}\n`;
  writeResult(terminal, json, { db, target: path, ...report, killed: isKilled }, text);
});

const SHA256 = z.string().regex(/^[0-9a-fA-F]{64}$/, '64 hexadecimal digits, as `backup` prints them');
const RESTORE = { json: flag, sha256: SHA256.optional() };

/** Creates the database of a bot from a backup. @throws FileFault if a bot uses the database; any fault of `restoreBot` */
export const restore = action(RESTORE, async ({ terminal }, [source = '', bot = ''], { json, sha256 }) => {
  const { db, marker } = placesOfBot(bot, terminal.cwd);
  const path = resolve(terminal.cwd, source);
  if (existsSync(marker))
    throw new FileFault(marker, undefined, 'it exists already', 'Move it away, or name another file');
  await whileStopped(db, 'Stop that bot first', () => {
    const { note, ...report } = restoreBot(path, db, sha256);
    const isKilled = note.killMark !== null;
    if (note.killMark !== null) writeFileSync(marker, note.killMark, { mode: 0o600, flag: 'wx' });
    const madeAt = formatTime(epochMs(note.at));
    const text = (): string =>
      `restored ${db} from ${path} of ${madeAt}: ${contents(report, isKilled)}. The next start cancels orders that the backup does not know and compares the account with the venue\n`;
    writeResult(terminal, json, { db, backup: path, madeAt, ...report, killed: isKilled }, text);
  });
});

function contents({ bot, lastStep, orders, fills, bytes, sha256 }: BackupReport, isKilled: boolean): string {
  const [step, o, f] = [lastStep, orders, fills].map(formatCount);
  const killed = isKilled ? ', killed until `resume`' : '';
  return `${bot}${killed}, up to step ${step}, ${o} orders, ${f} fills, ${(bytes / 1e6).toFixed(1)} MB, sha256 ${sha256}`;
}
