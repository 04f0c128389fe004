/** Mutations that cancel selected orders, a market's orders or all orders, or reduce an order. */
import { type MarketNo, type OrderNo, unchecked } from '../../domain/index.ts';
import type { AccountCommand, ExchangeCommand, ExchangeEvent } from '../../exchange/index.ts';
import {
  badArgument,
  invalidArgument,
  type Raw,
  readHex,
  readMarketId,
  readOrderId,
  readOutcome,
  readSafeUint,
  requireExactlyOne,
  sharesFloat,
} from '../../protocol/index.ts';
import { isGiven, type OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import { computeRemaining } from '../presenters/order-presenter.ts';
import { type ApiRefusal, presentRejection, refusalFault, renameField } from '../rejection.ts';
import { type Caller, callerFields, consumeTokens, requireCaller } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { CommandResults, readClientOrderId } from './place-request.ts';

/** A client's reference to one of its orders. */
export interface OrderKey {
  /** The key's text in the request. */
  readonly text: string;
  readonly argument: 'id' | 'ids' | 'orderHash' | 'clientOrderId';
  /** Returns the order's number, or 0 for an unknown order. Call this in `Task.command`. */
  find(account: number): number;
}

type Names = 'cancelOrder' | 'cancelOrders' | 'cancelMarketOrders' | 'cancelAllOrders' | 'reduceOrder';

export function cancellingResolvers(deps: ResolverDeps): RootResolvers<'Mutation', Names> {
  return {
    cancelOrder: (args, context) => changeOrders([readOrderKey(args, deps)], cancel, context, deps),
    cancelOrders: ({ ids }, context) => {
      const { maxBatchCancels } = deps.queue.view.config;
      if (ids.length > maxBatchCancels) throw badArgument('ids', ids.length, `at most ${maxBatchCancels} orders`);
      const keys = ids.map((id) => createHashKey('ids', readOrderId(id), deps));
      return changeOrders(keys, cancel, context, deps);
    },
    reduceOrder: ({ id, byShares }, context) => {
      const key = createHashKey('id', readOrderId(id), deps);
      const by = unchecked.shares(readSafeUint('byShares', byShares));
      const reduce = (fields: AccountCommand, [order = unchecked.order(0)]: readonly OrderNo[]): ExchangeCommand => {
        return { type: 'reduce', ...fields, order, by };
      };
      return changeOrders([key], reduce, context, deps);
    },
    cancelMarketOrders: (args, context) => cancelMarketOrders(args, context, deps),
    cancelAllOrders: (_, context) => cancelAllOrders(context, deps),
  };
}

/** Reads the key of an order. @throws WireFault unless exactly one valid key is given */
export function readOrderKey(
  args: {
    readonly id?: Raw<'ID'> | null | undefined;
    readonly orderHash?: Raw<'Hex'> | null | undefined;
    readonly clientOrderId?: string | null | undefined;
  },
  deps: ResolverDeps,
): OrderKey {
  const { id, orderHash, clientOrderId } = args;
  const keyName = requireExactlyOne({ id, orderHash, clientOrderId });
  if (keyName === 'id' && isGiven(id)) return createHashKey('id', readOrderId(id), deps);
  if (keyName === 'orderHash' && isGiven(orderHash))
    return createHashKey('orderHash', readHex('orderHash', orderHash, 32), deps);
  const text = readClientOrderId(clientOrderId) ?? '';
  return { text, argument: 'clientOrderId', find: (account) => deps.ids.orderNoOfClientId(account, text) };
}

function createHashKey(argument: 'id' | 'ids' | 'orderHash', text: string, { ids }: ResolverDeps): OrderKey {
  return { text, argument, find: () => ids.orderNo(text) };
}

export interface CancelAnswer {
  readonly order: number;
  /** The id in the answer for an order that the caller does not own. */
  readonly givenId: string;
  readonly refusal: ApiRefusal | undefined;
  readonly isCancelled: boolean;
}

export function presentCancel(
  { order, givenId, refusal, isCancelled }: CancelAnswer,
  { account }: Caller,
  { archive }: ResolverDeps,
): Model<'CancelResult'> {
  const archived = archive.order(order);
  const row = archived?.account === account ? archived : undefined;
  return {
    orderId: row?.id ?? givenId,
    cancelled: isCancelled,
    remainingShares: row === undefined ? null : sharesFloat(unchecked.shares(computeRemaining(row))),
    filledShares: row === undefined ? null : sharesFloat(unchecked.shares(row.filled)),
    rejection: refusal === undefined ? null : presentRejection(refusal),
  };
}

function cancel(fields: AccountCommand, orders: readonly OrderNo[]): ExchangeCommand {
  return { type: 'cancel', ...fields, orders };
}

/** Cancels or reduces orders. Each order costs one token of the rate limit. */
function changeOrders(
  keys: readonly OrderKey[],
  command: (fields: AccountCommand, orders: readonly OrderNo[]) => ExchangeCommand,
  context: OperationContext,
  deps: ResolverDeps,
): Model<'CancelPayload'> | Promise<Model<'CancelPayload'>> {
  const caller = requireCaller(context, deps);
  const { queue } = deps;
  const rateRefusal = consumeTokens('cancel', keys.length, context, deps);
  let orders: readonly OrderNo[] = [];
  const findOrders = (): readonly OrderNo[] => keys.map((key) => unchecked.order(key.find(caller.account)));
  const present = (
    getRefusal: (entry: number) => ApiRefusal | undefined,
    cancelled: ReadonlySet<number>,
  ): Model<'CancelPayload'> => ({
    results: orders.map((order, entry) => {
      const { text = '', argument = 'id' } = keys[entry] ?? {};
      const refusal = renameField(getRefusal(entry), 'id', argument);
      const isCancelled = refusal === undefined && cancelled.has(order);
      return presentCancel({ order, givenId: text, refusal, isCancelled }, caller, deps);
    }),
    seq: queue.view.seq,
  });
  if (rateRefusal !== undefined) {
    return queue.read(() => {
      orders = findOrders();
      return present(() => rateRefusal, new Set());
    });
  }
  return queue.run({
    command: () => {
      orders = findOrders();
      return command(callerFields(caller, deps), orders);
    },
    answer: (events) => {
      const results = new CommandResults(events);
      return present((entry) => results.getRefusal(entry), new Set(findClosedOrders(events, 'USER')));
    },
  });
}

function cancelMarketOrders(
  args: Parameters<RootResolvers<'Mutation', 'cancelMarketOrders'>['cancelMarketOrders']>[0],
  context: OperationContext,
  deps: ResolverDeps,
): Model<'CancelPayload'> | Promise<Model<'CancelPayload'>> {
  const caller = requireCaller(context, deps);
  const { queue, ids } = deps;
  const id = readMarketId(args.marketId);
  const outcome = isGiven(args.outcome) ? readOutcome('outcome', args.outcome) : undefined;
  const side = args.side ?? undefined;
  const rateRefusal = consumeTokens('cancel', 1, context, deps);
  const requireMarket = (): MarketNo => {
    const market = ids.marketNo(id);
    if (market === undefined) throw invalidArgument(`marketId: there is no market ${id}`);
    return market;
  };
  const findMatchingOrders = (market: number): readonly number[] =>
    queue.view
      .openOrders(caller.account, market)
      .filter((open) => (outcome ?? open.outcome) === open.outcome && (side ?? open.side) === open.side)
      .map(({ order }) => order);
  const present = (orders: readonly number[], refusal?: ApiRefusal): Model<'CancelPayload'> => {
    const result = { givenId: '', refusal, isCancelled: refusal === undefined };
    return { results: orders.map((order) => presentCancel({ ...result, order }, caller, deps)), seq: queue.view.seq };
  };
  // Report a refusal of the whole command for each order.
  if (rateRefusal !== undefined) return queue.read(() => present(findMatchingOrders(requireMarket()), rateRefusal));
  let orders: readonly number[] = [];
  return queue.run({
    command: () => {
      const market = requireMarket();
      orders = findMatchingOrders(market);
      return { type: 'cancelMarketOrders', ...callerFields(caller, deps), market, outcome, side };
    },
    answer: (events) => {
      const { commandRefusal } = new CommandResults(events);
      return commandRefusal === undefined ? present(findClosedOrders(events, 'USER')) : present(orders, commandRefusal);
    },
  });
}

function cancelAllOrders(
  context: OperationContext,
  deps: ResolverDeps,
): Model<'CancelAllPayload'> | Promise<Model<'CancelAllPayload'>> {
  const caller = requireCaller(context, deps);
  const { queue, ids } = deps;
  // The cancel costs one token for all orders. A refusal is thrown, because the payload has no `rejection`.
  const rateRefusal = consumeTokens('cancel', 1, context, deps);
  if (rateRefusal !== undefined) throw refusalFault(rateRefusal);
  return queue.run({
    command: () => ({ type: 'cancelAllOrders', ...callerFields(caller, deps) }),
    answer: (events) => {
      const { commandRefusal } = new CommandResults(events);
      if (commandRefusal !== undefined) throw refusalFault(commandRefusal);
      const cancelledIds = findClosedOrders(events, 'USER').map((order) => ids.orderId(order));
      return { cancelledIds, newEpoch: queue.view.account(caller.account)?.epoch ?? 0, seq: queue.view.seq };
    },
  });
}

/** Returns the orders that the events closed for a reason, in the order of the events. */
export function findClosedOrders(events: readonly ExchangeEvent[], reason: 'USER' | 'REPLACED'): readonly number[] {
  return events.flatMap((event) => (event.type === 'closed' && event.reason === reason ? [event.order] : []));
}
