/** Where the files of a bot are of which either the configuration is named or the database. */
import { resolve } from 'node:path';
import { InputFault } from '../domain/index.ts';
import { readLiveFile } from './live-file.ts';
import { type LivePaths, livePaths, markerOf, socketOf } from './live-paths.ts';

/** @throws InputFault where neither is named; as `readLiveFile` */
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
