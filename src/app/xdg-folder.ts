import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import { InputFault } from '../domain/index.ts';

/** Returns the folder that an XDG variable names, or else a folder in the user's home. @throws InputFault */
export function xdgFolder(name: 'XDG_CACHE_HOME' | 'XDG_STATE_HOME', ...fallback: readonly string[]): string {
  const folder = process.env[name];
  // The XDG specification treats an empty or a relative path as unset.
  if (folder !== undefined && isAbsolute(folder)) return folder;
  return join(homeFolder(name), ...fallback);
}

function homeFolder(name: string): string {
  try {
    // `homedir` returns HOME even if it is empty. Both functions throw for a user without an entry in the system.
    return isAbsolute(homedir()) ? homedir() : userInfo().homedir;
  } catch (cause) {
    const expected = `an absolute path, or one in ${name}, because the system knows no home folder of this user`;
    throw new InputFault('HOME', undefined, expected, { cause });
  }
}
