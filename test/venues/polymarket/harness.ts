/** The embedded venue with its Polymarket API, and the adapter on it. */
import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import {
  type EpochMs,
  type InputEvent,
  LOT,
  type MarketStatus,
  unchecked,
  ZERO_USD,
} from '../../../src/domain/index.ts';
import { POLYMARKET_CONTRACTS } from '../../../src/protocol/polymarket/index.ts';
import { marketIdFromName } from '../../../src/runtime/index.ts';
import { type Hex, polymarketSignIns, type Signer } from '../../../src/signing/index.ts';
import type { MarketSetup } from '../../../src/state/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import {
  ClockOffset,
  type MarketData,
  type MarketDataSink,
  saltSecret,
  VenueOrders,
} from '../../../src/venues/base/index.ts';
import type { PolymarketMarketData } from '../../../src/venues/polymarket/market-data.ts';
import { MarketTable } from '../../../src/venues/polymarket/market-table.ts';
import { PolymarketSigner } from '../../../src/venues/polymarket/order-signer.ts';
import { OwnPrints } from '../../../src/venues/polymarket/own-prints.ts';
import type { PolymarketVenueSettings } from '../../../src/venues/polymarket/polymarket-venue.ts';
import { PolymarketVenue } from '../../../src/venues/polymarket/polymarket-venue.ts';
import { openApiKey, RestClient, readOrderVersion } from '../../../src/venues/polymarket/rest-client.ts';
import { openPolymarket, type PolymarketHarness } from '../../server/polymarket/harness.ts';
import { openSigner } from '../../signing/harness.ts';
import { MemoryRecords } from '../service/memory-records.ts';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const CHAIN = 137;

/** A market with the venue's ids. */
export interface TestMarket {
  /** Id at the exchange. */
  readonly id: string;
  readonly condition: string;
  readonly yes: string;
  readonly no: string;
}

/** Opens a new market. */
export async function openTestMarket(harness: PolymarketHarness, question: string): Promise<TestMarket> {
  const id = await harness.venue.market(question);
  let cursor = '';
  do {
    const answer = await fetch(`${harness.url}/markets?next_cursor=${cursor}`);
    const page: Page = JSON.parse(await answer.text());
    const found = page.data.find((each) => each.question === question);
    const [yes, no] = found?.tokens ?? [];
    if (found !== undefined && yes !== undefined && no !== undefined)
      return { id, condition: found.condition_id, yes: yes.token_id, no: no.token_id };
    cursor = page.next_cursor;
  } while (cursor !== 'LTE=');
  throw new Error(`no market "${question}"`);
}

interface Page {
  readonly next_cursor: string;
  readonly data: readonly {
    readonly question: string;
    readonly condition_id: string;
    readonly tokens: readonly { readonly token_id: string }[];
  }[];
}

export interface BotOptions {
  /** Default: the harness's first market. */
  readonly testMarket?: Pick<TestMarket, 'condition' | 'yes' | 'no'>;
  readonly isNegRisk?: boolean;
  /** Status of the market at the venue. Default: open. */
  readonly status?: () => MarketStatus;
  /** Number of the account's key. */
  readonly no: number;
  readonly settings?: Partial<PolymarketVenueSettings>;
  readonly records?: MemoryRecords;
  readonly state?: AccountState;
  /** Base URL of the Polymarket API, such as that of a proxy. Default: the harness's own. */
  readonly url?: string;
  readonly timeoutMs?: number;
  /** Default: nothing is logged. */
  readonly log?: typeof SILENT;
  readonly wallet?: { readonly type: number; readonly address: Hex };
}

/** The adapter and its parts. Market data only reports that the venue is up. */
export interface BotParts {
  readonly venue: PolymarketVenue;
  readonly state: AccountState;
  readonly records: MemoryRecords;
  readonly rest: RestClient;
  readonly orders: VenueOrders;
  readonly faults: Error[];
  readonly modes: string[];
  readonly repeated: string[];
  readonly address: Hex;
  token(outcome: 'YES' | 'NO'): string;
}

let signer: Signer | undefined;

