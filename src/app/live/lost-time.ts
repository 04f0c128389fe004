/** Which start of this machine it is, to tell whether it went down under a bot. */
import { uptime } from 'node:os';
import type { Clock } from '../../clock/index.ts';
import { epochMs, formatTime } from '../../domain/index.ts';
import type { Gap } from '../../runtime/index.ts';
import { leaseHolder, machineStart } from '../../store/index.ts';
import type { LostTime } from '../../venues/service/index.ts';

/** This start of the machine, and for how many seconds it has run. */
export interface Machine {
  readonly start: string | undefined;
  readonly uptimeS: number;
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

/** When files may lack orders, by their known gap; undefined where no order can be missing. */
export function gapTime({ cause, from }: Gap, clock: Clock, uptimeS = uptime()): LostTime | undefined {
  if (from === undefined) return undefined;
  return { from, to: cause === 'POWER_CUT' ? clock.now() - uptimeS * 1_000 : clock.now() };
}

export function gapText({ cause, from, commits, entries }: Gap): string {
  const why = cause === 'POWER_CUT' ? 'the machine went down under the bot' : 'a loss was accepted';
  const until = from === undefined ? 'have nothing' : `end at ${formatTime(epochMs(from))}`;
  return `${why}: its files ${until}, and ${commits} transactions and ${entries} log entries after that are known to be missing. Orders of that time are cancelled, and the account is compared with the venue before anything is quoted`;
}
