/** Paths of a bot's files, and command lines that name them. */
import { readdirSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { readLiveFile } from '../../config/live-file.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { InputFault } from '../../domain/index.ts';
import type { Rotation } from '../../history/index.ts';
import { type Log, shellQuote } from '../../ops/index.ts';
import { exposedFiles, sqliteFiles } from '../../store/index.ts';

const DEFAULT_FOLDER = 'recordings';
/** Files of a recording, complete or interrupted. */
const RECORDING = /\.(steps|frames|tape|signals)(\.|$)/;

/** Absolute paths. */
export interface LivePaths {
  readonly db: string;
  readonly socket: string;
  /** File that exists while the bot is killed (`kill-file.ts`). */
  readonly killFilePath: string;
  readonly log: string | undefined;
  /** Folder of recordings, and whether to keep raw frames; undefined without a recording. */
  readonly record:
    | { readonly folder: string; readonly raw: boolean; readonly rotation: Rotation | undefined }
    | undefined;
}

/** Resolves relative paths from the working folder. @param db given on the command line */
export function livePaths(
  { path }: Pick<Configuration, 'path'>,
  { db: configured, control, log, record }: Pick<LiveFile, 'db' | 'control' | 'log' | 'record'>,
  cwd: string,
  db?: string,
): LivePaths {
  const file = resolve(cwd, db ?? configured ?? `${basename(path, extname(path))}.db`);
  return {
    db: file,
    socket: resolve(cwd, control.socket ?? defaultSocketPath(file)),
    killFilePath: killFilePath(file),
    log: log.file === undefined ? undefined : resolve(cwd, log.file),
    record: recordPaths(record, cwd),
  };
}

function recordPaths(record: LiveFile['record'], cwd: string): LivePaths['record'] {
  if (record === false) return undefined;
  if (record === true || typeof record === 'string') {
    const folder = resolve(cwd, record === true ? DEFAULT_FOLDER : record);
    return { folder, raw: false, rotation: undefined };
  }
  const { folder = DEFAULT_FOLDER, raw, rotate_mb: mb, rotate_h: hours } = record;
  const bytes = mb === 'none' ? Number.POSITIVE_INFINITY : mb * 1e6;
  const ms = hours === 'none' ? Number.POSITIVE_INFINITY : hours * 3_600_000;
  return { folder: resolve(cwd, folder), raw, rotation: mb === 'none' && hours === 'none' ? undefined : { bytes, ms } };
}

type BotPaths = Pick<LivePaths, 'socket' | 'db' | 'killFilePath'>;

/** Returns a bot's paths from its YAML file or its database. @throws InputFault without either; ConfigFault */
export function botPaths(config: string | undefined, db: string | undefined, cwd: string): BotPaths {
  if (config !== undefined) {
    const { configuration, file } = readLiveFile(config, cwd);
    return livePaths(configuration, file, cwd, db);
  }
  if (db === undefined) throw new InputFault('config', undefined, "the bot's YAML file, or its database (--db)");
  const path = resolve(cwd, db);
  return { db: path, socket: defaultSocketPath(path), killFilePath: killFilePath(path) };
}

/** Returns a bot's paths. @param bot a YAML file, or a database */
export function botPathsFromFile(bot: string, cwd: string): BotPaths {
  return /\.ya?ml$/i.test(bot) ? botPaths(bot, undefined, cwd) : botPaths(undefined, bot, cwd);
}

/** Returns all files of a bot that contain trading data, including existing recordings. */
export function botFiles({ db, log, record }: LivePaths): readonly string[] {
  const recordings = record === undefined ? [] : recordingsIn(record.folder);
  return [...botDatabaseFiles(db), ...(log === undefined ? [] : [log]), ...recordings];
}

/** Returns all files of a bot's database, with its lease and kill file. */
export function botDatabaseFiles(db: string): readonly string[] {
  return [...databaseFiles(db), `${db}.lock`, `${db}.lock.json`, killFilePath(db)];
}

/** Returns all files of a bot's or venue's database. */
export function databaseFiles(db: string): readonly string[] {
  return [...sqliteFiles(db), `${db}-intents`, `${db}-lock`, `${db}-mark`];
}

export function warnAboutExposedFiles(files: readonly string[], log: Pick<Log, 'warn'>): void {
  for (const { path: file, mode } of exposedFiles(files))
    log.warn({ file, mode: mode.toString(8) }, 'other users can access this file: run chmod 600');
}

function recordingsIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => RECORDING.test(name));
    return names.map((name) => join(folder, name));
  } catch {
    // The first recording creates the folder.
    return [];
  }
}

function killFilePath(db: string): string {
  return `${db}.killed`;
}

/** Returns a command line that works in any folder. Names the database, or the YAML file if it sets the socket. */
export function botCommand(
  { db, socket }: Pick<LivePaths, 'db' | 'socket'>,
  config: string,
  command: readonly string[],
): string {
  const line = `npx halfspread ${command.map(shellQuote).join(' ')}`;
  if (socket === defaultSocketPath(db)) return `${line} --db ${shellQuote(db)}`;
  return `${line} ${/^(market|set|signal)$/.test(command[0] ?? '') ? '--config ' : ''}${shellQuote(config)}`;
}

/** Returns functions that format command lines for messages. @param config absolute path */
export function commandLines(paths: Pick<LivePaths, 'db' | 'socket'>, config: string) {
  return {
    commandLine: (...command: readonly string[]) => botCommand(paths, config, command),
    venueCommandLine: (command: string) => venueCommand(config, command),
  };
}

/** Returns a command line that runs at the venue instead of the bot, such as for `orders`. */
export function venueCommand(config: string, command: string): string {
  return `npx halfspread ${command} --venue ${shellQuote(config)}`;
}

function defaultSocketPath(db: string): string {
  return `${db.slice(0, db.length - extname(db).length)}.sock`;
}
