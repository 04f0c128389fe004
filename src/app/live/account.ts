/** The account of a live bot: leases make sure that no other bot uses it, and a separate session serves kill switch and watchdog. */
import { hostname } from 'node:os';
import process from 'node:process';
import { formatTime } from '../../domain/index.ts';
import {
  type AccountClient,
  type Credentials,
  clearControlPath,
  DirectAccess,
  type Log,
  type Redactor,
} from '../../ops/index.ts';
import type { Hex, SigningKey } from '../../signing/index.ts';
import { type BotStore, leaseTouchedAt, machineStart, takeLease } from '../../store/index.ts';
import { keepEpoch } from '../../venues/service/index.ts';
import { sharedLease } from '../shared-lease.ts';
import { openOwner, type VenueAccess } from '../venue-access.ts';
import { missingKey } from './local-checks.ts';
import { lostTime } from './lost-time.ts';
import type { LiveStart } from './opened-live.ts';

/** Opens the key, takes the leases and logs in. @throws InputFault without a key, FileFault for a lease, Fault LOGIN, LINK, BLOCKED */
export async function takeAccount(start: LiveStart, access: VenueAccess): Promise<TradingAccount> {
  const { live, paths, redactor, log, closers, outcome } = start;
  const { clock, http } = access;
  const { key, address, credentials } = start.owner ?? openOwner(live, access.signer, redactor);
  if (key === undefined || address === undefined) {
    throw live.configuration.blame(missingKey());
  }
  const name = `account ${address} at ${http.base}`;
  const leases = [
    { path: `${paths.db}.lock`, what: `the database ${paths.db}` },
    { path: sharedLease(`${address}\n${http.base}`), what: name },
  ];
  const holder = {
    pid: process.pid,
    host: hostname(),
    since: formatTime(clock.now()),
    file: paths.db,
    boot: machineStart(),
  };
  const lostSince = lostTime(`${paths.db}.lock`, clock);
  const lastAlive = leaseTouchedAt(`${paths.db}.lock`);
  closers.add(takeLease(leases, holder));
  // Before the first request to the venue.
  await clearControlPath(paths.socket);
  const account = new TradingAccount({ key, address, name, credentials, lostSince, lastAlive }, access, {
    log,
    redactor,
  });
  await account.open();
  // A watchdog that takes over needs the session.
  closers.add(() => account.close(!outcome.isLeftOpen));
  return account;
}

interface AccountFacts {
  /** Signs orders. */
  readonly key: SigningKey;
  /** Lower case. */
  readonly address: Hex;
  /** For messages and the bot's database. */
  readonly name: string;
  readonly credentials: Credentials;
  /** When the journal may have lost orders, by its last time; undefined when it cannot have. */
  readonly lostSince: ReturnType<typeof lostTime>;
  /** When an earlier process was last alive, epoch ms; undefined without one. */
  readonly lastAlive: number | undefined;
}

export class TradingAccount {
  readonly facts: AccountFacts;
  readonly #direct: DirectAccess;
  readonly #log: Log;
  #token = '';
  #renewed: (token: string) => void = () => {};
  #store: BotStore | undefined;

  constructor(
    facts: AccountFacts,
    { http, clock, login }: VenueAccess,
    { log, redactor }: { log: Log; redactor: Redactor },
  ) {
    this.facts = facts;
    this.#log = log;
    this.#direct = new DirectAccess({
      http,
      clock,
      log,
      credentials: facts.credentials,
      pins: login,
      onToken: (token) => {
        redactor.keepForNow(token);
        this.#token = token;
        this.#renewed(token);
      },
      // Orders that are signed after `resume` must have the order epoch that the kill began.
      onEpoch: (epoch) => {
        if (this.#store !== undefined) keepEpoch(this.#store, epoch, log);
      },
    });
  }

  /** A client that is independent of the bot. */
  get client(): AccountClient {
    return this.#direct.client;
  }

  /** Token of that client's session. */
  get token(): string {
    return this.#token;
  }

  /** @throws Fault LOGIN, LINK, BLOCKED */
  open(): Promise<void> {
    return this.#direct.open();
  }

  /** Stores order epochs in this store from now on. */
  keepEpochsIn(store: BotStore): void {
    this.#store = store;
  }

  onToken(renewed: (token: string) => void): void {
    this.#renewed = renewed;
  }

  /** Cancels every order of the account, independently of the run. Never rejects. */
  async cancelNow(): Promise<void> {
    try {
      await this.client.cancelAll();
    } catch (error) {
      this.#log.error({ err: error }, 'the last cancel failed');
    }
  }

  /** @param isOver whether to end the last session, too. Never rejects */
  close(isOver: boolean): Promise<void> {
    return this.#direct.close(isOver);
  }
}
