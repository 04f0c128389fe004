/** An embedded server in this process with a database in memory, and traders that sign their own orders. */

import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import { chaosSchema } from '../../../src/config/chaos-schema.ts';
import { completeAccessSettings } from '../../../src/server/index.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import type { Log, MarketData } from '../../../src/venues/base/index.ts';
import { ServiceMarketData } from '../../../src/venues/service/market-data/index.ts';
import {
  createTransport,
  OperationTexts,
  parseEndpoint,
  type Transport,
} from '../../../src/venues/service/transport/index.ts';
import type { TransportSettings } from '../../../src/venues/service/transport/transport-options.ts';
import { afterThisTest } from '../../cleanup.ts';
import { startPlainServer } from '../../server/plain-server.ts';
import { keyOf, login, openSigningTools, queryVenue, signOrder } from '../../server/trader.ts';
import { SILENT } from './harness.ts';

const WIDE = { capacity: 1_000_000_000, perSecond: 1_000_000_000 };
const PLACE = `mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) {
  accepted order { id seq remainingShares } fills { tradeId } rejection { reason message } } }`;
const CANCEL = 'mutation ($id: ID!) { cancelOrder(id: $id) { results { cancelled } } }';

export interface VenueArgs {
  /** Faults of the server, as in a `--chaos` file. */
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
  /** Signs an order without sending it. */
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
  /** Opens a market. @returns its id */
  market(question: string, more?: object): Promise<string>;
  trader(no: number): Promise<Trader>;
  /** Queries the book without the service venue. */
  book(market: string, depth?: number): Promise<VisibleBook>;
  close(): Promise<void>;
}

interface VisibleBook {
  readonly seq: string;
  readonly bids: readonly { readonly priceBps: number; readonly shares: number }[];
  readonly asks: readonly { readonly priceBps: number; readonly shares: number }[];
}

/** Starts a venue that is closed after the test. */
export async function realVenue({ chaos, readBucket = WIDE, port = 0 }: VenueArgs = {}): Promise<RealVenue> {
  const tools = await openSigningTools();
  const clock = wallClock();
  let token: string | undefined;
  const server = await startPlainServer({
    store: SqliteStore.open({ file: ':memory:', thread: false }),
    log: SILENT,
    messages: tools.messages,
    access: completeAccessSettings({
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
  // Chaos affects HTTP requests too: those of the test itself are repeated.
  const retry = async <Result>(call: () => Promise<Result>): Promise<Result> => {
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
      const access = await retry(() => login(server.url, tools, key));
      const ready: Trader['ready'] = (marketId, { outcome = 'YES', side = 'BUY', price, size }) => {
        salt += 1;
        const options = { marketId, outcome, side, priceBps: price, shares: size * 1e6, timestampMs: clock.now() };
        const { hash, input } = signOrder(tools, key, options, salt);
        return {
          hash,
          async send() {
            const { placeOrder } = await retry(() => queryVenue(server.url, access, PLACE, { i: input }));
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
          await retry(() => queryVenue(server.url, access, CANCEL, { id }));
        },
      };
    },
    async book(marketId, depth = 50) {
      const query = `query ($m: ID!, $d: Int) { orderBook(marketId: $m, depth: $d) { seq
        bids { priceBps shares } asks { priceBps shares } } }`;
      const { orderBook } = await retry(() => queryVenue(server.url, undefined, query, { m: marketId, d: depth }));
      return orderBook;
    },
  };
}

/** Creates a transport to a venue. It is closed after the test, before the venue. */
export function transportTo(url: string, settings: Partial<TransportSettings> = {}, log: Log = SILENT): Transport {
  const transport = createTransport({
    endpoint: parseEndpoint({ url }),
    operations: new OperationTexts(),
    clock: wallClock(),
    random: seededRandom(1),
    log,
    settings,
  });
  afterThisTest.add(() => transport.close());
  return transport;
}

/** Waits until a condition is true. @throws Error after a minute */
export async function until(
  condition: () => boolean | Promise<boolean>,
  description = condition.toString(),
): Promise<void> {
  const clock = wallClock();
  const end = clock.now() + 60_000;
  while (!(await condition())) {
    if (clock.now() > end) throw new Error(`timed out waiting for: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Opens market data and closes it after the test. */
export function openMarketData(options: ConstructorParameters<typeof ServiceMarketData>[0]): MarketData {
  const data = new ServiceMarketData(options);
  afterThisTest.add(() => data.close());
  return data;
}
