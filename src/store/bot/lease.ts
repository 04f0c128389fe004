/**
 * Locks that limit a file or an account to one bot. The operating system releases a lock when its process ends for any
 * reason. A file next to the lock names the holder for error messages.
 */
import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { FileFault } from '../../domain/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import { checkDatabasePath, withDiskFaults } from '../disk-fault.ts';
import { isBusy, lockFile } from '../file-lock.ts';
import { makePrivate, OWNER_ONLY } from '../private-files.ts';

const MAX_HOLDER_BYTES = 65_536;

export interface LeaseHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  /** The bot's file. */
  readonly file: string;
  /** Id of the machine's last start; omitted if unknown. */
  readonly boot?: string | undefined;
}

export interface LeasePath {
  /** Path in an existing folder. */
  readonly path: string;
  /** The leased resource, for the error message: `the file bot.db`, `account 0x… at https://…`. */
  readonly resource: string;
  /** Remedy if another process holds the lock. Default: stop that process. */
  readonly remedy?: string;
}

/**
 * Takes all locks or none.
 * @returns a function that releases the locks
 * @throws FileFault that names the holder of a lock, or a file that cannot be written
 */
export function takeLease(paths: readonly LeasePath[], holder: LeaseHolder): () => void {
  const releases: (() => void)[] = [];
  const releaseAll = () => {
    for (const release of releases.splice(0).toReversed()) release();
  };
  try {
    for (const path of paths) releases.push(takeLock(path, holder));
  } catch (error) {
    releaseAll();
    throw error;
  }
  return releaseAll;
}

/** Returns the last recorded holder of a lease. Its process may have ended. Undefined if unreadable. */
export function leaseHolder(path: string): LeaseHolder | undefined {
  try {
    const text = readFileAtMost(holderFile(path), MAX_HOLDER_BYTES, 'a name').toString('utf8');
    const holder: LeaseHolder = JSON.parse(text);
    return holder;
  } catch {
    // The file is partly written or removed, so the holder is unknown. No decision depends on it.
    return undefined;
  }
}

/**
 * Records that the holder is alive. Call it once a second. Sets the file's time by path, because closing a second
 * handle of a locked file would release the lock.
 */
export function touchLease(path: string, now: number): void {
  utimesSync(path, now / 1_000, now / 1_000);
}

/** Returns when a holder was last alive, epoch ms; undefined without a lock file. Call it before `takeLease`. */
export function leaseTouchedAt(path: string): number | undefined {
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return touched === undefined ? undefined : Math.round(touched);
}

function takeLock({ path, resource, remedy = 'Stop that process first' }: LeasePath, holder: LeaseHolder): () => void {
  checkDatabasePath(path);
  const isNew = !existsSync(path);
  const unlock = lockOrThrow(path, resource, remedy);
  const release = () => {
    // A refused command must not leave a lock file if the bot's file does not exist.
    if (isNew && !existsSync(holder.file)) rmSync(path, { force: true });
    unlock();
  };
  try {
    makePrivate([path, holderFile(path)]);
    withDiskFaults(holderFile(path), 'written', () =>
      writeFileSync(holderFile(path), JSON.stringify(holder), { mode: OWNER_ONLY }),
    );
  } catch (error) {
    release();
    throw error;
  }
  return () => {
    rmSync(holderFile(path), { force: true });
    release();
  };
}

function lockOrThrow(path: string, resource: string, remedy: string): () => void {
  try {
    return lockFile(path);
  } catch (cause) {
    if (!isBusy(cause)) throw cause;
    const holder = leaseHolder(path);
    const { pid, host, since, file } = holder ?? {};
    const who = holder === undefined ? 'another process' : `process ${pid} on ${host} since ${since} (${file})`;
    throw new FileFault(path, undefined, `${who} uses ${resource}`, remedy, { cause });
  }
}

function holderFile(path: string): string {
  return `${path}.json`;
}
