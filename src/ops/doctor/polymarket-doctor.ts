/** Preflight checks of a bot on Polymarket. They place no order and sign only the login. */
import { WebSocket } from 'ws';
import { Fault, formatUsd, microUsd } from '../../domain/index.ts';
import { HttpClient, NETWORK_LIMITS } from '../../network/index.ts';
import type { PolymarketContracts, PolymarketExchange } from '../../protocol/polymarket/index.ts';
import type { Selection } from '../../venues/base/index.ts';
import { type AccountReader, ClobReader, PolymarketDirectory } from '../../venues/polymarket/index.ts';
import { checkLocally, type LocalInput } from './local-check.ts';
import { clockFinding, type Finding, fail, marketFindings, ok, type PreflightInput, warn } from './preflight.ts';
import { firstFinding, problemText } from './reach-check.ts';

export interface PolymarketPreflight extends LocalInput, Pick<PreflightInput, 'clock'> {
  readonly clobUrl: string;
  readonly gammaUrl: string;
  readonly wsUrl: string;
  readonly contracts: PolymarketContracts;
  readonly selection: Selection;
  /** Signs in with the key. @throws Fault LOGIN, LINK, BLOCKED */
  readonly open: () => Promise<PolymarketAccount>;
}

interface PolymarketAccount {
  readonly reader: AccountReader;
  orderVersion(): Promise<2 | 3>;
  close(): void;
}

/** The bot's own limit for the clocks' difference, because the venue documents none. */
const MAX_SKEW_MS = 30_000;
/** Resolution of `/time`. */
const WHOLE_SECOND_MS = 1_000;

/** Runs the checks in the order of their dependencies. A failed check skips the checks that depend on it. */
export async function* runPolymarketPreflight(input: PolymarketPreflight): AsyncGenerator<Finding, void> {
  yield* checkLocally(input);
  const http = new HttpClient({ clock: input.clock });
  try {
    const clock = await checkClock(http, input);
    yield clock;
    if (clock.name !== 'clock') return;
    yield await checkSocket(input);
    const { findings, exchanges } = await checkMarkets(http, input);
    yield* findings;
    if (!input.isPaper && input.key !== undefined) yield* checkAccount(input, exchanges);
  } finally {
    http.close();
  }
}

/** Returns a finding with the name `rest` instead of `clock` if the venue does not answer. */
async function checkClock(http: HttpClient, { clobUrl, clock, settings }: PolymarketPreflight): Promise<Finding> {
  const sentAt = clock.now();
  let seconds: number;
  try {
    seconds = await new ClobReader(http, clobUrl).time();
  } catch (error) {
    return fail('rest', problemText(error), 'Start the venue, or correct venue.url: it is the address of the CLOB');
  }
  const receivedAt = clock.now();
  const venueTime = seconds * WHOLE_SECOND_MS;
  const [aheadMs, behindMs] = [sentAt - venueTime - WHOLE_SECOND_MS, venueTime - receivedAt];
  const differenceMs = Math.max(0, aheadMs, behindMs);
  const allowedMs = Math.min(settings.clockSkewMs, MAX_SKEW_MS);
  const text = `${clobUrl} answers; its clock and this one differ by ${differenceMs} ms at least (${allowedMs} allowed)`;
  return clockFinding(text, differenceMs, allowedMs, 'requests');
}

function checkSocket({ wsUrl, clock }: PolymarketPreflight): Promise<Finding> {
  const url = `${wsUrl}/market`;
  const remedy = 'Correct venue.ws_url, or let WebSockets pass the proxy in between';
  const socket = new WebSocket(url, { followRedirects: false, maxPayload: NETWORK_LIMITS.messageBytes });
  return firstFinding(socket, { url, clock, remedy }, (settle) => {
    socket.on('open', () => settle(ok('socket', `${url} opens`)));
    socket.on('close', () => settle(fail('socket', `${url} ends the connection`, remedy)));
  });
}

async function checkMarkets(http: HttpClient, { clobUrl, gammaUrl, selection, settings }: PolymarketPreflight) {
  const findings: Finding[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => findings.push(skippedMarket(fields)) };
  const directory = new PolymarketDirectory({ http, gammaUrl, clobUrl, log });
  try {
    const markets = await directory.select(selection);
    const closed = markets.filter(({ state }) => state?.acceptingOrders === false).map(({ info }) => info.slug);
    const { maxFeeBps } = settings.risk;
    const tooExpensive = markets.filter(({ limits }) => limits.feeRateBps > maxFeeBps).map(({ info }) => info.slug);
    const checked = { count: markets.length, closed, tooExpensive, isComplete: !settings.hasSelection };
    findings.push(...marketFindings(checked, maxFeeBps));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    findings.push(fail('market', error.message, 'Correct `markets`, or venue.polymarket.gamma_url'));
  }
  return { findings, exchanges: directory.table.exchanges(2) };
}

function skippedMarket(fields: object): Finding {
  const { market = '', err } = { market: '', err: undefined, ...fields };
  return warn('market', `${String(market)} is left out: ${problemText(err)}`, 'Leave it out of the filter');
}

async function* checkAccount({ open, contracts }: PolymarketPreflight, exchanges: ReadonlySet<PolymarketExchange>) {
  let account: PolymarketAccount;
  try {
    account = await open();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield fail('login', error.message, 'Correct account.key, or what the message names');
    return;
  }
  const { reader } = account;
  try {
    yield ok('login', 'the API key of the signing key exists');
    const version = await account.orderVersion();
    yield version === 2
      ? ok('orders', 'of version 2 are accepted')
      : warn('orders', `of version ${version} are accepted`, 'Watch the first order: version 3 is untested');
    if (await reader.isClosedOnly())
      yield fail('account', 'positions may only be closed', 'Contact the venue: the bot does not start');
    const cash = microUsd(await reader.balances.readBalance());
    const remedy = 'Put pUSD into the account, or into the wallet that venue.polymarket.wallet names';
    yield cash > 0 ? ok('cash', formatUsd(cash)) : warn('cash', 'the account has no pUSD', remedy);
    const missing = await reader.balances.readUnapproved([...exchanges].map((name) => contracts[name]));
    const allowanceRemedy = 'Approve it once with the wallet that holds the money';
    yield missing.length === 0
      ? ok('allowances', 'the venue names no exchange contract without an allowance for pUSD')
      : fail('allowances', `${missing.join(', ')} may not move pUSD`, allowanceRemedy);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield fail('account', error.message, 'Correct what the message names, then run this again');
  } finally {
    account.close();
  }
}
