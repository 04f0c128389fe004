/** Checks the files and folders that a bot's configuration names, without the venue and without secrets. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { LiveConfiguration } from '../../config/live-file.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { FileFault, InputFault } from '../../domain/index.ts';
import { getMember } from '../../network/index.ts';
import { checkControlPath, checkLogFile } from '../../ops/index.ts';
import { checkFolder } from '../../runtime/index.ts';
import { checkDatabasePath, isBotFile, isEmptyFile } from '../../store/index.ts';
import { readOperationTexts } from '../../venues/service/index.ts';
import { checkSignalSources } from '../signal-sources.ts';
import { missingKeyFault } from '../venue-access.ts';
import { openGrids } from './grids.ts';
import { botDatabaseFiles, type LivePaths } from './paths.ts';

/** Changes nothing. @throws InputFault for a field, FileFault for a file or folder */
export function checkConfiguredFiles(live: LiveConfiguration, paths: LivePaths): void {
  const { configuration, file } = live;
  refuseSharedPaths(live, paths);
  if (paths.log !== undefined) checkLogFile(paths.log);
  if (file.mode !== 'paper') {
    if (file.account.key === undefined) throw missingKeyFault();
    checkDatabasePath(paths.db);
    if (!isEmptyFile(paths.db) && !isBotFile(paths.db))
      throw new FileFault(paths.db, undefined, 'this is not the database of a bot', 'Set `db` to another file');
  }
  checkControlPath(paths.socket);
  if (paths.record !== undefined)
    checkFolder(paths.record.folder, 'Set `record` to a folder that this user may write to');
  const { operations } = file.venue;
  if (operations !== undefined) readOperationTexts(resolve(dirname(configuration.path), operations));
  openGrids(live);
  checkSignalSources(live);
}

interface FileUse {
  readonly path: string;
  readonly purpose: string;
  /** Field of the configuration; undefined for a derived path. */
  readonly field?: string | undefined;
}

/** Checks that no file of a bot has two purposes, because one use would overwrite the other. @throws InputFault */
function refuseSharedPaths({ configuration, file }: LiveConfiguration, paths: LivePaths): void {
  const { db, control } = file;
  const { log, record } = paths;
  const socketField = control.socket === undefined ? undefined : 'control.socket';
  const companions = botDatabaseFiles(paths.db).filter((path) => path !== paths.db);
  const uses: readonly FileUse[] = [
    { path: configuration.path, purpose: 'the configuration' },
    ...secretFiles(file, dirname(configuration.path)),
    { path: paths.db, purpose: 'the database', field: db === undefined ? undefined : 'db' },
    ...companions.map((path) => ({ path, purpose: 'a file of the database' })),
    ...(record === undefined ? [] : [{ path: record.folder, purpose: 'the folder of recordings', field: 'record' }]),
    ...(log === undefined ? [] : [{ path: log, purpose: 'the log file', field: 'log.file' }]),
    { path: paths.socket, purpose: 'the control socket', field: socketField },
  ];
  const usesByPath = new Map<string, FileUse>();
  for (const use of uses) {
    const real = realPath(use.path);
    const other = usesByPath.get(real);
    // Secrets are only read, so two secrets may share a file.
    if (other !== undefined && !(use.purpose === SECRET && other.purpose === SECRET)) throw sharedPathFault(use, other);
    usesByPath.set(real, use);
  }
}

/** Names the path that the configuration sets. */
function sharedPathFault(use: FileUse, other: FileUse): InputFault {
  const [changeable, fixed] = use.field === undefined && other.field !== undefined ? [other, use] : [use, other];
  const expected = `another path for ${changeable.purpose}, as this is ${fixed.purpose}`;
  return new InputFault(changeable.field ?? 'db', changeable.path, expected);
}

const SECRET = 'the file of a secret';

type SecretSource = readonly [field: string, source: unknown];

function secretFiles({ account, venue, control, alerts }: LiveFile, folder: string): readonly FileUse[] {
  const sources: readonly SecretSource[] = [
    ['account.key', account.key],
    ['account.api_key', account.api_key],
    ['control.tcp.token', control.tcp?.token],
    ['control.tcp.viewer_token', control.tcp?.viewer_token],
    ...headerSources('venue', venue.headers),
    ...alerts.targets.flatMap((target, index): readonly SecretSource[] => {
      const field = `alerts.targets[${index}]`;
      if (target.type === 'telegram') return [[`${field}.token`, target.token]];
      const headers = target.type === 'webhook' ? headerSources(field, target.headers) : [];
      return [[`${field}.url`, target.url], ...headers];
    }),
  ];
  return sources.flatMap(([field, source]) =>
    ['file', 'keystore', 'password_file'].flatMap((name) => {
      const path: unknown = getMember(source, name);
      if (typeof path !== 'string') return [];
      return { path: resolve(folder, path), purpose: SECRET, field: `${field}.${name}` };
    }),
  );
}

function headerSources(field: string, headers: LiveFile['venue']['headers']): readonly SecretSource[] {
  return Object.entries(headers).map(([name, source]) => [`${field}.headers.${name}`, source]);
}

/** Resolves symbolic links of the path, or of the folder if the path does not exist yet. */
function realPath(path: string): string {
  for (const [base, rest] of [
    [path, ''],
    [dirname(path), basename(path)],
  ] as const) {
    try {
      return join(realpathSync(base), rest);
    } catch {
      // `base` does not exist yet.
    }
  }
  return path;
}
