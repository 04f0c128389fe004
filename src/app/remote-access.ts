import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { RemoteAccess } from '../backtest/index.ts';

/** Where copies of remote tapes are kept, and the keys for buckets, from the variables that S3 tools have in common. */
export function remoteAccess(onProgress?: RemoteAccess['onProgress']): RemoteAccess {
  const {
    XDG_CACHE_HOME: cache = join(homedir(), '.cache'),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    cacheFolder: join(cache, 'halfspread'),
    ...(hasKeys && { credentials: { accessKeyId, secretAccessKey, sessionToken } }),
    ...(onProgress !== undefined && { onProgress }),
  };
}
