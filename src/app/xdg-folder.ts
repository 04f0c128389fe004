import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the folder that an XDG variable names, or else a folder in the user's home. */
export function xdgFolder(variable: string | undefined, ...fallback: readonly string[]): string {
  // The XDG specification treats an empty or a relative path as unset.
  if (variable !== undefined && isAbsolute(variable)) return variable;
  // `homedir` returns HOME even if it is empty.
  return join(isAbsolute(homedir()) ? homedir() : userInfo().homedir, ...fallback);
}
