/** A whole embedded server in this process on memory, traders who sign for themselves, and faults on request. */
import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import { chaosSchema } from '../../../src/config/chaos-schema.ts';
import { accessSettings } from '../../../src/server/index.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import type { Log } from '../../../src/venues/base/index.ts';
import {
  createTransport,
  endpointOf,
  OperationTexts,
  type Transport,
  type TransportSettings,
} from '../../../src/venues/service/transport/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { startPlainServer } from '../../server/plain-server.ts';
import { keyOf, login, openSigningTools, queryVenue, signOrder } from '../../server/trader.ts';

const WIDE = { capacity: 1_000_000_000, perSecond: 1_000_000_000 };
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const PLACE = `mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) {
  accepted order { id seq remainingShares } fills { tradeId } rejection { reason message } } }`;
const CANCEL = 'mutation ($id: ID!) { cancelOrder(id: $id) { results { cancelled } } }';

export interface VenueArgs {
  /** As `--chaos` has it. */
  readonly chaos?: object;
  readonly readBucket?: { readonly capacity: number; readonly perSecond: number };
  readonly port?: number;
}

interface OrderInput {
  readonly outcome?: 'YES' | 'NO';
  readonly side?: 'BUY' | 'SELL';
  readonly price: number;
  /** Whole shares. */
  readonly size: number;
}

interface Trader {
  readonly token: string;
  /** Signed and not sent. @returns hash and what sends it */
  ready(market: string, options: OrderInput): { readonly hash: string; send(): Promise<Placed> };
  place(market: string, options: OrderInput): Promise<Placed>;
  cancel(id: string): Promise<void>;
}

interface Placed {
  readonly accepted: boolean;
  readonly order: { readonly id: string; readonly seq: string; readonly remainingShares: number };
  readonly fills: readonly { readonly tradeId: string }[];
}

export interface RealVenue {
  readonly url: string;
  operate(command: string, args?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Opens one. @returns its id */
  market(question: string, more?: object): Promise<string>;
  trader(no: number): Promise<Trader>;
  /** The book as the venue shows it, without a client of ours in between. */
  book(market: string, depth?: number): Promise<VisibleBook>;
  close(): Promise<void>;
}

interface VisibleBook {
  readonly seq: string;
  readonly bids: readonly { readonly priceBps: number; readonly shares: number }[];
  readonly asks: readonly { readonly priceBps: number; readonly shares: number }[];
}

/** Ends by itself after the test. */
export async function realVenue({ chaos, readBucket = WIDE, port = 0 }: VenueArgs = {}): Promise<RealVenue> {
  const tools = await openSigningTools();
  const clock = wallClock();
  let token: string | undefined;
  const server = await startPlainServer({
    store: SqliteStore.open({ file: ':memory:', thread: false }),
    log: SILENT,
    messages: tools.messages,
    access: accessSettings({
      audience: 'http://127.0.0.1',
      creditCents: 1_000_000_000,
      buckets: { read: readBucket, order: WIDE, cancel: WIDE, parse: WIDE },
    }),
    chaos: chaos === undefined ? undefined : chaosSchema.parse(chaos),
    port,
    renewOperatorToken: true,
    onStop: (cause) => {
      throw cause;
    },
  });
  token = server.operatorToken;
  const operate = async (command: string, args: object = {}) => {
    const answer = await fetch(`${server.url}/operator`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ command, ...args }),
    });
    const body: { readonly result: Readonly<Record<string, unknown>> } = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(JSON.stringify(body));
    return body.result;
  };
  await operate('put-category', { slug: 'tests', name: 'Tests' });
  await operate('configure', { max_bet_per_market: 1e12, max_exposure_per_market: 1e12 });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close(0);
    return closing;
  };
  afterThisTest.add(close);
  let salt = 0;
  // Faults meet HTTP, too: what a test sets up is tried until it is done.
  const persist = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    for (let count = 0; ; count += 1) {
      try {
        return await call();
      } catch (error) {
        if (chaos === undefined || count === 20) throw error;
      }
    }
  };
  return {
    url: server.url,
    operate,
    close,
    async market(question, more = {}) {
      const terms = { question, rules: 'As tested.', category: 'tests', resolution_date: '2099-01-01T00:00:00Z' };
      const { id } = await operate('create-market', { ...terms, ...more });
      await operate('open-market', { market: id });
      return String(id);
    },
    async trader(no) {
      const key = keyOf(tools, no);
      const access = await persist(() => login(server.url, tools, key));
      const ready: Trader['ready'] = (marketId, { outcome = 'YES', side = 'BUY', price, size }) => {
        salt += 1;
        const options = { marketId, outcome, side, priceBps: price, shares: size * 1e6, timestampMs: clock.now() };
        const { hash, input } = signOrder(tools, key, options, salt);
        return {
          hash,
          async send() {
            const { placeOrder } = await persist(() => queryVenue(server.url, access, PLACE, { i: input }));
            if (placeOrder.accepted !== true) throw new Error(JSON.stringify(placeOrder));
            return placeOrder;
          },
        };
      };
      return {
        token: access,
        ready,
        place: (market, options) => ready(market, options).send(),
        cancel: async (id) => {
          await persist(() => queryVenue(server.url, access, CANCEL, { id }));
        },
      };
    },
    async book(marketId, depth = 50) {
      const query = `query ($m: ID!, $d: Int) { orderBook(marketId: $m, depth: $d) { seq
        bids { priceBps shares } asks { priceBps shares } } }`;
      const { orderBook } = await persist(() => queryVenue(server.url, undefined, query, { m: marketId, d: depth }));
      return orderBook;
    },
  };
}

/** A transport to a venue; closed after the test, before the venue. */
export function transportTo(url: string, settings: Partial<TransportSettings> = {}, log: Log = SILENT): Transport {
  const transport = createTransport({
    endpoint: endpointOf({ url }),
    operations: new OperationTexts(),
    clock: wallClock(),
    random: seededRandom(1),
    log,
    settings,
  });
  afterThisTest.add(() => transport.close());
  return transport;
}

/** Looks until something is so. @throws Error after a minute: only what hangs ends by it */
export async function until(isSo: () => boolean | Promise<boolean>, what = 'it'): Promise<void> {
  const clock = wallClock();
  const end = clock.now() + 60_000;
  while (!(await isSo())) {
    if (clock.now() > end) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
