import { join } from 'node:path';
import process from 'node:process';
import type { RemoteAccess } from '../backtest/index.ts';
import { xdgFolder } from './xdg-folder.ts';

/** Reads the cache folder of remote tapes and the credentials for buckets from the usual environment variables. */
export function remoteAccess(onProgress?: RemoteAccess['onProgress']): RemoteAccess {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    cacheFolder: join(xdgFolder('XDG_CACHE_HOME', '.cache'), 'halfspread'),
    ...(hasKeys && { credentials: { accessKeyId, secretAccessKey, sessionToken } }),
    ...(onProgress !== undefined && { onProgress }),
  };
}
