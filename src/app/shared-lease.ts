/** Leases by name, common to all processes of this user on this machine: one of them at a time. */
import { createHash } from 'node:crypto';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { wallClock } from '../clock/index.ts';
import { formatTime } from '../domain/index.ts';
import { makeFolder } from '../runtime/index.ts';
import { takeLease } from '../store/index.ts';

/** Path of the lease of a name. Creates its folder. */
export function sharedLease(name: string): string {
  return join(leaseFolder(), `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`);
}

/**
 * Imports into a folder while no other process imports under the same name, as both would write the same parts.
 * @throws FileFault that names the other process
 */
export async function whileImporting<T>(folder: string, name: string, work: () => Promise<T>): Promise<T> {
  const path = join(folder, `${name}.tape`);
  const holder = { pid: process.pid, host: hostname(), since: formatTime(wallClock().now()), file: path };
  const lease = { path: sharedLease(`import\n${path}`), what: `the tape ${path}` };
  const free = takeLease([{ ...lease, remedy: 'Wait until it ends, or import into another folder' }], holder);
  try {
    return await work();
  } finally {
    free();
  }
}

function leaseFolder(): string {
  const { XDG_STATE_HOME: state = join(homedir(), '.local', 'state') } = process.env;
  for (const folder of [join(state, 'halfspread'), join(tmpdir(), `halfspread-${userInfo().uid}`)]) {
    try {
      makeFolder(folder, 0o700);
      return folder;
    } catch {
      // A user without a home folder: try the next place.
    }
  }
  return tmpdir();
}
