/** The account of a live bot at a service venue: a separate session serves kill switch and watchdog. */
import { clearControlPath, DirectAccess } from '../../ops/index.ts';
import type { BotStore } from '../../store/index.ts';
import { storeEpoch } from '../../venues/service/index.ts';
import { cancelQuietly, openOwner, type VenueAccess } from '../venue-access.ts';
import { takeLeases } from './leases.ts';
import { missingKey } from './local-checks.ts';
import type { LiveStart } from './opened-live.ts';

/** The account of a bot, with a client that is independent of the bot. */
export type TradingAccount = Awaited<ReturnType<typeof takeAccount>>;

/** Opens the key, takes the leases and logs in. @throws InputFault without a key, FileFault for a lease, Fault LOGIN, LINK, BLOCKED */
export async function takeAccount(start: LiveStart, access: VenueAccess) {
  const { live, paths, redactor, log, closers, outcome } = start;
  const { http, clock, login } = access;
  const { key, address, credentials } = start.owner ?? openOwner(live, access.signer, redactor);
  if (key === undefined || address === undefined) {
    throw live.configuration.locateFault(missingKey());
  }
  const leases = takeLeases(start, { address, url: http.base, clock });
  // Before the first request to the venue.
  await clearControlPath(paths.socket);
  let store: BotStore | undefined;
  let token = '';
  let onToken = (_renewed: string): void => {};
  const direct = new DirectAccess({
    http,
    clock,
    log,
    credentials,
    pins: login,
    onToken(renewed) {
      redactor.addShortLivedSecret(renewed);
      token = renewed;
      onToken(renewed);
    },
    // Orders that are signed after `resume` must have the order epoch that the kill began.
    onEpoch(epoch) {
      if (store !== undefined) storeEpoch(store, epoch, log);
    },
  });
  await direct.open();
  // A watchdog that takes over needs the session.
  closers.add(() => direct.close(!outcome.isLeftOpen));
  return {
    facts: { ...leases, key, address, credentials },
    client: direct.client,
    /** Token of the last login. */
    token: () => token,
    /** Calls back with the token of each later login. */
    onToken(renewed: typeof onToken) {
      onToken = renewed;
    },
    /** Stores order epochs in this store from now on. */
    keepEpochsIn(botStore: BotStore) {
      store = botStore;
    },
    /** Cancels every order of the account, independently of the run. Never rejects. */
    cancelNow: () => cancelQuietly(direct.client, log),
  };
}
