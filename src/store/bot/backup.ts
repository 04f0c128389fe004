/**
 * Backups of a bot's database: one file, written without blocking a running bot.
 *
 * Invariants: a backup gets its name only when it is complete, checked and synced. No existing file is replaced.
 *
 * A backup lacks orders that were sent later, so its `application_id` prevents the start of a bot. `restoreBot` stores
 * the missing time as a gap. The next start cancels the unknown orders and compares the account with the venue.
 */
import { createHash } from 'node:crypto';
import { constants, copyFileSync, existsSync, fsyncSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileFault } from '../../domain/index.ts';
import { assertExists, checkDatabasePath, withDiskFaults, withFile } from '../disk-fault.ts';
import { isLocked } from '../file-lock.ts';
import { makePrivate, sqliteFiles } from '../private-files.ts';
import { BACKUP_APPLICATION_ID, type Connection, connect, prepareFile, withSqliteFaults } from '../sqlite/database.ts';
import { endUse } from '../sqlite/database-use.ts';
import { findLoss, readDatabaseFiles } from '../sqlite/loss-check.ts';
import { commitMarkPath } from '../sqlite/mark-file.ts';
import { BOT_APPLICATION_ID, BOT_MIGRATIONS } from './bot-tables.ts';
import { checkBotFile, isBotFile, readApplicationId } from './check-file.ts';
import { addGap } from './gaps.ts';

const HASH_CHUNK_BYTES = 1_048_576;

export interface BackupReport {
  /** Account and venue. */
  readonly bot: string;
  readonly lastStep: number;
  readonly orders: number;
  readonly fills: number;
  readonly bytes: number;
  /** Hash of the backup, hex. */
  readonly sha256: string;
}

export interface BackupNote {
  /** Time of the backup, epoch ms. */
  readonly at: number;
  /** Content of the bot's kill file, which keeps trading killed; null without one. */
  readonly killFile: string | null;
}

/**
 * Copies a consistent state of a bot's tables, and checks the copy. A running bot continues, but its write-ahead log
 * (`-wal`) grows meanwhile.
 * @param target a file that does not exist
 * @throws FileFault if the database is missing, damaged or of another version, or the target cannot be created
 */
export function backUpBot(file: string, target: string, note: BackupNote): BackupReport {
  assertBotFile(file);
  assertAbsent([target]);
  checkDatabasePath(target);
  const partial = `${target}.partial`;
  assertNoLeftovers(partial);
  // Another backup may have created the file meanwhile.
  withDiskFaults(partial, 'made', () => withFile(partial, 'wx', () => {}));
  return removeOnFailure(partial, () => {
    const source = connect(file, { cacheMb: 4 });
    try {
      assertVersion(file, source);
      withSqliteFaults(target, 'written', () => source.prepare<[string]>('VACUUM INTO ?').run(partial));
    } finally {
      source.close();
    }
    const counts = verify(partial, target);
    withPartial(partial, target, (copy) => {
      copy.exec('CREATE TABLE backup (made_at INTEGER NOT NULL, kill_mark TEXT) STRICT');
      copy.prepare<[number, string | null]>('INSERT INTO backup VALUES (?, ?)').run(note.at, note.killFile);
      copy.pragma(`application_id = ${BACKUP_APPLICATION_ID}`);
    });
    const hash = computeHash(partial);
    renameDurably(partial, target);
    return { ...counts, ...hash };
  });
}

/**
 * Creates the database of a bot from a backup. The caller must hold the lock of the database.
 * @param file a database that does not exist
 * @param sha256 expected hash of the backup; undefined accepts any
 * @param storeKillFile stores the backup's kill file before the database gets its name. No bot then starts without it
 * @throws FileFault if the backup is missing, damaged or of a later version, or a file of the database exists
 */
export function restoreBot(
  backup: string,
  file: string,
  sha256: string | undefined,
  storeKillFile: (content: string) => void,
): BackupReport & { readonly note: BackupNote } {
  assertExists(backup, 'Name a backup');
  if (readApplicationId(backup) !== BACKUP_APPLICATION_ID) {
    const remedy = 'Name a file that `halfspread backup` wrote';
    throw new FileFault(backup, undefined, 'it is not a backup of a bot', remedy);
  }
  assertAbsent([...sqliteFiles(file), `${file}-intents`, commitMarkPath(file)]);
  const partial = `${file}.partial`;
  assertNoLeftovers(partial);
  return removeOnFailure(partial, () => {
    withDiskFaults(partial, 'written', () => copyFileSync(backup, partial, constants.COPYFILE_EXCL));
    makePrivate([partial]);
    const hash = computeHash(partial);
    if (sha256 !== undefined && sha256.toLowerCase() !== hash.sha256) {
      const problem = `its sha256 is ${hash.sha256}, not ${sha256}`;
      throw new FileFault(backup, undefined, problem, 'It was changed or truncated: use another backup');
    }
    const note = withPartial(partial, backup, (copy) => convertBackup(backup, copy));
    const { bot, lastStep, orders, fills } = verify(partial, backup);
    if (note.killFile !== null) storeKillFile(note.killFile);
    renameDurably(partial, file);
    return { bot, lastStep, orders, fills, ...hash, note };
  });
}

