/** Checks the files and folders that a bot's configuration names, without the venue and without secrets. */
import { dirname, resolve } from 'node:path';
import type { LiveConfiguration } from '../../config/live-file.ts';
import { FileFault, InputFault } from '../../domain/index.ts';
import { checkControlPath, checkLogFile } from '../../ops/index.ts';
import { checkFolder } from '../../runtime/index.ts';
import { checkPlace, isBotFile, isEmptyFile } from '../../store/index.ts';
import { readOperationTexts } from '../../venues/service/index.ts';
import { checkSignalSources } from '../signal-sources.ts';
import { openGrids } from './grids.ts';
import type { LivePaths } from './paths.ts';
import { refuseSharedPaths } from './shared-paths.ts';

/** Changes nothing. @throws InputFault for a field, FileFault for a file or folder */
export function checkLocally(live: LiveConfiguration, paths: LivePaths): void {
  const { configuration, file } = live;
  refuseSharedPaths(live, paths);
  if (paths.log !== undefined) checkLogFile(paths.log);
  if (file.mode !== 'paper') {
    if (file.account.key === undefined) throw missingKey();
    checkDatabase(paths.db);
  }
  checkControlPath(paths.socket);
  if (paths.record !== undefined) {
    checkFolder(paths.record.folder, 'Set `record` to a folder that this user may write to');
  }
  const { operations } = file.venue;
  if (operations !== undefined) readOperationTexts(resolve(dirname(configuration.path), operations));
  openGrids(live);
  checkSignalSources(live);
}

export function missingKey(): InputFault {
  return new InputFault('account', undefined, 'a key that signs orders: key: { env: HALFSPREAD_KEY }');
}

function checkDatabase(path: string): void {
  checkPlace(path);
  if (isEmptyFile(path) || isBotFile(path)) return;
  throw new FileFault(path, undefined, 'this is not the database of a bot', 'Set `db` to another file');
}
