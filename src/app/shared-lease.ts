/** Leases by name, shared by all processes of a user on a machine. One process at a time holds a lease. */
import { createHash } from 'node:crypto';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { wallClock } from '../clock/index.ts';
import { formatTime } from '../domain/index.ts';
import { makeFolder } from '../runtime/index.ts';
import { type LeasePath, takeLease } from '../store/index.ts';
import { xdgFolder } from './xdg-folder.ts';

export function sharedLeasePath(name: string): string {
  return join(leaseFolder(), `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`);
}

/** Remedy when another process imports the same tape. */
export const IMPORT_REMEDY = 'Wait until it ends, or import into another folder';

/** Runs `work` while holding the file's lease. @param remedy advice if another process holds it @throws FileFault */
export function withFileLease<T>(path: string, remedy: string, work: () => Promise<T>): Promise<T> {
  return withLease({ path: sharedLeasePath(`file\n${path}`), resource: `the file ${path}`, remedy }, path, work);
}

/** Runs `work` on a stopped bot's database. @param remedy advice if the bot runs. @throws FileFault if the bot runs */
export function withStoppedBot(db: string, remedy: string, work: () => unknown): Promise<unknown> {
  return withLease({ path: `${db}.lock`, resource: `the database ${db}`, remedy }, db, work);
}

async function withLease<T>(lease: LeasePath, file: string, work: () => T): Promise<Awaited<T>> {
  const holder = { pid: process.pid, host: hostname(), since: formatTime(wallClock().now()), file };
  const release = takeLease([lease], holder);
  try {
    return await work();
  } finally {
    release();
  }
}

function leaseFolder(): string {
  const state = xdgFolder('XDG_STATE_HOME', '.local', 'state');
  // `userInfo` throws for a user without an entry in the system.
  for (const folder of [join(state, 'halfspread'), join(tmpdir(), `halfspread-${process.getuid?.() ?? -1}`)]) {
    try {
      makeFolder(folder, 0o700);
      return folder;
    } catch {
      // The user has no writable home folder, so the next folder is tried.
    }
  }
  return tmpdir();
}
