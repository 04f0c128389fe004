/** Finds a service venue's markets by ids, slugs and a filter, and the markets of earlier runs. */
import {
  Fault,
  InputFault,
  isFinal,
  type MarketId,
  type MarketInfo,
  type MarketNo,
  marketId,
  parseTime,
  unchecked,
} from '../../../domain/index.ts';
import { getMember, NETWORK_LIMITS, readPages } from '../../../network/index.ts';
import { type MarketFieldsFragment, type MarketsInput, OPERATIONS } from '../../../protocol/index.ts';
import type { MarketCandidate } from '../../../runtime/index.ts';
import type { MarketSetup } from '../../../state/index.ts';
import { nearest } from '../../../strategy/index.ts';
import {
  type BadMarket,
  batches,
  type KnownMarkets,
  type MarketDirectory,
  type MarketSelector,
  type Selection,
  type SelectionNumbers,
  unreadableMarketFault,
} from '../../base/index.ts';
import { expectData, type Transport } from '../transport/index.ts';
import { type BetTerms, readBetTerms, toMarketLimits, type VenueTerms } from './venue-terms.ts';

/** Largest size of a page, and of a filter by ids (docs/spec/venue.md#paging). */
const PAGE_SIZE = NETWORK_LIMITS.pageNodes;
const DEFAULT_LIMIT = 200;
const MAX_SLUGS = 10;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_MARKETS = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };
const MICROS_PER_CENT = 10_000;
/** The API has no placing delay. */
const NO_DELAY = unchecked.duration(0);

export class ServiceDirectory implements MarketDirectory {
  readonly #transport: Transport;
  readonly #terms: VenueTerms;

  constructor(transport: Transport, terms: VenueTerms) {
    this.#transport = transport;
    this.#terms = terms;
  }

