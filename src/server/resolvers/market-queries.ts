/** Queries of markets, resolutions, categories and topics, and of the venue's settings and health. */
import {
  badArgument,
  type RawMarketFilter,
  type RawMarketsInput,
  readCents,
  readMarketId,
  readTime,
  requireExactlyOne,
} from '../../protocol/index.ts';
import { isGiven } from '../graphql/context.ts';
import type { MarketEntry, SortedMarkets } from '../market-index.ts';
import { compareSortKeys } from '../paging/cursors.ts';
import {
  createConnection,
  type PageArguments,
  type RowListing,
  readPage,
  reverseRows,
  sortedPage,
} from '../paging/pages.ts';
import { presentCategory, presentTopic } from '../presenters/market-fields.ts';
import { presentBettingConfig, presentMarketConfig } from '../presenters/market-presenter.ts';
import type { MarketModel, Model, RootResolvers } from '../presenters/models.ts';
import { presentResolution, presentTransparency, presentVote } from '../presenters/resolution-presenter.ts';
import { requireCaller } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { readMarket } from './price-queries.ts';

type MarketNames = 'market' | 'markets' | 'createdMarkets' | 'resolutionOutcome' | 'modelVotes' | 'transparencyRecord';

/** A resolution is null for an unknown market. */
export function marketQueries(deps: ResolverDeps): RootResolvers<'Query', MarketNames> {
  const { queue, marketIndex, marketViews } = deps;
  const { view } = queue;

  const queryPage = (list: string, sorted: SortedMarkets, args: PageArguments, filter?: RawMarketsInput['filter']) => {
    const { sort, direction, getSortKey } = sorted;
    const listing: RowListing<MarketEntry> = { list, sort, getSortKey };
    const request = readPage(args, (cursor) => deps.cursors.open(listing, cursor));
    const predicate = readMarketFilter(filter);
    return queue.read((): Model<'MarketConnection'> => {
      const ascending = predicate === undefined ? sorted.ascending : sorted.ascending.filter(predicate);
      const rows = direction === 'ascending' ? ascending : reverseRows(ascending);
      const page = sortedPage(rows, request, (row, sortKey) => compareSortKeys(getSortKey(row), sortKey, direction));
      return createConnection(deps.cursors, listing, page, ({ record }) => marketViews.present(record));
    });
  };

  return {
    market: ({ id, slug }) => {
      requireExactlyOne({ id, slug });
      const marketId = isGiven(id) ? readMarketId(id) : undefined;
      return queue.read((): MarketModel | null => {
        const record = marketId === undefined ? view.marketBySlug(slug ?? '') : view.marketById(marketId);
        return record === undefined ? null : marketViews.present(record);
      });
    },
    markets: ({ input }) =>
      queryPage('markets', marketIndex.sortedBy(input?.sort ?? 'CREATED_AT_DESC'), input ?? {}, input?.filter),
    createdMarkets: (args, context) => {
      const { account, address } = requireCaller(context, deps);
      return queryPage(`createdMarkets ${address}`, marketIndex.createdBy(account), args);
    },
    resolutionOutcome: ({ marketId }) => readMarket(deps, marketId, presentResolution),
    modelVotes: ({ marketId }) => readMarket(deps, marketId, ({ votes }) => votes.map(presentVote)),
    transparencyRecord: ({ marketId }) => readMarket(deps, marketId, presentTransparency),
  };
}

type VenueNames = 'bettingConfig' | 'marketConfig' | 'health' | 'categories' | 'category' | 'topics' | 'topic';

/** Settings are read between batches of the command queue. The other fields are available even during a batch. */
export function venueQueries(deps: ResolverDeps): RootResolvers<'Query', VenueNames> {
  const { queue, venue, catalogue, marketIndex: index } = deps;
  return {
    bettingConfig: () => queue.read(() => presentBettingConfig(queue.view.config, venue.betPresets)),
    marketConfig: () => queue.read(() => presentMarketConfig(queue.view.config)),
    health: () => ({
      status: venue.status(),
      mode: queue.durable.mode,
      version: venue.version,
      serverTime: queue.now,
      engineSeq: queue.durable.seq,
    }),
    categories: () => catalogue.categories.flatMap((row) => (row.isActive ? [presentCategory(row, index)] : [])),
    category: ({ slug }) => {
      const row = catalogue.category(slug);
      return row === undefined ? null : presentCategory(row, index);
    },
    topics: ({ categorySlug, search }) => {
      const part = search?.toLowerCase() ?? '';
      return catalogue.topics
        .filter((topic) => !isGiven(categorySlug) || topic.categorySlug === categorySlug)
        .filter(({ name }) => name.toLowerCase().includes(part))
        .map((row) => presentTopic(row, index));
    },
    topic: ({ slug }) => {
      const row = catalogue.topic(slug);
      return row === undefined ? null : presentTopic(row, index);
    },
  };
}

type MarketPredicate = (entry: MarketEntry) => boolean;

const MAX_IDS = 100;

/** Returns a check of all given members; undefined if every market passes. @throws WireFault on an invalid member */
function readMarketFilter(filter: RawMarketFilter | null | undefined): MarketPredicate | undefined {
  if (!isGiven(filter)) return undefined;
  const { status, categorySlug, topicSlug, search, createdAfter, resolvesBefore, minVolumeCents, ids } = filter;
  /** Cheap and selective predicates first. */
  const predicates: MarketPredicate[] = [];
  if (isGiven(ids)) {
    if (ids.length > MAX_IDS) throw badArgument('ids', ids.length, `at most ${MAX_IDS} ids`);
    const requested = new Set<string>(ids.map(readMarketId));
    predicates.push((entry) => requested.has(entry.record.id));
  }
  if (isGiven(status)) predicates.push((entry) => entry.status === status);
  if (isGiven(categorySlug)) predicates.push((entry) => entry.record.categorySlug === categorySlug);
  if (isGiven(minVolumeCents)) {
    readCents('minVolumeCents', minVolumeCents);
    predicates.push(({ volumeCents }) => volumeCents >= minVolumeCents);
  }
  if (isGiven(createdAfter)) {
    const time = readTime('createdAfter', createdAfter);
    predicates.push((entry) => entry.record.createdAt > time);
  }
  if (isGiven(resolvesBefore)) {
    const time = readTime('resolvesBefore', resolvesBefore);
    predicates.push(({ resolutionDate }) => resolutionDate < time);
  }
  if (isGiven(topicSlug)) predicates.push((entry) => entry.record.topicSlugs.includes(topicSlug));
  if (isGiven(search)) {
    const part = search.toLowerCase();
    predicates.push(({ lowerCaseQuestion }) => lowerCaseQuestion.includes(part));
  }
  if (predicates.length <= 1) return predicates[0];
  return (entry) => predicates.every((predicate) => predicate(entry));
}
