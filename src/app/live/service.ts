/** Connects a bot to a service venue: market data for live and paper bots, account and orders for live bots. */
import { secureSeed, seededRandom } from '../../clock/index.ts';
import type { LiveConfiguration } from '../../config/live-file.ts';
import { clearControlPath, DirectAccess, type Log } from '../../ops/index.ts';
import { riskLimits } from '../../risk/index.ts';
import { signedMessages, signingBackend } from '../../signing/index.ts';
import type { BotStore } from '../../store/index.ts';
import {
  createTransport,
  measureClock,
  parseEndpoint,
  readTerms,
  ServiceDirectory,
  ServiceMarketData,
  ServiceVenue,
  storeEpoch,
  type Transport,
  type TransportOptions,
} from '../../venues/service/index.ts';
import { openAccount, openVenue, tryCancelAll, type VenueAccess } from '../venue-access.ts';
import { warmUp } from '../warmup/warmup.ts';
import { assertSigning, bookSettings, killLimits } from './checks.ts';
import { createVenueCallbacks, type TradingAccess, type VenueConnection } from './connection.ts';
import { takeLeases } from './leases.ts';
import { signableMarkets } from './market-selection.ts';
import type { OpenedTargets } from './messaging.ts';
import type { LiveStart } from './opened-live.ts';
import { SessionRecorder } from './recording.ts';
import { openWatchdog } from './watchdog.ts';

/** Connects without an account. @throws InputFault for a missing secret; FileFault for a GraphQL file; as `connect` */
export async function connectService(start: LiveStart): Promise<VenueConnection> {
  return connect(start, await openVenue(start.live, start.redactor));
}

/** Takes the lease of the account, logs in and connects. @throws as `connectService` and `openTradingAccount` */
export async function openService(start: LiveStart, { targets }: OpenedTargets): Promise<TradingAccess> {
  const { live, paths, log, closers, redactor } = start;
  const access = await openVenue(live, redactor);
  log.info({}, `signatures: ${signingBackend(access.signer)}`);
  const account = await openTradingAccount(start, access);
  const connection = await connect(start, access);
  const { key, address } = account.facts;
  return {
    connection,
    account,
    async checkSignatures(markets) {
      const signable = live.file.markets.select === undefined ? markets : await signableMarkets(connection.directory);
      await assertSigning({ ...access, key, address }, signable, riskLimits(live.file.risk));
    },
    openWatchdog: () => openWatchdog(start, { access, account, targets }),
    openSession(deps) {
      const { credentials, lastAlive } = account.facts;
      const { file } = live;
      const { markets, core, recovery } = deps;
      const callbacks = createVenueCallbacks(start, deps);
      account.storeEpochsIn(recovery.store);
      return new ServiceVenue({
        transport: connection.transport,
        marketData: connection.marketData,
        markets,
        signer: access.signer,
        messages: access.messages,
        login: access.login,
        key,
        address,
        credential: credentials.apiKey === undefined ? { type: 'login' } : { type: 'apiKey', key: credentials.apiKey },
        maxFeeBps: file.risk.max_fee_bps,
        records: recovery.store,
        view: core.state,
        unansweredConversions: core.state.snapshot().conversions,
        unrecorded: recovery.unrecorded,
        lastAlive,
        settings: {
          heartbeatMs: file.heartbeat_ms === 'none' ? 0 : file.heartbeat_ms,
          leftovers: file.leftovers,
          adopt: start.adopt,
          silenceMs: file.venue.silence_ms,
        },
        ...callbacks,
        onRecovered: (report) =>
          callbacks.onRecovered(
            report.cause === 'start' && recovery.gap !== undefined ? { ...report, gap: recovery.gap } : report,
          ),
      });
    },
    warmUp(counts) {
      // Uses a separate instance, because the bot's messages keep fields of the last order.
      const messages = signedMessages(access.signer, access.domains);
      return warmUp(live.file, { ...access, ...counts, log, messages, db: paths.db }, closers);
    },
  };
}

/** Creates a transport without connecting. @param onFrame receives each frame before the frame is decoded */
export function openTransport(
  { file }: Pick<LiveConfiguration, 'file'>,
  { clock, headers, operations }: VenueAccess,
  log: Log,
  onFrame: TransportOptions['onFrame'],
): Transport {
  const { url, ws_url: wsUrl, timeout_ms: timeoutMs } = file.venue;
  const endpoint = parseEndpoint({ url, headers, ...(wsUrl === undefined ? {} : { wsUrl }) });
  const random = seededRandom(secureSeed());
  return createTransport({ endpoint, operations, clock, log, random, settings: { timeoutMs }, onFrame });
}

/** Creates the transport and reads the venue's terms. @throws Fault LINK, BLOCKED, VENUE */
async function connect({ live, paths, log, closers }: LiveStart, access: VenueAccess) {
  const recorder = new SessionRecorder(paths);
  const transport = openTransport(live, access, log, recorder.onFrame);
  closers.add(() => transport.close());
  const terms = await readTerms(transport);
  return {
    url: access.http.baseUrl,
    clock: access.clock,
    transport,
    terms,
    recorder,
    directory: new ServiceDirectory(transport, terms),
    marketData: new ServiceMarketData({ transport, terms, settings: bookSettings(live.file) }),
    killLimits: killLimits(live.file, terms.maxClockSkew),
    offset: transport.offset,
    async measureClock() {
      await measureClock(transport);
    },
    open: () => transport.open(),
    close: () => transport.close(),
  } satisfies VenueConnection & { readonly transport: Transport };
}

/** Reads the key, takes leases and logs in. @throws InputFault without a key; FileFault; Fault LOGIN, LINK, BLOCKED */
async function openTradingAccount(start: LiveStart, access: VenueAccess) {
  const { live, paths, redactor, log, closers, outcome } = start;
  const { http, clock, login } = access;
  const { key, address, credentials } = openAccount(live, access.signer, redactor, start.owner);
  const leases = takeLeases(start, { address, url: http.baseUrl, clock });
  // Refuses a second bot with the same socket before the first request to the venue.
  await clearControlPath(paths.socket);
  let store: BotStore | undefined;
  let token = '';
  let publishToken = (_token: string): void => {};
  const direct = new DirectAccess({
    http,
    clock,
    log,
    credentials,
    pins: login,
    onToken(renewed) {
      redactor.addShortLivedSecret(renewed);
      token = renewed;
      publishToken(renewed);
    },
    // Orders that are signed after `resume` must have the order epoch that the kill began.
    onEpoch(epoch) {
      if (store !== undefined) storeEpoch(store, epoch, log);
    },
  });
  await direct.open();
  // A watchdog that takes over needs the session.
  closers.add(() => direct.close({ keepsLast: outcome.mayHaveOpenOrders }));
  return {
    facts: { ...leases, key, address, credentials },
    client: direct.client,
    token: () => token,
    /** Calls `callback` with the token of each later login. */
    onToken(callback: typeof publishToken) {
      publishToken = callback;
    },
    storeEpochsIn(botStore: BotStore) {
      store = botStore;
    },
    /** Cancels every order of the account, independently of the run. Never rejects. */
    cancelNow: () => tryCancelAll(direct.client, log),
  };
}
