/** Polymarket as the venue of a bot: market data for live and paper bots, account and orders for live bots. */
import { secureSeed, seededRandom, steadyClock } from '../../clock/index.ts';
import type { LiveConfiguration } from '../../config/live-file.ts';
import { WALLETS } from '../../config/polymarket-schema.ts';
import { InputFault, microUsd, type Outcome, ZERO_USD } from '../../domain/index.ts';
import { HttpClient } from '../../network/index.ts';
import type { OrderCanceller, Redactor } from '../../ops/index.ts';
import { POLYMARKET_CONTRACTS, type PolymarketContracts } from '../../protocol/polymarket/index.ts';
import {
  exchangeDomain,
  loginDomain,
  polymarketSignIns,
  type Signer,
  type SigningKey,
  signedMessages,
} from '../../signing/index.ts';
import { ClockOffset, saltSecret } from '../../venues/base/index.ts';
import {
  AccountReader,
  CancelClient,
  listMarkets,
  openApiKey,
  PolymarketDirectory,
  PolymarketMarketData,
  PolymarketSigner,
  PolymarketVenue,
  RestClient,
  readOrderVersion,
} from '../../venues/polymarket/index.ts';
import { openAccount, openSigner, tryCancelAll } from '../venue-access.ts';
import { warmUp } from '../warmup/warmup.ts';
import { killLimits } from './checks.ts';
import { createVenueCallbacks, type TradingAccess, type VenueConnection } from './connection.ts';
import { takeLeases } from './leases.ts';
import type { LiveStart } from './opened-live.ts';
import { SessionRecorder } from './recording.ts';

const VALID_ADDRESS =
  "the key's own address, or none. If a wallet holds the money, set its kind: venue.polymarket.wallet";
/** The bot's own limit, because the venue documents none. */
const MAX_SKEW_MS = 30_000;
const BILLION_USD = microUsd(1e15);
/** The venue has no limits or fees that apply to all markets. */
const NO_LIMITS = { minBet: ZERO_USD, maxBet: BILLION_USD, maxExposure: BILLION_USD, feeRateBps: 0, spreadBps: 0 };

/** Connects without an account. @throws Fault LINK, VENUE */
export async function connectPolymarket({ live, paths, log, closers }: LiveStart) {
  const settings = polymarketSettings(live.file.venue);
  const { clobUrl, gammaUrl, wsUrl } = settings;
  const clock = steadyClock();
  const http = new HttpClient({ clock });
  closers.add(() => http.close());
  const directory = new PolymarketDirectory({ http, gammaUrl, clobUrl, log });
  const random = seededRandom(secureSeed());
  const marketData = new PolymarketMarketData({ clock, http, log, clobUrl, wsUrl, directory, random });
  return {
    url: clobUrl,
    clock,
    directory,
    marketData,
    settings,
    terms: NO_LIMITS,
    offset: marketData.offset,
    recorder: new SessionRecorder(paths),
    killLimits: killLimits(live.file, MAX_SKEW_MS),
    measureClock: () => marketData.measureClock(),
    // Channels open with the first market.
    open: () => Promise.resolve(),
    close: () => Promise.resolve(http.close()),
  } satisfies VenueConnection & Record<'settings', object>;
}

/** Takes leases, signs in and connects. @throws InputFault without a key; FileFault; Fault LOGIN, LINK, BLOCKED */
export async function openPolymarket(start: LiveStart): Promise<TradingAccess> {
  const { live, log, closers, redactor } = start;
  const signer = await openSigner();
  const { key, address } = openAccount(live, signer, redactor, start.owner);
  const connection = await connectPolymarket(start);
  const { clock, settings } = connection;
  if (settings.signatureType === WALLETS.eoa && address !== key.address)
    throw live.configuration.locateFault(new InputFault('account.address', address, VALID_ADDRESS));
  const facts = takeLeases(start, { address, url: settings.clobUrl, clock });
  await connection.measureClock();
  const { offset } = connection;
  const { rest, credentials } = await logIn(live, { clock, offset, signer, key, redactor });
  closers.add(() => rest.close());
  const client = new CancelClient(rest, clock);
  return {
    connection,
    account: {
      client: client satisfies OrderCanceller,
      facts: { ...facts, address },
      cancelNow: () => tryCancelAll(client, log),
    },
    // Checks nothing, because a wrong signature only makes the venue refuse the first order.
    checkSignatures: () => Promise.resolve(),
    openWatchdog() {
      if (live.file.heartbeat_ms !== 'none') return;
      const remedy = 'Remove heartbeat_ms: none: on Polymarket the heartbeat cancels the orders of a bot that hangs';
      throw new InputFault('heartbeat_ms', 'none', `a heartbeat. ${remedy}`);
    },
    openSession(deps) {
      const { chainId, contracts, signatureType, tier, sellableFrom, wsUrl } = settings;
      const { table } = connection.directory;
      return new PolymarketVenue({
        rest,
        credentials,
        userUrl: `${wsUrl}/user`,
        clock,
        random: seededRandom(secureSeed()),
        log,
        marketData: connection.marketData,
        markets: deps.markets,
        table,
        signer: new PolymarketSigner({
          signer,
          key,
          chainId,
          maker: signatureType === WALLETS.eoa ? key.address : address,
          signatureType,
          owner: credentials.apiKey,
          saltSecret: saltSecret(signer, key),
          markets: table,
        }),
        readVersion: () => readOrderVersion(rest),
        contracts,
        signatureType,
        records: deps.recovery.store,
        view: deps.core.state,
        lastAlive: facts.lastAlive,
        settings: { leftovers: live.file.leftovers, adopt: start.adopt, tier, sellableFrom },
        ...createVenueCallbacks(start, deps),
      });
    },
    warmUp(counts) {
      // Uses a market of `venues/service`, because its code from book to signature is nearly the same.
      const domains = {
        exchange: exchangeDomain(settings.chainId, settings.contracts.exchangeV2),
        login: loginDomain(settings.chainId),
      };
      const messages = signedMessages(signer, domains);
      return warmUp(live.file, { ...counts, clock, signer, messages, log, db: start.paths.db }, closers);
    },
  };
}

