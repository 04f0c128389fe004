/** From ids, slugs and a filter to markets that a run can begin with. */
import {
  column,
  counted,
  Fault,
  InputFault,
  isFinal,
  type MarketId,
  type MarketNo,
  marketId,
  parseTime,
} from '../../../domain/index.ts';
import { NETWORK_LIMITS, type Page, readPages } from '../../../network/index.ts';
import { type MarketFieldsFragment, type MarketsInput, OPERATIONS } from '../../../protocol/index.ts';
import { nearest } from '../../../strategy/index.ts';
import { expectData, type Transport } from '../transport/index.ts';
import { readBetTerms } from './bet-limits.ts';
import type { MarketWish, Selected, Selection, VenueTerms } from './selection-port.ts';
import { type BetTerms, limitsOf } from './venue-terms.ts';

/** Most that a page, and a filter by ids, takes (docs/spec/venue.md#paging). */
const PAGE = NETWORK_LIMITS.pageNodes;
const DEFAULT_LIMIT = 200;
/** Of the markets that are open, named to somebody who asked for one that is not there. */
const SHOWN = 10;
const NO_MARKETS = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };
/** The contract has none: a place counts when it comes in. */
const NO_DELAY = column.duration(0);

/**
 * Reads the markets that are chosen, in the order of the choice, each once. Numbers count on from `first`, but for such as
 * are known by another one.
 * @throws InputFault for an id or slug that the venue does not know, a market that is final, or a choice of nothing
 */
export async function selectMarkets(
  transport: Transport,
  terms: VenueTerms,
  selection: Selection,
  numbers: { readonly first?: MarketNo; readonly known?: ReadonlyMap<string, MarketNo> } = {},
): Promise<readonly Selected[]> {
  const found = new Map<string, MarketFieldsFragment>();
  for (const market of await byIds(transport, (selection.ids ?? []).map(marketId))) found.set(market.id, market);
  for (const market of await Promise.all((selection.slugs ?? []).map((slug) => bySlug(transport, slug)))) {
    found.set(market.id, market);
  }
  for (const [id, market] of found) {
    if (isFinal(market.status))
      throw new InputFault('markets', id, `a market that still trades: this one is ${market.status}`);
  }
  if (selection.filter !== undefined) {
    for (const market of await byFilter(transport, selection.filter))
      if (!found.has(market.id)) found.set(market.id, market);
  }
  if (found.size === 0)
    throw new InputFault('markets', 'a choice that fits none', 'ids, slugs or a filter that the venue has markets for');
  const bets = await readBetTerms(transport, [...found.keys()]);
  let next: number = numbers.first ?? 0;
  return [...found.values()].map((market) => {
    const known = numbers.known?.get(market.id);
    const no = known ?? counted.market(next);
    if (known === undefined) next += 1;
    return selectedOf(market, no, terms, bets.get(market.id));
  });
}

/** Markets as the venue shows them now, by their ids; such as it does not know (any more) are left out. */
export async function readMarkets(
  transport: Transport,
  ids: readonly string[],
): Promise<readonly MarketFieldsFragment[]> {
  const pages: string[][] = [];
  for (let from = 0; from < ids.length; from += PAGE) pages.push(ids.slice(from, from + PAGE));
  const answers = await Promise.all(pages.map((page) => readPage(transport, { first: PAGE, filter: { ids: page } })));
  return answers.flatMap(({ edges }) => edges.map(({ node }) => node));
}

/** @throws InputFault on a market that cannot be (a bad grid, figures past 2^53) */
export function selectedOf(
  market: MarketFieldsFragment,
  no: MarketNo,
  terms: VenueTerms,
  bet: BetTerms | undefined,
): Selected {
  const { tickSizeBps: tickBps, status, acceptingOrders, minOrderShares, feeRateBps } = market;
  return {
    setup: {
      info: {
        market: no,
        id: marketId(market.id),
        slug: market.slug,
        question: market.question,
        grid: { type: 'tick', tickBps },
        scheduledResolution: parseTime('resolutionDate', market.resolutionDate),
      },
      limits: limitsOf(terms, { minOrderShares, feeRateBps, bet }),
      state: { status, acceptingOrders, placeDelay: NO_DELAY },
    },
    category: market.category?.slug,
    topics: market.topics.map(({ slug }) => slug),
    eventId: market.eventId ?? undefined,
    volumeCents: market.volumeCents,
  };
}

async function byIds(transport: Transport, ids: readonly MarketId[]): Promise<readonly MarketFieldsFragment[]> {
  const found = new Map((await readMarkets(transport, ids)).map((market) => [market.id, market]));
  return ids.map((id) => {
    const market = found.get(id);
    if (market === undefined) throw new InputFault('markets.ids', id, 'the id of a market that the venue knows');
    return market;
  });
}

async function bySlug(transport: Transport, slug: string): Promise<MarketFieldsFragment> {
  const answer = await transport.query(OPERATIONS.market, { slug }, { anonymous: true });
  const { market } = expectData(answer, `market ${slug}`);
  if (market?.slug === slug) return market;
  if (market !== null) {
    // The slug is what was configured; the id is what orders are signed for.
    throw new Fault(
      'VENUE',
      `the venue answered another market for ${slug}: ${market.slug}. Name the market by its id`,
    );
  }
  const hint = whichThereAre(
    slug,
    (await byFilter(transport, { limit: PAGE })).map((open) => open.slug),
  );
  throw new InputFault('markets.slugs', slug, `the slug of a market that the venue knows${hint}`);
}

/** @param slugs of open markets, those with the most volume first */
function whichThereAre(slug: string, slugs: readonly string[]): string {
  const alike = nearest(slug, slugs) ?? slugs.find((known) => known.includes(slug));
  const some = slugs.slice(0, SHOWN).join(', ');
  const rest = slugs.length > SHOWN ? ' and more' : '';
  const open = slugs.length === 0 ? 'none is open there' : `open there: ${some}${rest}`;
  return alike === undefined ? ` (${open})` : ` (did you mean "${alike}"? ${open})`;
}

function byFilter(transport: Transport, wish: MarketWish): Promise<readonly MarketFieldsFragment[]> {
  const { category, topic, search, status = 'OPEN', limit = DEFAULT_LIMIT } = wish;
  const filter = {
    status,
    ...(category === undefined ? {} : { categorySlug: category }),
    ...(topic === undefined ? {} : { topicSlug: topic }),
    ...(search === undefined ? {} : { search }),
  };
  return readPages(
    'markets',
    ({ first, after }) =>
      readPage(transport, { first, filter, sort: 'VOLUME_DESC', ...(after === null ? {} : { after }) }),
    limit,
  );
}

async function readPage(transport: Transport, input: MarketsInput): Promise<Page<MarketFieldsFragment>> {
  const { markets } = expectData(await transport.query(OPERATIONS.markets, { input }, { anonymous: true }), 'markets');
  return markets ?? NO_MARKETS;
}
