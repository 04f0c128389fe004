/** Mutations that cancel orders by key, by market or all, or reduce an order. */
import { column, counted, type MarketNo } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import {
  badArgument,
  exactlyOne,
  invalidArgument,
  type Raw,
  readHex,
  readMarketId,
  readOrderId,
  readOutcome,
  readSafeUint,
  sharesFloat,
} from '../../protocol/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import { remainingOf } from '../presenters/order-presenter.ts';
import { presentRejection, type Refused, refusalFault, renamed } from '../rejection.ts';
import { type Caller, callerFields, callerOf, takeTokens } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { EngineAnswers, readClientOrderId } from './signed-place.ts';

/** Reference of a client to one of its orders. */
export interface OrderKey {
  /** The key's text in the request. */
  readonly text: string;
  readonly argument: 'id' | 'ids' | 'orderHash' | 'clientOrderId';
  /** The order's number, 0 for none. Call it in the command's turn. */
  find(account: number): number;
}

type Names = 'cancelOrder' | 'cancelOrders' | 'cancelMarketOrders' | 'cancelAllOrders' | 'reduceOrder';

export function cancellingResolvers(deps: ResolverDeps): RootResolvers<'Mutation', Names> {
  return {
    cancelOrder: (args, context) => cancel([orderKey(args, deps)], context, deps),
    cancelOrders: ({ ids }, context) => {
      const { maxBatchCancels } = deps.queue.view.config;
      if (ids.length > maxBatchCancels) throw badArgument('ids', ids.length, `at most ${maxBatchCancels} orders`);
      return cancel(
        ids.map((id) => keyOfHash('ids', readOrderId(id), deps)),
        context,
        deps,
      );
    },
    reduceOrder: ({ id, byShares }, context) => reduce(keyOfId(id, deps), byShares, context, deps),
    cancelMarketOrders: (args, context) => cancelMarket(args, context, deps),
    cancelAllOrders: (_, context) => cancelAll(context, deps),
  };
}

/** Reads the key of an order. @throws WireFault unless exactly one valid key is given */
export function orderKey(
  args: {
    readonly id?: Raw<'ID'> | null | undefined;
    readonly orderHash?: Raw<'Hex'> | null | undefined;
    readonly clientOrderId?: string | null | undefined;
  },
  deps: Pick<ResolverDeps, 'ids'>,
): OrderKey {
  const { id, orderHash, clientOrderId } = args;
  const given = exactlyOne({ id, orderHash, clientOrderId });
  if (given === 'id' && id !== null && id !== undefined) return keyOfId(id, deps);
  if (given === 'orderHash' && orderHash !== null && orderHash !== undefined) {
    return keyOfHash('orderHash', readHex('orderHash', orderHash, 32), deps);
  }
  const text = readClientOrderId(clientOrderId) ?? '';
  return { text, argument: 'clientOrderId', find: (account) => deps.ids.orderOfClientId(account, text) };
}

function keyOfId(id: Raw<'ID'>, deps: Pick<ResolverDeps, 'ids'>): OrderKey {
  return keyOfHash('id', readOrderId(id), deps);
}

function keyOfHash(argument: 'id' | 'ids' | 'orderHash', text: string, { ids }: Pick<ResolverDeps, 'ids'>): OrderKey {
  return { text, argument, find: () => ids.order(text) };
}

/** The result for an order of a cancel or a reduce. @param isCancelled whether the command cancelled the order */
export function presentCancel(
  order: number,
  named: string,
  { refusal, isCancelled }: { readonly refusal: Refused | undefined; readonly isCancelled: boolean },
  { account }: Caller,
  { archive }: Pick<ResolverDeps, 'archive'>,
): Model<'CancelResult'> {
  const found = archive.order(order);
  const row = found?.account === account ? found : undefined;
  return {
    orderId: row?.id ?? named,
    cancelled: isCancelled,
    remainingShares: row === undefined ? null : sharesFloat(column.shares(remainingOf(row))),
    filledShares: row === undefined ? null : sharesFloat(column.shares(row.filled)),
    rejection: refusal === undefined ? null : presentRejection(refusal),
  };
}

function cancel(
  keys: readonly OrderKey[],
  context: OperationContext,
  deps: ResolverDeps,
): Model<'CancelPayload'> | Promise<Model<'CancelPayload'>> {
  const caller = callerOf(context, deps);
  const { queue } = deps;
  const limited = takeTokens('cancel', keys.length, context, deps);
  let orders: readonly number[] = [];
  const find = (): readonly number[] => keys.map((key) => key.find(caller.account));
  const present = (refusalOf: (entry: number) => Refused | undefined): Model<'CancelPayload'> => ({
    results: orders.map((order, entry) => {
      const { text: named = '', argument = 'id' } = keys[entry] ?? {};
      const refusal = renamed(refusalOf(entry), 'id', argument);
      return presentCancel(order, named, { refusal, isCancelled: refusal === undefined }, caller, deps);
    }),
    seq: queue.view.seq,
  });
  if (limited !== undefined) {
    return queue.read(() => {
      orders = find();
      return present(() => limited);
    });
  }
  return queue.run({
    command: () => {
      orders = find();
      const numbers = orders.map((order) => counted.order(order));
      return { type: 'cancel', ...callerFields(caller, deps), orders: numbers };
    },
    answer: (events) => {
      const answers = new EngineAnswers(events);
      return present((entry) => answers.refusalOf(entry));
    },
  });
}

