/** The markets, query and responses for all servers of `bench/server.ts`. */
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { keyOf, login, openSigningTools, queryVenue, signOrder } from '../../test/server/trader.ts';
import type { VenueProcess } from './venue-process.ts';

/** Fields of a market in a response (docs/api/types.md#market). */
export interface HarnessMarket {
  readonly id: string;
  readonly slug: string;
  readonly question: string;
  readonly status: string;
  readonly yesPriceBps: number;
  readonly noPriceBps: number;
  readonly spreadBps: number;
  readonly volumeCents: number;
  /** ISO 8601. */
  readonly resolutionDate: string;
}

export const MARKET_QUERY =
  'query Market($id: ID) { market(id: $id) { id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate } }';

const MARKETS = 64;
const PLACE = 'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { accepted rejection { message } } }';

/** Opens markets, each with two orders that match and two that rest. @returns the markets in the venue's response */
export async function harnessMarkets(venue: VenueProcess): Promise<readonly HarnessMarket[]> {
  const { url } = venue;
  const ids = await venue.openMarkets(MARKETS);
  const tools = await openSigningTools();
  const key = keyOf(tools, 1);
  const other = keyOf(tools, 2);
  const tokens = [await login(url, tools, key), await login(url, tools, other)] as const;
  const [random, clock] = [seededRandom(1), wallClock()];
  let salt = 0;
  const place = async (trader: 0 | 1, marketId: string, outcome: 'YES' | 'NO', priceBps: number): Promise<void> => {
    salt += 1;
    const shares = 10_000 * (5_000 + random.int(5_000));
    const request = { marketId, outcome, side: 'BUY', priceBps, shares, timestampMs: clock.now() } as const;
    const { input } = signOrder(tools, trader === 0 ? key : other, request, salt);
    const { placeOrder } = await queryVenue(url, tokens[trader], PLACE, { input });
    if (placeOrder.accepted !== true) throw new Error(`not accepted: ${JSON.stringify(placeOrder)}`);
  };
  for (const marketId of ids) {
    const price = 100 * (30 + random.int(30));
    await place(0, marketId, 'YES', price);
    await place(1, marketId, 'NO', 10_000 - price);
    await place(0, marketId, 'YES', price - 200);
    await place(1, marketId, 'NO', 9_800 - price);
  }
  return Promise.all(ids.map(async (id) => (await queryVenue(url, undefined, MARKET_QUERY, { id })).market));
}

/** Returns request bodies, in the order of the markets. */
export function marketRequests(markets: readonly HarnessMarket[]): readonly string[] {
  return markets.map(({ id }) => JSON.stringify({ query: MARKET_QUERY, variables: { id } }));
}

/** Returns the expected response bodies, in the order of the markets. */
export function marketAnswers(markets: readonly HarnessMarket[]): readonly string[] {
  return markets.map((market) => JSON.stringify({ data: { market } }));
}