interface LogInDeps extends Pick<VenueConnection, 'clock' | 'offset'>, Pick<LiveStart, 'redactor'> {
  readonly signer: Signer;
  readonly key: SigningKey;
}

/** Opens a REST client with the API key that belongs to the signing key. @throws Fault LOGIN, LINK, BLOCKED */
async function logIn({ file }: LiveConfiguration, { clock, offset, signer, key, redactor }: LogInDeps) {
  const { clobUrl, chainId } = polymarketSettings(file.venue);
  const rest = new RestClient({ clobUrl, clock, offset, timeoutMs: file.venue.timeout_ms });
  const credentials = await openApiKey(rest, polymarketSignIns(signer, chainId), key);
  for (const secret of [credentials.secret, credentials.passphrase, credentials.apiKey]) redactor.addSecret(secret);
  rest.setCredentials(credentials);
  return { rest, credentials };
}

export type PolymarketAccess = Readonly<Awaited<ReturnType<typeof openPolymarketAccess>>>;

/** Opens access to the account, independent of any bot. @throws InputFault without a key, Fault LOGIN, LINK, BLOCKED */
export async function openPolymarketAccess(live: LiveConfiguration, redactor: Redactor) {
  const clock = steadyClock();
  const signer = await openSigner();
  const { key, address } = openAccount(live, signer, redactor);
  const { rest, credentials } = await logIn(live, { clock, offset: new ClockOffset(), signer, key, redactor });
  const { clobUrl: url, gammaUrl, signatureType } = polymarketSettings(live.file.venue);
  const http = new HttpClient({ clock });
  const maker = (signatureType === WALLETS.eoa ? key.address : address).toLowerCase();
  const owner = credentials.apiKey;
  return {
    client: new CancelClient(rest, clock),
    reader: new AccountReader({ rest, http, clock, gammaUrl, maker, signatureType, owner }),
    address,
    url,
    orderVersion: () => readOrderVersion(rest),
    /** Returns slug and outcome by token id. @param conditions condition ids of the markets */
    async findNames(
      conditions: readonly string[],
    ): Promise<ReadonlyMap<string, { readonly slug: string; readonly outcome: Outcome }>> {
      const names = [...new Set(conditions)];
      if (names.length === 0) return new Map();
      const listed = await listMarkets(http, gammaUrl, { names, tag: undefined, max: names.length });
      return new Map(
        listed.flatMap(({ record: { slug, market, assets } }) =>
          assets.map((asset, index) => [asset, { slug: slug ?? market, outcome: index === 0 ? 'YES' : 'NO' }] as const),
        ),
      );
    },
    close() {
      rest.close();
      http.close();
    },
  };
}

export async function withPolymarket<T>(
  live: LiveConfiguration,
  redactor: Redactor,
  work: (access: PolymarketAccess) => Promise<T>,
): Promise<T> {
  const access = await openPolymarketAccess(live, redactor);
  try {
    return await work(access);
  } finally {
    access.close();
  }
}

export function polymarketSettings(venue: LiveConfiguration['file']['venue']) {
  const { url, ws_url: wsUrl, chain_id: chainId, polymarket } = venue;
  const contracts: PolymarketContracts | undefined = POLYMARKET_CONTRACTS[chainId];
  if (polymarket === undefined || wsUrl === undefined || contracts === undefined)
    throw new Error('Invariant: the configuration of Polymarket was checked');
  const { gamma_url: gammaUrl, wallet, tier, sellable_from: sellableFrom } = polymarket;
  const withoutSlash = (text: string): string => text.replace(/\/+$/, '');
  return {
    clobUrl: withoutSlash(url),
    wsUrl: withoutSlash(wsUrl),
    gammaUrl: withoutSlash(gammaUrl),
    chainId,
    contracts,
    signatureType: WALLETS[wallet],
    tier,
    sellableFrom,
  };
}
