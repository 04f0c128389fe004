/** Markets in memory and the query that asks for one: the same for every contestant of `bench/server.ts`. */
import { seededRandom } from '../../src/clock/index.ts';

/** Root fields of a market that service.md names, as an answer holds them inside. */
export interface StageMarket {
  readonly id: string;
  readonly slug: string;
  readonly question: string;
  readonly status: string;
  readonly yesPriceBps: number;
  readonly noPriceBps: number;
  readonly spreadBps: number;
  readonly volumeCents: number;
  readonly resolutionDate: number;
}

export const MARKET_QUERY =
  'query Market($id: ID) { market(id: $id) { id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate } }';

const MARKETS = 64;

/** Always the same ones. */
export function stageMarkets(): readonly StageMarket[] {
  const dice = seededRandom(1);
  return Array.from({ length: MARKETS }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    slug: `will-it-rain-in-oslo-on-day-${at}`,
    question: `Will it rain in Oslo on day ${at}, by the station's own record?`,
    status: 'OPEN',
    yesPriceBps: 5000 + dice.int(900),
    noPriceBps: 6000 + dice.int(900),
    spreadBps: 1000 + dice.int(900),
    volumeCents: 10_000_000 + dice.int(80_000_000),
    resolutionDate: 1_800_000_000_000 + dice.int(1_000_000_000),
  }));
}

/** What a client sends: bodies in the order of the markets. */
export function marketRequests(): readonly string[] {
  return stageMarkets().map(({ id }) => JSON.stringify({ query: MARKET_QUERY, variables: { id } }));
}

/** What comes back: bodies in the same order. */
export function marketAnswers(): readonly string[] {
  return stageMarkets().map((market) => JSON.stringify({ data: { market: shown(market) } }));
}

/** As it stands in an answer. */
export function shown(market: StageMarket): object {
  return { ...market, resolutionDate: new Date(market.resolutionDate).toISOString() };
}
