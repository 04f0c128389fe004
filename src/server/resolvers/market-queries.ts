import { exactlyOne, type RawMarketsInput, readMarketId } from '../../protocol/index.ts';
import type { MarketEntry, MarketOrder } from '../market-index.ts';
import { connectionOf, type RowListing } from '../paging/connection.ts';
import { comparePlaces } from '../paging/cursors.ts';
import { type PageArguments, readPage } from '../paging/page-request.ts';
import { sortedPage } from '../paging/sorted-page.ts';
import type { MarketModel, Model, RootResolvers } from '../presenters/models.ts';
import { presentResolution, presentTransparency, presentVote } from '../presenters/resolution-presenter.ts';
import { callerOf } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { marketTest } from './market-filter.ts';
import { readMarket } from './price-queries.ts';

type Names = 'market' | 'markets' | 'createdMarkets' | 'resolutionOutcome' | 'modelVotes' | 'transparencyRecord';

/** A resolution is null for an unknown market. */
export function marketQueries(deps: ResolverDeps): RootResolvers<'Query', Names> {
  const { queue, marketIndex, marketViews } = deps;
  const { view } = queue;

  const pageOf = (list: string, order: MarketOrder, args: PageArguments, input?: RawMarketsInput) => {
    const { sort, direction, placeOf } = order;
    const listing: RowListing<MarketEntry> = { list, sort, placeOf };
    const request = readPage(args, (cursor) => deps.cursors.open(listing, cursor));
    const test = marketTest(input?.filter);
    const compare = (entry: MarketEntry, place: ReturnType<typeof placeOf>) =>
      comparePlaces(placeOf(entry), place, direction);
    return queue.read((): Model<'MarketConnection'> => {
      const rows = test === undefined ? order.rows : order.passing(test);
      const page = sortedPage(rows, request, compare);
      return connectionOf(deps.cursors, listing, page, ({ record }) => marketViews.marketOf(record));
    });
  };

  return {
    market: ({ id, slug }) => {
      exactlyOne({ id, slug });
      let find: () => MarketModel | null;
      if (id !== null && id !== undefined) {
        const marketId = readMarketId(id);
        find = () => present(view.marketById(marketId));
      } else {
        find = () => present(view.marketBySlug(slug ?? ''));
      }
      return queue.read(find);
    },
    markets: ({ input }) => {
      const order = marketIndex.order(input?.sort ?? 'CREATED_AT_DESC');
      return pageOf('markets', order, input ?? {}, input ?? undefined);
    },
    createdMarkets: (args, context) => {
      const { account, address } = callerOf(context, deps);
      return pageOf(`createdMarkets ${address}`, marketIndex.createdBy(account), args);
    },
    resolutionOutcome: ({ marketId }) => readMarket(deps, marketId, presentResolution),
    modelVotes: ({ marketId }) => readMarket(deps, marketId, ({ votes }) => votes.map(presentVote)),
    transparencyRecord: ({ marketId }) => readMarket(deps, marketId, presentTransparency),
  };

  function present(record: ReturnType<typeof view.marketById>): MarketModel | null {
    return record === undefined ? null : marketViews.marketOf(record);
  }
}