export async function adapter(harness: PolymarketHarness, options: BotOptions): Promise<BotParts> {
  signer ??= await openSigner('native');
  const clock = wallClock();
  const {
    no,
    testMarket = harness,
    url = harness.url,
    records = new MemoryRecords(),
    timeoutMs = 5_000,
    log = SILENT,
    settings = {},
  } = options;
  const key = signer.key(`0x${no.toString(16).padStart(64, '5')}`);
  const rest = new RestClient({ clobUrl: url, clock, offset: { offsetMs: 0 }, timeoutMs });
  const credentials = await openApiKey(rest, polymarketSignIns(signer, CHAIN), key).catch((error: unknown) => {
    rest.close();
    throw error;
  });
  rest.setCredentials(credentials);
  const table = new MarketTable();
  const id = marketIdFromName(`polymarket-${testMarket.condition}`);
  table.add({
    id,
    condition: testMarket.condition,
    tokens: [testMarket.yes, testMarket.no],
    isNegRisk: options.isNegRisk ?? false,
  });
  const selected: MarketSetup = {
    info: {
      market: unchecked.market(0),
      id,
      slug: 'will-it-hold',
      question: 'Will it hold?',
      grid: { type: 'tick', tickBps: 10 },
      scheduledResolution: unchecked.time(4_102_444_800_000),
      venue: 'polymarket',
    },
    limits: {
      minOrderShares: unchecked.shares(100 * LOT),
      minBet: ZERO_USD,
      maxBet: unchecked.usd(1e15),
      maxExposure: unchecked.usd(1e15),
      feeRateBps: 0,
      spreadBps: 0,
    },
    state: { status: 'OPEN', acceptingOrders: true, placeDelay: unchecked.duration(0) },
  };
  const state = options.state ?? new AccountState({ cash: ZERO_USD, markets: [selected] });
  const orders = new VenueOrders();
  const modes: string[] = [];
  const faults: Error[] = [];
  const repeated: string[] = [];
  const contracts = POLYMARKET_CONTRACTS[CHAIN];
  if (contracts === undefined) throw new Error('no contracts');
  const wallet = options.wallet ?? { type: 0, address: key.address };
  const venue = new PolymarketVenue({
    rest,
    credentials,
    userUrl: `${url.replace('http', 'ws')}/ws/user`,
    clock,
    random: seededRandom(no),
    log,
    marketData: idleMarketData(orders, modes, clock.now(), options.status),
    markets: [selected],
    table,
    signer: new PolymarketSigner({
      signer,
      key,
      chainId: CHAIN,
      maker: wallet.address,
      signatureType: wallet.type,
      owner: credentials.apiKey,
      saltSecret: saltSecret(signer, key),
      markets: table,
    }),
    readVersion: () => readOrderVersion(rest),
    contracts,
    signatureType: wallet.type,
    records,
    view: state,
    settings,
    onFault: (error) => faults.push(error),
    onCommandResent: (command, problem) => repeated.push(`${command}: ${problem}`),
    onMarketFailed: (_market, fault) => faults.push(fault),
  });
  const token = (outcome: 'YES' | 'NO'): string => (outcome === 'YES' ? testMarket.yes : testMarket.no);
  return { venue, state, records, rest, orders, faults, modes, repeated, token, address: key.address };
}

/** Returns a function that appends each reported event to the records. */
export function recorder(records: MemoryRecords): (event: InputEvent, position?: number) => void {
  return (event, position) => {
    const time: EpochMs = event.time;
    records.append([{ seq: unchecked.seq(1), time, row: 0, event, refused: [], commands: [] }], position);
  };
}

function idleMarketData(
  orders: VenueOrders,
  modes: string[],
  now: EpochMs,
  status: () => MarketStatus = () => 'OPEN',
): MarketData & Pick<PolymarketMarketData, 'setMode' | 'ownPrints' | 'readStatus' | 'offset'> {
  let sink: MarketDataSink | undefined;
  return {
    orders,
    ownPrints: new OwnPrints({ now: () => now }),
    offset: new ClockOffset(),
    mode: 'NORMAL',
    modeProblem: undefined,
    link: 'UP',
    start(_markets, newSink) {
      sink = newSink;
      sink.onVenueChanged({ mode: 'NORMAL', link: 'UP' }, now);
      return Promise.resolve();
    },
    add: () => Promise.resolve(),
    remove() {},
    refresh: () => Promise.resolve(),
    readStatus: () => Promise.resolve(status()),
    bookStates: () => [],
    close() {},
    setMode(mode) {
      modes.push(mode);
      sink?.onVenueChanged({ mode: mode === 'NORMAL' ? 'NORMAL' : 'HALTED', link: 'UP' }, now);
    },
  };
}

export { openPolymarket, type PolymarketHarness };
