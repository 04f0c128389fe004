/** Which start of this machine it is, to tell whether it went down under a bot. */
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Clock } from '../clock/index.ts';
import { leaseHolder } from '../store/index.ts';
import type { LostTime } from '../venues/remote/index.ts';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** This start of the machine, and for how many seconds it has run. */
export interface Machine {
  readonly start: string | undefined;
  readonly uptimeS: number;
}

/** Another text after each start of the machine; undefined where the system does not tell (anything but Linux). */
export function machineStart(): string | undefined {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    // No Linux: then nobody can tell.
    return undefined;
  }
}

/**
 * When the journal may have lost orders: from its last moment until the machine began again, where the last bot on this
 * lease did not come to its end before that. To be asked before the lease is taken anew.
 *
 * @param lastAt of the journal, epoch ms; undefined where it has nothing
 */
export function lostTime(
  lease: string,
  clock: Clock,
  machine: Machine = { start: machineStart(), uptimeS: uptime() },
): ((lastAt: number | undefined) => LostTime) | undefined {
  const holder = leaseHolder(lease);
  if (holder?.boot === undefined || machine.start === undefined || holder.boot === machine.start) return undefined;
  const to = clock.now() - machine.uptimeS * 1_000;
  return (lastAt) => ({ from: lastAt ?? Date.parse(holder.since), to });
}
