/** Detects that the machine went down while a bot was running, and when orders may be missing in its files. */
import { uptime } from 'node:os';
import type { Clock } from '../../clock/index.ts';
import { epochMs, formatTime } from '../../domain/index.ts';
import { GAP_CAUSES, type Gap } from '../../runtime/index.ts';
import { leaseHolder, machineStart } from '../../store/index.ts';
import type { LostTime } from '../../venues/base/index.ts';

/** Id of the current boot of the machine, and its uptime in seconds. */
export interface Machine {
  readonly start: string | undefined;
  readonly uptimeS: number;
}

/**
 * The journal may have lost orders from its last entry until the machine booted, unless the last holder of the lease had
 * ended. Call it before taking the lease.
 *
 * @returns a function of the time of the journal's last entry, epoch ms; undefined when no order can be missing
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

/** The time in which orders may be missing because of a known gap; undefined when none can be. */
export function gapTime({ cause, from }: Gap, clock: Clock, uptimeS = uptime()): LostTime | undefined {
  if (from === undefined) return undefined;
  return { from, to: cause === 'POWER_CUT' ? clock.now() - uptimeS * 1_000 : clock.now() };
}

export function gapText({ cause, from, commits, entries }: Gap): string {
  const until = from === undefined ? 'are empty' : `end at ${formatTime(epochMs(from))}`;
  return `${GAP_CAUSES[cause]}: its files ${until}, and ${commits} transactions and ${entries} log entries after that are missing. Orders of that time are cancelled, and the account is compared with the venue before the bot quotes`;
}
