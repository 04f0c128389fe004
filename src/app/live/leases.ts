/**
 * Leases ensure that one bot at a time uses a database and an account. Leases also show whether the machine went down
 * while a bot was running, and when orders may be missing in the bot's files.
 */
import { hostname, uptime } from 'node:os';
import process from 'node:process';
import type { Clock } from '../../clock/index.ts';
import { epochMs, formatTime } from '../../domain/index.ts';
import { GAP_CAUSES, type Gap } from '../../runtime/index.ts';
import { leaseHolder, leaseTouchedAt, readBootId, takeLease } from '../../store/index.ts';
import type { UnrecordedPeriod } from '../../venues/base/index.ts';
import { sharedLeasePath } from '../shared-lease.ts';
import type { LiveStart } from './opened-live.ts';

export type TakenLeases = Readonly<ReturnType<typeof takeLeases>>;

/** Takes both leases until the bot is closed. @param url URL of the venue. @throws FileFault for another bot's lease */
export function takeLeases(
  { paths: { db }, closers }: Pick<LiveStart, 'paths' | 'closers'>,
  { address, url, clock }: { readonly address: string; readonly url: string; readonly clock: Clock },
) {
  const databaseLease = `${db}.lock`;
  const name = `account ${address} at ${url}`;
  const leases = [
    { path: databaseLease, resource: `the database ${db}` },
    { path: sharedLeasePath(`${address}\n${url}`), resource: name },
  ];
  const holder = { pid: process.pid, host: hostname(), since: formatTime(clock.now()), file: db, boot: readBootId() };
  const findUnrecordedPeriod = createUnrecordedPeriodFinder(databaseLease, clock);
  const lastAlive = leaseTouchedAt(databaseLease);
  closers.add(takeLease(leases, holder));
  return {
    /** Name of the account in messages and in the bot's database. */
    name,
    findUnrecordedPeriod,
    /** When an earlier process was last alive, epoch ms; undefined without an earlier process. */
    lastAlive,
  };
}

/**
 * Finds the time in which the journal may have lost orders: from its last entry to the machine's restart. Orders can be
 * lost only if the machine restarted while a process held the lease. Call this before you take the lease.
 * @returns a function of the last entry's time, epoch ms; undefined when no order can be missing
 */
export function createUnrecordedPeriodFinder(
  lease: string,
  clock: Clock,
  machine = { bootId: readBootId(), uptimeS: uptime() },
) {
  const holder = leaseHolder(lease);
  if (holder?.boot === undefined || machine.bootId === undefined || holder.boot === machine.bootId) return undefined;
  const to = clock.now() - machine.uptimeS * 1_000;
  return (lastAt: number | undefined): UnrecordedPeriod => ({ from: lastAt ?? Date.parse(holder.since), to });
}

/** Returns the time in which orders may be missing because of a known gap; undefined when no order can be missing. */
export function toUnrecordedPeriod(
  { cause, from }: Gap,
  clock: Clock,
  uptimeS = uptime(),
): UnrecordedPeriod | undefined {
  if (from === undefined) return undefined;
  return { from, to: cause === 'POWER_CUT' ? clock.now() - uptimeS * 1_000 : clock.now() };
}

export function gapText({ cause, from, commits, entries }: Gap): string {
  const until = from === undefined || from === 0 ? 'are empty' : `end at ${formatTime(epochMs(from))}`;
  return `${GAP_CAUSES[cause]}: its files ${until}, and ${commits} transactions and ${entries} log entries after that are missing. Orders of that time are cancelled, and the account is compared with the venue before the bot quotes`;
}