/** Turns a backup into a bot's database, with a gap that the next start closes. */
function convertBackup(backup: string, copy: Connection): BackupNote {
  const found = copy.prepare<[], { made_at: number; kill_mark: string | null }>('SELECT * FROM backup').get();
  if (found === undefined) throw new FileFault(backup, 'table backup', 'its row is missing', 'Use another backup');
  copy.exec('DROP TABLE backup');
  copy.pragma(`application_id = ${BOT_APPLICATION_ID}`);
  prepareFile(backup, copy, BOT_MIGRATIONS, BOT_APPLICATION_ID);
  // `addGap` starts the gap at the last data of the backup, or in 1970 for a backup without data.
  addGap(copy, { cause: 'RESTORED', from: 0, acknowledgedAt: undefined, commits: 0, entries: 0 });
  endUse(copy);
  return { at: found.made_at, killFile: found.kill_mark };
}

/** Returns whether the file exists and is a backup of a bot. @throws FileFault for an unreadable file */
export function isBackup(file: string): boolean {
  return existsSync(file) && readApplicationId(file) === BACKUP_APPLICATION_ID;
}

function assertBotFile(file: string): void {
  assertExists(file, 'Name the file that the bot was started with');
  if (!isBotFile(file))
    throw new FileFault(file, undefined, 'it is not the database of a bot', 'Name the database of a bot');
  // SQLite does not detect a missing or foreign log. A running bot has already checked its log.
  const loss = isLocked(`${file}.lock`) ? undefined : findLoss(readDatabaseFiles(file, 'entry'));
  if (loss !== undefined) throw loss.fault;
}

function assertVersion(file: string, connection: Connection): void {
  const version = Number(connection.pragma('user_version', { simple: true }));
  if (version === BOT_MIGRATIONS.length) return;
  const problem = `it has version ${version}, but this program reads version ${BOT_MIGRATIONS.length}`;
  throw new FileFault(file, undefined, problem, 'Back it up with the version of halfspread that the bot last ran with');
}

function assertAbsent(paths: readonly string[]): void {
  const existing = paths.find((path) => existsSync(path));
  if (existing === undefined) return;
  const remedy = 'Existing files are not replaced: name another file, or move this file away';
  throw new FileFault(existing, undefined, 'it exists already', remedy);
}

/** Refuses left-over files, because SQLite would apply an old journal to the new copy. @throws FileFault */
function assertNoLeftovers(partial: string): void {
  const leftovers = sqliteFiles(partial).filter((path) => existsSync(path));
  const [first] = leftovers;
  if (first === undefined) return;
  const remedy = `If no other backup or restore is running, a killed one left this file. Remove it: rm ${leftovers.join(' ')}`;
  throw new FileFault(first, undefined, 'it exists already', remedy);
}

function removeOnFailure<T>(partial: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    for (const path of sqliteFiles(partial)) rmSync(path, { force: true });
    throw error;
  }
}

/** Runs `work` on the database in a partial file. @param name file name for errors */
function withPartial<T>(partial: string, name: string, work: (copy: Connection) => T): T {
  const copy = connect(partial, { cacheMb: 4, name });
  try {
    return withSqliteFaults(name, 'read or written', () => work(copy));
  } finally {
    copy.close();
  }
}

/** Checks a partial file. @param name file name for errors. @throws FileFault for the first finding */
function verify(partial: string, name: string): Omit<BackupReport, 'bytes' | 'sha256'> {
  const { name: bot, lastStep, structure, steps, rows, log } = checkBotFile(partial, { replay: false });
  const [finding] = [...structure, ...steps, ...rows, ...log];
  if (finding !== undefined || bot === undefined) {
    const remedy = 'Check the bot’s database (`npx halfspread journal check`) while the bot does not run';
    throw new FileFault(name, undefined, `the copy is damaged: ${finding ?? 'it has no owner'}`, remedy);
  }
  return withPartial(partial, name, (copy) => {
    const count = (table: string) => copy.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
    return { bot, lastStep, orders: count('orders'), fills: count('fills') };
  });
}

function computeHash(file: string): Pick<BackupReport, 'bytes' | 'sha256'> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(HASH_CHUNK_BYTES);
  let bytes = 0;
  withDiskFaults(file, 'read or written', () =>
    withFile(file, 'r', (fd) => {
      for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
        hash.update(chunk.subarray(0, read));
        bytes += read;
      }
    }),
  );
  return { bytes, sha256: hash.digest('hex') };
}

/** Gives a complete file its name. @throws FileFault if the target exists */
function renameDurably(partial: string, target: string): void {
  sync(partial, 'r+');
  assertAbsent([target]);
  withDiskFaults(target, 'written', () => renameSync(partial, target));
  sync(dirname(target), 'r');
}

function sync(path: string, flags: string): void {
  withDiskFaults(path, 'read or written', () => withFile(path, flags, fsyncSync));
}
