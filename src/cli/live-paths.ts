/** Where a bot keeps what it keeps. */
import { basename, extname, resolve } from 'node:path';
import type { Configuration } from './configuration.ts';
import type { LiveFile } from './live-schema.ts';

const PRESET = 'recordings';

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

/** The mark of a bot's watchdog. */
export function markerOf(db: string): string {
  return `${db}.killed`;
}

/** The socket of a bot of which only the database is known. */
export function socketOf(db: string): string {
  return `${db.slice(0, db.length - extname(db).length)}.sock`;
}
