/** Where a bot keeps what it keeps. */
import { readdirSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { readLiveFile } from '../../config/live-file.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { InputFault } from '../../domain/index.ts';
import type { Log } from '../../ops/index.ts';
import { looseFiles, sqliteFiles } from '../../store/index.ts';

const PRESET = 'recordings';
/** Files of a recording, whole or cut off. */
const RECORDING = /\.(steps|frames|tape|signals)(\.|$)/;

/** Absolute paths. */
export interface LivePaths {
  readonly db: string;
  readonly socket: string;
  /** Written by the watchdog when it had to end the process. */
  readonly marker: string;
  readonly log: string | undefined;
  /** Folder of recordings, and whether frames are kept as they come; undefined where nothing is recorded. */
  readonly record: { readonly folder: string; readonly raw: boolean } | undefined;
}

/** What is written goes beside the working folder's other results. @param db given on the command line */
export function livePaths(
  { path }: Pick<Configuration, 'path'>,
  { db: named, control, log, record }: Pick<LiveFile, 'db' | 'control' | 'log' | 'record'>,
  cwd: string,
  db?: string,
): LivePaths {
  const file = resolve(cwd, db ?? named ?? `${basename(path, extname(path))}.db`);
  return {
    db: file,
    socket: resolve(cwd, control.socket ?? socketOf(file)),
    marker: markerOf(file),
    log: log.file === undefined ? undefined : resolve(cwd, log.file),
    record: recordOf(record, cwd),
  };
}

function recordOf(record: LiveFile['record'], cwd: string): LivePaths['record'] {
  if (record === false) return undefined;
  const { folder = PRESET, raw = false } = typeof record === 'object' ? record : {};
  return { folder: resolve(cwd, typeof record === 'string' ? record : folder), raw };
}

/** Paths of a bot by its configuration or its database. @throws InputFault where neither is named; as `readLiveFile` */
export function botPlaces(
  config: string | undefined,
  db: string | undefined,
  cwd: string,
): Pick<LivePaths, 'socket' | 'db' | 'marker'> {
  if (config !== undefined) {
    const { configuration, file } = readLiveFile(config, cwd);
    return livePaths(configuration, file, cwd, db);
  }
  if (db === undefined) throw new InputFault('config', undefined, "the bot's YAML file, or its database (--db)");
  const path = resolve(cwd, db);
  return { db: path, socket: socketOf(path), marker: markerOf(path) };
}

/** Names of all files that a bot makes and that hold what it trades; recordings as far as they are there. */
export function botFiles({ db, log, record }: LivePaths): readonly string[] {
  const recordings = record === undefined ? [] : recordingsIn(record.folder);
  return [
    ...databaseFiles(db),
    `${db}.lock`,
    `${db}.lock.json`,
    markerOf(db),
    ...(log === undefined ? [] : [log]),
    ...recordings,
  ];
}

/** Names of a database's files, of a bot or of a venue. */
export function databaseFiles(db: string): readonly string[] {
  return [...sqliteFiles(db), `${db}-intents`, `${db}-lock`];
}

export function warnOfLooseFiles(files: readonly string[], log: Pick<Log, 'warn'>): void {
  for (const { path: file, mode } of looseFiles(files)) {
    log.warn({ file, mode: mode.toString(8) }, 'others than its owner may use this file: chmod 600');
  }
}

function recordingsIn(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    // It is made with the first recording.
    return [];
  }
  return names.filter((name) => RECORDING.test(name)).map((name) => join(folder, name));
}

export function markerOf(db: string): string {
  return `${db}.killed`;
}

/** A command line that reaches this bot from any folder: by its database where the socket follows from it, else its file. */
export function botCommand(
  { db, socket }: Pick<LivePaths, 'db' | 'socket'>,
  config: string,
  command: readonly string[],
): string {
  const line = `npx halfspread ${command.map(quoted).join(' ')}`;
  if (socket === socketOf(db)) return `${line} --db ${quoted(db)}`;
  return `${line} ${command[0] === 'market' || command[0] === 'set' || command[0] === 'signal' ? '--config ' : ''}${quoted(config)}`;
}

/** Command lines for people, as `LiveBotParts` has them. @param config absolute path */
export function commandLines(paths: Pick<LivePaths, 'db' | 'socket'>, config: string) {
  return {
    commandLine: (...command: readonly string[]) => botCommand(paths, config, command),
    venueCommandLine: (command: string) => venueCommand(config, command),
  };
}

/** A command line that asks the venue itself about the account: `orders`, `cancel-all`. */
export function venueCommand(config: string, command: string): string {
  return `npx halfspread ${command} --venue ${quoted(config)}`;
}

/** As one argument of a shell. */
function quoted(path: string): string {
  return /^[\w./:@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** The socket of a bot of which only the database is known. */
function socketOf(db: string): string {
  return `${db.slice(0, db.length - extname(db).length)}.sock`;
}
