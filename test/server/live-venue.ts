/** A complete venue in this process with one market, and traders that use it over the network. */
import { startVenue, type VenueOptions, type VenueServer } from '../../src/embed.ts';
import { keyOf, login, openSigningTools, queryVenue, type SigningTools, signOrder } from './trader.ts';

/** The terms of an order; `size` is in whole shares. */
interface OrderTerms {
  readonly outcome?: 'YES' | 'NO';
  readonly side?: 'BUY' | 'SELL';
  readonly priceBps: number;
  readonly size: number;
}

/** A trader with a session. */
export interface TestTrader {
  readonly no: number;
  readonly token: string;
  readonly address: string;
  /** Signs and sends an order. @returns the `PlaceOrderPayload` */
  place(terms: OrderTerms, marketId?: string): Promise<Placed>;
  request(query: string, variables?: object): Promise<Answer>;
}

/** Parsed JSON of a response. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any query
type Answer = any;

interface Placed {
  readonly accepted: boolean;
  readonly duplicate: boolean;
  readonly order: { readonly id: string; readonly status: string; readonly filledShares: number } | null;
  readonly rejection: { readonly reason: string; readonly retryAfterMs: number | null } | null;
}

export interface LiveVenue {
  readonly server: VenueServer;
  readonly url: string;
  /** URL of the graphql-transport-ws endpoint. */
  readonly socketUrl: string;
  readonly tools: SigningTools;
  /** UUID of the open market. */
  readonly marketId: string;
  openTrader(no: number): Promise<TestTrader>;
  market(question: string): Promise<string>;
  close(): Promise<void>;
}

export const PLACE = `mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) {
  accepted duplicate order { id status filledShares } rejection { reason retryAfterMs } } }`;
const UNLIMITED = { capacity: 1_000_000, perSecond: 1_000_000 };

/** Starts a venue with one open market and practically no rate limits. Each account has $10,000. */
export async function openLiveVenue(options: VenueOptions = {}): Promise<LiveVenue> {
  const { access, ...rest } = options;
  const server = await startVenue({
    ...rest,
    access: { buckets: { read: UNLIMITED, order: UNLIMITED, cancel: UNLIMITED, parse: UNLIMITED }, ...access },
  });
  const tools = await openSigningTools();
  const { url } = server;
  const market = async (question: string): Promise<string> => {
    await server.operate('put-category', { slug: 'tests', name: 'Tests' });
    const terms = { question, rules: 'As tested.', category: 'tests', resolution_date: '2100-01-01T00:00:00Z' };
    const { id }: Answer = await server.operate('create-market', terms);
    const { status }: Answer = await server.operate('market', { market: id });
    if (status !== 'OPEN') await server.operate('open-market', { market: id });
    return id;
  };
  const known: Answer = await server.operate('markets', {});
  const marketId = known[0]?.id ?? (await market('Will it hold?'));
  return {
    server,
    url,
    tools,
    marketId,
    market,
    socketUrl: `${url.replace('http', 'ws')}/graphql`,
    async openTrader(no) {
      const key = keyOf(tools, no);
      const token = await login(url, tools, key);
      let salt = Date.now() * 1_000 + no;
      return {
        no,
        token,
        address: key.address,
        request: (query, variables = {}) => queryVenue(url, token, query, variables),
        async place({ outcome = 'YES', side = 'BUY', priceBps, size }, market = marketId) {
          salt += 1;
          const request = {
            marketId: market,
            outcome,
            side,
            priceBps,
            shares: size * 1_000_000,
            timestampMs: Date.now(),
          };
          const { input } = signOrder(tools, key, request, salt);
          return (await queryVenue(url, token, PLACE, { i: input })).placeOrder;
        },
      };
    },
    close: () => server.close(0),
  };
}