function reduce(
  key: OrderKey,
  byShares: Raw<'UintString'>,
  context: OperationContext,
  deps: ResolverDeps,
): Model<'CancelPayload'> | Promise<Model<'CancelPayload'>> {
  const caller = callerOf(context, deps);
  const { queue } = deps;
  const by = column.shares(readSafeUint('byShares', byShares));
  const limited = takeTokens('cancel', 1, context, deps);
  let order = 0;
  const present = (refusal: Refused | undefined, isCancelled: boolean): Model<'CancelPayload'> => ({
    results: [presentCancel(order, key.text, { refusal, isCancelled }, caller, deps)],
    seq: queue.view.seq,
  });
  if (limited !== undefined) {
    return queue.read(() => {
      order = key.find(caller.account);
      return present(limited, false);
    });
  }
  return queue.run({
    command: () => {
      order = key.find(caller.account);
      return { type: 'reduce', ...callerFields(caller, deps), order: counted.order(order), by };
    },
    answer: (events) => present(new EngineAnswers(events).refusalOf(0), closedBy(events, 'USER').includes(order)),
  });
}

function cancelMarket(
  args: Parameters<RootResolvers<'Mutation', 'cancelMarketOrders'>['cancelMarketOrders']>[0],
  context: OperationContext,
  deps: ResolverDeps,
): Model<'CancelPayload'> | Promise<Model<'CancelPayload'>> {
  const caller = callerOf(context, deps);
  const { queue, ids } = deps;
  const id = readMarketId(args.marketId);
  const outcome =
    args.outcome === null || args.outcome === undefined ? undefined : readOutcome('outcome', args.outcome);
  const side = args.side ?? undefined;
  const limited = takeTokens('cancel', 1, context, deps);
  const requireMarket = (): MarketNo => {
    const market = ids.market(id);
    if (market === undefined) throw invalidArgument(`marketId: there is no market ${id}`);
    return market;
  };
  const matchingOrders = (market: number): readonly number[] =>
    queue.view
      .openOrders(caller.account, market)
      .filter((open) => (outcome ?? open.outcome) === open.outcome && (side ?? open.side) === open.side)
      .map(({ order }) => order);
  const present = (orders: readonly number[], refusal: Refused | undefined): Model<'CancelPayload'> => {
    const isCancelled = refusal === undefined;
    return {
      results: orders.map((order) => presentCancel(order, '', { refusal, isCancelled }, caller, deps)),
      seq: queue.view.seq,
    };
  };
  // Report a refusal of the whole command for each order.
  if (limited !== undefined) return queue.read(() => present(matchingOrders(requireMarket()), limited));
  let orders: readonly number[] = [];
  return queue.run({
    command: () => {
      const market = requireMarket();
      orders = matchingOrders(market);
      return { type: 'cancelMarketOrders', ...callerFields(caller, deps), market, outcome, side };
    },
    answer: (events) => {
      const { whole } = new EngineAnswers(events);
      return whole === undefined ? present(closedBy(events, 'USER'), undefined) : present(orders, whole);
    },
  });
}

function cancelAll(
  context: OperationContext,
  deps: ResolverDeps,
): Model<'CancelAllPayload'> | Promise<Model<'CancelAllPayload'>> {
  const caller = callerOf(context, deps);
  const { queue, ids } = deps;
  // One token for all orders. The payload has no `rejection`.
  const limited = takeTokens('cancel', 1, context, deps);
  if (limited !== undefined) throw refusalFault(limited);
  return queue.run({
    command: () => ({ type: 'cancelAllOrders', ...callerFields(caller, deps) }),
    answer: (events) => {
      const { whole } = new EngineAnswers(events);
      if (whole !== undefined) throw refusalFault(whole);
      const cancelledIds = closedBy(events, 'USER').map((order) => ids.orderId(order));
      return { cancelledIds, newEpoch: queue.view.account(caller.account)?.epoch ?? 0, seq: queue.view.seq };
    },
  });
}

/** Orders that the events closed for a reason, in the order of the events. */
export function closedBy(events: readonly ExchangeEvent[], reason: 'USER' | 'REPLACED'): readonly number[] {
  return events.flatMap((event) => (event.type === 'closed' && event.reason === reason ? [event.order] : []));
}