  async select(selection: Selection, numbers: SelectionNumbers = {}): Promise<readonly MarketSetup[]> {
    const transport = this.#transport;
    const found = new Map<string, MarketFieldsFragment>();
    for (const market of await findByIds(transport, (selection.ids ?? []).map(marketId))) found.set(market.id, market);
    for (const market of await Promise.all((selection.slugs ?? []).map((slug) => findBySlug(transport, slug))))
      found.set(market.id, market);
    for (const [id, market] of found) {
      if (isFinal(market.status))
        throw new InputFault('markets', id, `a market that still trades: this one is ${market.status}`);
    }
    const explicitIds = new Set(found.keys());
    if (selection.filter !== undefined) {
      const { markets, bad } = await findByFilter(transport, selection.filter);
      for (const each of bad) logSkipped(transport, each);
      for (const market of markets) if (!found.has(market.id)) found.set(market.id, market);
    }
    const bets = await readBetTerms(transport, [...found.keys()]);
    for (const [id, problem] of bets.bad) {
      if (explicitIds.has(id)) throw unreadableMarketFault({ id, problem });
      logSkipped(transport, { id, problem });
      found.delete(id);
    }
    if (found.size === 0)
      throw new InputFault('markets', 'a selection without markets', 'ids, slugs or a filter that match markets');
    let nextNumber: number = numbers.first ?? 0;
    return [...found.values()].map((market) => {
      const known = numbers.known?.get(market.id);
      const number = known ?? unchecked.market(nextNumber);
      if (known === undefined) nextNumber += 1;
      return toMarketSetup(market, number, this.#terms, bets.terms.get(market.id));
    });
  }

  async readKnown(markets: readonly MarketInfo[]): Promise<KnownMarkets> {
    const numbers = new Map(markets.map(({ id, market }) => [String(id), market]));
    const { markets: read, bad } = await readMarkets(this.#transport, [...numbers.keys()]);
    const found = read.flatMap((market) => {
      const number = numbers.get(market.id);
      return number === undefined ? [] : [toMarketSetup(market, number, this.#terms, undefined)];
    });
    return { found, bad };
  }

  async candidates(
    filter: Parameters<MarketDirectory['candidates']>[0],
    alsoIds: Iterable<string> = [],
  ): Promise<readonly MarketCandidate[]> {
    const open = await findByFilter(this.#transport, filter);
    const openIds = new Set([...open.markets, ...open.bad].map(({ id }) => id));
    const others = await readMarkets(
      this.#transport,
      [...alsoIds].filter((id) => !openIds.has(id)),
    );
    for (const each of [...open.bad, ...others.bad]) logSkipped(this.#transport, each);
    return [...open.markets, ...others.markets].map(toCandidate);
  }

  isId(text: string): boolean {
    return UUID.test(text);
  }
}

/** Reads markets by their ids. Skips ids that the venue does not know. */
export async function readMarkets(transport: Transport, ids: readonly string[]) {
  const bad: BadMarket[] = [];
  const answers = await Promise.all(
    batches(ids, PAGE_SIZE).map((page) => readPage(transport, { first: PAGE_SIZE, filter: { ids: page } }, bad)),
  );
  return { markets: answers.flatMap(({ edges }) => edges.map(({ node }) => node)), bad };
}

function logSkipped({ log }: Pick<Transport, 'log'>, { id, problem }: BadMarket): void {
  log.warn({ market: id, problem }, 'venue: a market cannot be read and is skipped');
}

/** @throws InputFault for an invalid market, such as a bad grid or numbers above 2^53 */
function toMarketSetup(
  market: MarketFieldsFragment,
  number: MarketNo,
  terms: VenueTerms,
  bet: BetTerms | undefined,
): MarketSetup {
  const { tickSizeBps: tickBps, status, acceptingOrders, minOrderShares, feeRateBps } = market;
  return {
    info: {
      market: number,
      id: marketId(market.id),
      slug: market.slug,
      question: market.question,
      grid: { type: 'tick', tickBps },
      scheduledResolution: parseTime('resolutionDate', market.resolutionDate),
      venue: 'service',
      ...(market.eventId == null ? {} : { eventId: market.eventId }),
    },
    limits: toMarketLimits(terms, { minOrderShares, feeRateBps, bet }),
    state: { status, acceptingOrders, placeDelay: NO_DELAY },
  };
}

async function findByIds(transport: Transport, ids: readonly MarketId[]): Promise<readonly MarketFieldsFragment[]> {
  const { markets, bad } = await readMarkets(transport, ids);
  const found = new Map(markets.map((market) => [market.id, market]));
  return ids.map((id) => {
    const market = found.get(id);
    const problem = bad.find((each) => each.id === id) ?? bad.find((each) => each.id === undefined);
    if (market === undefined && problem !== undefined) throw unreadableMarketFault({ ...problem, id });
    if (market === undefined) throw new InputFault('markets.ids', id, 'the id of a market that the venue knows');
    return market;
  });
}

async function findBySlug(transport: Transport, slug: string): Promise<MarketFieldsFragment> {
  const answer = await transport.query(OPERATIONS.market, { slug }, { isAnonymous: true });
  const { market } = expectData(answer, `market ${slug}`);
  if (market?.slug === slug) return market;
  if (market !== null) {
    // Orders are signed for the id, so a market with another slug than the configured one is refused.
    const problem = `the venue returned another market for ${slug}: ${market.slug}`;
    throw new Fault('VENUE', `${problem}. Configure the market by its id`);
  }
  const { markets } = await findByFilter(transport, { limit: PAGE_SIZE });
  const slugs = markets.map((open) => open.slug);
  const similar = nearest(slug, slugs) ?? slugs.find((known) => known.includes(slug));
  const suggestion = similar === undefined ? '' : `did you mean "${similar}"? `;
  const shownSlugs = `${slugs.slice(0, MAX_SLUGS).join(', ')}${slugs.length > MAX_SLUGS ? ' and more' : ''}`;
  const hint = `${suggestion}${slugs.length === 0 ? 'none is open there' : `open there: ${shownSlugs}`}`;
  throw new InputFault('markets.slugs', slug, `the slug of a market that the venue knows (${hint})`);
}

async function findByFilter(transport: Transport, selector: MarketSelector) {
  const { category, topic, search, status = 'OPEN', limit = DEFAULT_LIMIT } = selector;
  const filter = {
    status,
    ...(category === undefined ? {} : { categorySlug: category }),
    ...(topic === undefined ? {} : { topicSlug: topic }),
    ...(search === undefined ? {} : { search }),
  };
  const bad: BadMarket[] = [];
  const readNextPage = ({ first, after }: { readonly first: number; readonly after: string | null }) =>
    readPage(transport, { first, filter, sort: 'VOLUME_DESC', ...(after === null ? {} : { after }) }, bad);
  return { markets: await readPages('markets', readNextPage, limit), bad };
}

/** @param bad receives the unreadable markets */
async function readPage(transport: Transport, input: MarketsInput, bad: BadMarket[]) {
  const list = {
    path: ['markets', 'edges'],
    onBad: (item: unknown, problem: string) => void bad.push({ id: readMarketId(item), problem }),
  };
  const answer = await transport.query(OPERATIONS.markets, { input }, { isAnonymous: true, list });
  return expectData(answer, 'markets').markets ?? NO_MARKETS;
}

/** Returns the market id of an invalid edge, if the edge has one. */
function readMarketId(edge: unknown): string | undefined {
  const id = getMember(getMember(edge, 'node'), 'id');
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : undefined;
}

function toCandidate(market: MarketFieldsFragment): MarketCandidate {
  const { id, slug, status, acceptingOrders, category, topics, volumeCents, bestBidBps, bestAskBps } = market;
  return {
    id,
    slug,
    isOpen: status === 'OPEN',
    acceptsOrders: acceptingOrders,
    category: category?.slug,
    tags: topics.map((topic) => topic.slug),
    volume: volumeCents * MICROS_PER_CENT,
    spreadBps: bestBidBps == null || bestAskBps == null ? undefined : bestAskBps - bestBidBps,
    resolvesAt: parseTime('resolutionDate', market.resolutionDate),
  };
}
