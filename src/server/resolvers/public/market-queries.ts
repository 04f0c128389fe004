/** Markets, one by one and in lists. */
import { exactlyOne, type RawMarketsInput, readMarketId } from '../../../protocol/index.ts';
import {
  comparePlaces,
  connectionOf,
  type ListOf,
  type PageArguments,
  readPage,
  sortedPage,
} from '../../paging/index.ts';
import { callerOf } from '../trading/index.ts';
import { marketTest } from './market-filter.ts';
import type { MarketEntry, MarketOrder } from './market-index.ts';
import type { RootsOf, Shown, ShownMarket } from './models.ts';
import type { PublicPorts } from './ports.ts';

type Names = 'market' | 'markets' | 'createdMarkets';

/** `market`, `markets`, `createdMarkets`. */
export function marketQueries(ports: PublicPorts): RootsOf<'Query', Names> {
  const { queue, markets } = ports;
  const { view } = queue;
  const { index, shelf } = markets;

  const pageOf = (list: string, order: MarketOrder, args: PageArguments, input?: RawMarketsInput) => {
    const { sort, direction, placeOf } = order;
    const listing: ListOf<MarketEntry> = { list, sort, placeOf };
    const request = readPage(args, (cursor) => ports.cursors.open(listing, cursor));
    const test = marketTest(input?.filter);
    const compare = (entry: MarketEntry, place: ReturnType<typeof placeOf>) =>
      comparePlaces(placeOf(entry), place, direction);
    return queue.read((): Shown<'MarketConnection'> => {
      const rows = test === undefined ? order.rows : order.passing(test);
      const page = sortedPage(rows, request, compare);
      return connectionOf(ports.cursors, listing, page, ({ record }) => shelf.showRecord(record));
    });
  };

  return {
    market: ({ id, slug }) => {
      exactlyOne({ id, slug });
      let find: () => ShownMarket | null;
      if (id !== null && id !== undefined) {
        const marketId = readMarketId(id);
        find = () => shown(view.marketById(marketId));
      } else {
        find = () => shown(view.marketBySlug(slug ?? ''));
      }
      return queue.read(find);
    },
    markets: ({ input }) => {
      const order = index.order(input?.sort ?? 'CREATED_AT_DESC');
      return pageOf('markets', order, input ?? {}, input ?? undefined);
    },
    createdMarkets: (args, context) => {
      const { account, address } = callerOf(context, ports);
      return pageOf(`createdMarkets ${address}`, index.createdBy(account), args);
    },
  };

  function shown(record: ReturnType<typeof view.marketById>): ShownMarket | null {
    return record === undefined ? null : shelf.showRecord(record);
  }
}
