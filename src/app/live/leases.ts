/** Leases ensure that one bot at a time uses a database and an account. */
import { hostname } from 'node:os';
import process from 'node:process';
import type { Clock } from '../../clock/index.ts';
import { formatTime } from '../../domain/index.ts';
import { leaseTouchedAt, machineStart, takeLease } from '../../store/index.ts';
import { sharedLease } from '../shared-lease.ts';
import { lostTime } from './lost-time.ts';
import type { LiveStart } from './opened-live.ts';

export interface TakenLeases {
  /** Name of the account in messages and in the bot's database. */
  readonly name: string;
  /** As `lostTime` returns it. */
  readonly lostSince: ReturnType<typeof lostTime>;
  /** When an earlier process was last alive, epoch ms; undefined without one. */
  readonly lastAlive: number | undefined;
}

/** Holds both leases until the bot is closed. @param url of the venue. @throws FileFault for a lease that another bot has */
export function takeLeases(
  { paths: { db }, closers }: Pick<LiveStart, 'paths' | 'closers'>,
  { address, url, clock }: { readonly address: string; readonly url: string; readonly clock: Clock },
): TakenLeases {
  const databaseLease = `${db}.lock`;
  const name = `account ${address} at ${url}`;
  const leases = [
    { path: databaseLease, what: `the database ${db}` },
    { path: sharedLease(`${address}\n${url}`), what: name },
  ];
  const holder = { pid: process.pid, host: hostname(), since: formatTime(clock.now()), file: db, boot: machineStart() };
  const lostSince = lostTime(databaseLease, clock);
  const lastAlive = leaseTouchedAt(databaseLease);
  closers.add(takeLease(leases, holder));
  return { name, lostSince, lastAlive };
}
