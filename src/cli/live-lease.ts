/** Where it is written that an account trades: one place for all bots of a user on this machine. */
import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { makeFolder } from '../runtime/index.ts';

/** A file of its own for each account and venue; its folder is made. */
export function accountLease(account: string, venue: string): string {
  const name = createHash('sha256').update(`${account}\n${venue}`).digest('hex').slice(0, 32);
  return join(leaseFolder(), `${name}.lock`);
}

function leaseFolder(): string {
  const { XDG_STATE_HOME: state = join(homedir(), '.local', 'state') } = process.env;
  for (const folder of [join(state, 'halfspread'), join(tmpdir(), `halfspread-${userInfo().uid}`)]) {
    try {
      makeFolder(folder, 0o700);
      return folder;
    } catch {
      // A user without a home of its own: the next place.
    }
  }
  return tmpdir();
}
