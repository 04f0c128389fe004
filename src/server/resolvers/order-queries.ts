/** Queries of the caller's orders and fills. */
import { unchecked } from '../../domain/index.ts';
import type { FillFilter, FillRow, OrderFilter, OrderRow } from '../../exchange/index.ts';
import {
  badArgument,
  type RawFillsInput,
  type RawOrdersInput,
  readMarketId,
  readOrderId,
  readSafeUint,
  readTime,
  readUuid,
} from '../../protocol/index.ts';
import { isGiven } from '../graphql/context.ts';
import { createConnection, readPage } from '../paging/pages.ts';
import type { RootResolvers } from '../presenters/models.ts';
import { presentFill, presentOrder, presentOrderFills } from '../presenters/order-presenter.ts';
import { requireCaller, UNKNOWN_NUMBER } from './caller.ts';
import { readOrderKey } from './cancelling.ts';
import type { ResolverDeps } from './deps.ts';

const MAX_CLIENT_IDS = 100;

export function orderQueries(deps: ResolverDeps): RootResolvers<'Query', 'orders' | 'order' | 'fills'> {
  const { queue, archive, cursors } = deps;
  const { view } = queue;
  const presenterDeps = { view, ids: deps.ids, archive };
  return {
    orders: ({ input }, context) => {
      const { account } = requireCaller(context, deps);
      const getSortKey = ({ createdAt, id }: OrderRow) => ({ value: createdAt, id });
      const list = { list: `orders of ${account}`, sort: 'CREATED_AT_DESC', getSortKey };
      const page = readPage(input ?? {}, (cursor) => {
        const { value, id } = cursors.open(list, cursor);
        return { createdAt: unchecked.time(value), id: String(id) };
      });
      const getFilter = readOrderFilter(input ?? {}, deps);
      return queue.read(() => {
        const orders = archive.orders(account, getFilter(account), page);
        const queues = view.queuesAhead(orders.rows.map(({ order }) => order));
        return createConnection(cursors, list, orders, (row) => presentOrder(row, presenterDeps, queues));
      });
    },
    order: (args, context) => {
      const { account } = requireCaller(context, deps);
      const key = readOrderKey(args, deps);
      return queue.read(() => {
        const row = archive.order(key.find(account));
        if (row?.account !== account) return { found: false, order: null, fills: [] };
        return { found: true, order: presentOrder(row, presenterDeps), fills: presentOrderFills(row, presenterDeps) };
      });
    },
    fills: ({ input }, context) => {
      const { account } = requireCaller(context, deps);
      const isResumed = isGiven(input?.afterSeq);
      const getSortKey = ({ seq, id }: FillRow) => ({ value: seq, id });
      const list = { list: `fills of ${account}`, sort: isResumed ? 'SEQ_ASC' : 'SEQ_DESC', getSortKey };
      const page = readPage(input ?? {}, (cursor) => Number(cursors.open(list, cursor).id));
      const getFilter = readFillFilter(input ?? {}, deps);
      const sortOrder = isResumed ? 'oldest' : 'newest';
      return queue.read(() =>
        createConnection(cursors, list, archive.fills(account, getFilter(), sortOrder, page), (row) =>
          presentFill(row, presenterDeps),
        ),
      );
    },
  };
}

/** Validates the filter now. The returned function converts ids to numbers when the list is read. */
function readOrderFilter(input: RawOrdersInput, { ids, queue }: ResolverDeps): (account: number) => OrderFilter {
  const { statuses, clientOrderIds } = input;
  const marketId = isGiven(input.marketId) ? readMarketId(input.marketId) : undefined;
  const groupId = isGiven(input.groupId) ? readUuid('group', input.groupId) : undefined;
  const since = isGiven(input.since) ? readTime('since', input.since) : undefined;
  if (isGiven(clientOrderIds) && clientOrderIds.length > MAX_CLIENT_IDS)
    throw badArgument('clientOrderIds', clientOrderIds.length, `at most ${MAX_CLIENT_IDS} ids`);
  const includesOpen = statuses?.some((status) => status === 'LIVE' || status === 'PARTIALLY_FILLED') === true;
  return (account) => {
    const market = marketId === undefined ? undefined : (ids.marketNo(marketId) ?? UNKNOWN_NUMBER);
    return {
      market,
      group: groupId === undefined ? undefined : (ids.groups.find(groupId)?.group ?? UNKNOWN_NUMBER),
      since,
      statuses: statuses ?? undefined,
      clientOrderIds: clientOrderIds ?? undefined,
      openOrders: includesOpen ? queue.view.openOrders(account, market).map(({ order }) => order) : undefined,
    };
  };
}

function readFillFilter(input: RawFillsInput, { ids }: ResolverDeps): () => FillFilter {
  const marketId = isGiven(input.marketId) ? readMarketId(input.marketId) : undefined;
  const orderId = isGiven(input.orderId) ? readOrderId(input.orderId) : undefined;
  const since = isGiven(input.since) ? readTime('since', input.since) : undefined;
  const afterSeq = isGiven(input.afterSeq) ? readSafeUint('afterSeq', input.afterSeq) : undefined;
  return () => ({
    market: marketId === undefined ? undefined : (ids.marketNo(marketId) ?? UNKNOWN_NUMBER),
    order: orderId === undefined ? undefined : ids.orderNo(orderId) || UNKNOWN_NUMBER,
    since,
    afterSeq,
  });
}
