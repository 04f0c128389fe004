/** The account of a live bot at a service venue: a separate session serves kill switch and watchdog. */
import {
  type AccountClient,
  type Credentials,
  clearControlPath,
  DirectAccess,
  type Log,
  type Redactor,
} from '../../ops/index.ts';
import type { Hex, SigningKey } from '../../signing/index.ts';
import type { BotStore } from '../../store/index.ts';
import { storeEpoch } from '../../venues/service/index.ts';
import { cancelQuietly, openOwner, type VenueAccess } from '../venue-access.ts';
import { type TakenLeases, takeLeases } from './leases.ts';
import { missingKey } from './local-checks.ts';
import type { LiveStart } from './opened-live.ts';

/** Opens the key, takes the leases and logs in. @throws InputFault without a key, FileFault for a lease, Fault LOGIN, LINK, BLOCKED */
export async function takeAccount(start: LiveStart, access: VenueAccess): Promise<TradingAccount> {
  const { live, paths, redactor, log, closers, outcome } = start;
  const { clock, http } = access;
  const { key, address, credentials } = start.owner ?? openOwner(live, access.signer, redactor);
  if (key === undefined || address === undefined) {
    throw live.configuration.locateFault(missingKey());
  }
  const leases = takeLeases(start, { address, url: http.base, clock });
  // Before the first request to the venue.
  await clearControlPath(paths.socket);
  const account = new TradingAccount({ ...leases, key, address, credentials }, access, {
    log,
    redactor,
  });
  await account.open();
  // A watchdog that takes over needs the session.
  closers.add(() => account.close(!outcome.isLeftOpen));
  return account;
}

interface AccountFacts extends TakenLeases {
  readonly key: SigningKey;
  /** Lower case. */
  readonly address: Hex;
  readonly credentials: Credentials;
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
        redactor.addShortLivedSecret(token);
        this.#token = token;
        this.#renewed(token);
      },
      // Orders that are signed after `resume` must have the order epoch that the kill began.
      onEpoch: (epoch) => {
        if (this.#store !== undefined) storeEpoch(this.#store, epoch, log);
      },
    });
  }

  /** A client that is independent of the bot. */
  get client(): AccountClient {
    return this.#direct.client;
  }

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
  cancelNow(): Promise<void> {
    return cancelQuietly(this.client, this.#log);
  }

  /** @param isOver whether to end the last session, too. Never rejects */
  close(isOver: boolean): Promise<void> {
    return this.#direct.close(isOver);
  }
}
