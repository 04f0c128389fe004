/** Queries of a market's book, trades and prices. */
import type { MarketRecord, TradeRow } from '../../exchange/index.ts';
import { badArgument, type Raw, readMarketId, readOutcome, readTime } from '../../protocol/index.ts';
import { isGiven } from '../graphql/context.ts';
import { createConnection, readPage } from '../paging/pages.ts';
import { presentBook } from '../presenters/book-presenter.ts';
import { presentPricePoint, presentTrade } from '../presenters/market-presenter.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import type { ResolverDeps } from './deps.ts';

const MAX_LEVELS = 500;
const DEFAULT_LEVELS = 50;
const MAX_POINTS = 2_000;

/** All fields are null for an unknown market. */
export function priceQueries(deps: ResolverDeps): RootResolvers<'Query', 'orderBook' | 'trades' | 'priceHistory'> {
  const { queue, archive, cursors } = deps;
  const { view } = queue;
  return {
    orderBook: ({ marketId, ...args }) => {
      const outcome = readOutcome('outcome', args.outcome ?? 'YES');
      const depth = args.depth ?? DEFAULT_LEVELS;
      if (depth < 1 || depth > MAX_LEVELS) throw badArgument('depth', depth, `1 to ${MAX_LEVELS}`);
      return readMarket(deps, marketId, (record) => presentBook(record, view, { outcome, depth, asOf: queue.now }));
    },
    trades: ({ marketId, ...args }) => {
      const getSortKey = ({ at, id }: TradeRow) => ({ value: at, id });
      const list = { list: `trades ${readMarketId(marketId)}`, sort: 'EXECUTED_AT_DESC', getSortKey };
      const { maxRows, direction, from } = readPage(args, (cursor) => Number(cursors.open(list, cursor).id));
      return readMarket(deps, marketId, ({ number, id }): Model<'TradeConnection'> => {
        const page = archive.trades(number, { maxRows, direction, from });
        return createConnection(cursors, list, page, (row) => presentTrade(row, id));
      });
    },
    priceHistory: ({ marketId, since, until, interval }) => {
      const request = {
        interval: interval ?? 'ONE_MINUTE',
        since: isGiven(since) ? readTime('since', since) : undefined,
        until: isGiven(until) ? readTime('until', until) : undefined,
        max: MAX_POINTS,
      };
      return readMarket(deps, marketId, ({ number }) =>
        archive.prices({ market: number, ...request }).map(presentPricePoint),
      );
    },
  };
}

/** Runs a query on a durable market; null for an unknown market. @throws WireFault for an invalid id */
export function readMarket<Result>(
  { queue }: ResolverDeps,
  id: Raw<'ID'>,
  query: (record: Readonly<MarketRecord>) => Result,
): Result | null | Promise<Result | null> {
  const marketId = readMarketId(id);
  return queue.read(() => {
    const record = queue.view.marketById(marketId);
    return record === undefined ? null : query(record);
  });
}
