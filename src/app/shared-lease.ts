/** Leases by name, common to all processes of this user on this machine: one of them at a time. */
import { createHash } from 'node:crypto';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { wallClock } from '../clock/index.ts';
import { formatTime } from '../domain/index.ts';
import { makeFolder } from '../runtime/index.ts';
import { type LeasePath, takeLease } from '../store/index.ts';

/** Path of the lease of a name. Creates its folder. */
export function sharedLease(name: string): string {
  return join(leaseFolder(), `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`);
}

/** Remedy where another process imports the same tape: both would write the same parts. */
export const IMPORT_ALONE = 'Wait until it ends, or import into another folder';

/**
 * Works on a file while no other process does.
 * @param remedy what to do where another one does
 * @throws FileFault that names the other process
 */
export function whileAlone<T>(path: string, remedy: string, work: () => Promise<T>): Promise<T> {
  return whileHeld({ path: sharedLease(`file\n${path}`), what: `the file ${path}`, remedy }, path, work);
}

/** Works on the database of a bot while the bot does not run. @param remedy what to do where it runs @throws FileFault then */
export function whileStopped(db: string, remedy: string, work: () => unknown): Promise<unknown> {
  return whileHeld({ path: `${db}.lock`, what: `the database ${db}`, remedy }, db, work);
}

async function whileHeld<T>(lease: LeasePath, file: string, work: () => T): Promise<Awaited<T>> {
  const holder = { pid: process.pid, host: hostname(), since: formatTime(wallClock().now()), file };
  const free = takeLease([lease], holder);
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
