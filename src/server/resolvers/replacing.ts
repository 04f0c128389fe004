/** `replaceOrder` and `replaceOrders` cancel and place a market's orders atomically (docs/spec/venue.md#replace). */
import { type MarketId, type OrderNo, unchecked } from '../../domain/index.ts';
import {
  badArgument,
  invalidArgument,
  type Raw,
  type RawPlaceOrderInput,
  readMarketId,
  readOrderId,
  readSafeUint,
} from '../../protocol/index.ts';
import { isGiven, type OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import { type ApiRefusal, presentRejection, renameField } from '../rejection.ts';
import { callerFields, requireCaller, toRateRefusal, UNKNOWN_NUMBER } from './caller.ts';
import { type CancelAnswer, findClosedOrders, presentCancel } from './cancelling.ts';
import type { ResolverDeps } from './deps.ts';
import {
  afterDelay,
  CommandResults,
  type PlaceResult,
  presentPlaceResult,
  readPlaceRequest,
  refusalBeforeExchange,
  restrictionAfterDelay,
  toOrderTerms,
} from './place-request.ts';

interface Replacement {
  /** Default: the market of the first new order. */
  readonly marketId: MarketId | undefined;
  /** Hashes of orders, or all open orders in the market. */
  readonly cancel: readonly string[] | 'all';
  readonly place: readonly RawPlaceOrderInput[];
  readonly ifNoFillSince: number | undefined;
  readonly mustReplace: boolean;
  /** The argument that names the orders to cancel. */
  readonly cancelArgument: 'id' | 'cancelOrderIds';
}

type Payload = Model<'ReplaceOrdersPayload'>;

const CANCELLED = { refusal: undefined, isCancelled: true };
const NOT_CANCELLED = { refusal: undefined, isCancelled: false };

export function replacingResolvers(deps: ResolverDeps): RootResolvers<'Mutation', 'replaceOrder' | 'replaceOrders'> {
  return {
    replaceOrder: ({ id, input, ifNoFillSince }, context) => {
      const cancel = [readOrderId(id)];
      const seq = readIfNoFillSince(ifNoFillSince);
      const options = { mustReplace: true, cancelArgument: 'id' } as const;
      return replace({ marketId: undefined, cancel, place: [input], ifNoFillSince: seq, ...options }, context, deps);
    },
    replaceOrders: ({ input }, context) => {
      const { marketId, cancelOrderIds, cancelAllInMarket, place, ifNoFillSince } = input;
      const cancelsAll = cancelAllInMarket === true;
      if (cancelsAll && isGiven(cancelOrderIds))
        throw invalidArgument('cancelOrderIds: must not be given together with cancelAllInMarket');
      const cancel = cancelsAll ? 'all' : (cancelOrderIds ?? []).map((id) => readOrderId(id));
      const { maxBatchOrders, maxBatchCancels } = deps.queue.view.config;
      if (place.length > maxBatchOrders) throw badArgument('place', place.length, `at most ${maxBatchOrders} orders`);
      if (cancel.length > maxBatchCancels && cancel !== 'all')
        throw badArgument('cancelOrderIds', cancel.length, `at most ${maxBatchCancels} orders`);
      const id = readMarketId(marketId);
      const seq = readIfNoFillSince(ifNoFillSince);
      const options = { mustReplace: false, cancelArgument: 'cancelOrderIds' } as const;
      return replace({ marketId: id, cancel, place, ifNoFillSince: seq, ...options }, context, deps);
    },
  };
}

function readIfNoFillSince(seq: Raw<'UintString'> | null | undefined): number | undefined {
  return isGiven(seq) ? readSafeUint('ifNoFillSince', seq) : undefined;
}

function replace(replacement: Replacement, context: OperationContext, deps: ResolverDeps): Payload | Promise<Payload> {
  const { queue, buckets, ids } = deps;
  const caller = requireCaller(context, deps);
  const cancelsAll = replacement.cancel === 'all';
  const hashes = cancelsAll ? [] : replacement.cancel;
  // Cancelling all orders costs one token, like `cancelMarketOrders`.
  const cancelTokens = cancelsAll ? 1 : hashes.length;
  const rateRefusal = toRateRefusal(buckets.consumeBoth(context, replacement.place.length, cancelTokens));
  /** Numbers of the orders to cancel, read in `Task.command`; 0 for an unknown order. */
  let ordersToCancel: readonly OrderNo[] = [];
  const findOrders = (): readonly OrderNo[] => hashes.map((hash) => unchecked.order(ids.orderNo(hash)));
  const presentCancelled = (order: number, givenId: string, result: Pick<CancelAnswer, 'refusal' | 'isCancelled'>) =>
    presentCancel({ order, givenId, ...result }, caller, deps);
  const toPayload = (
    placed: readonly PlaceResult[],
    cancelled: readonly Model<'CancelResult'>[],
    commandRefusal: ApiRefusal | undefined,
  ): Payload => ({
    committed: commandRefusal === undefined,
    cancelled,
    placed: placed.map((result) => presentPlaceResult(result, deps)),
    rejection: commandRefusal === undefined ? null : presentRejection(commandRefusal),
    seq: queue.view.seq,
  });
  /** Answers a request that did not reach the exchange. @param refusals one element per new order */
  const toRefusedPayload = (commandRefusal: ApiRefusal, refusals: readonly (ApiRefusal | undefined)[]): Payload =>
    toPayload(
      refusals.map((refusal) => (refusal === undefined ? { type: 'skipped' } : { type: 'refused', refusal })),
      ordersToCancel.map((order, entry) => presentCancelled(order, hashes[entry] ?? '', NOT_CANCELLED)),
      commandRefusal,
    );
  if (rateRefusal !== undefined) {
    return queue.read(() => {
      ordersToCancel = findOrders();
      const refusals = replacement.place.map(() => rateRefusal);
      return toRefusedPayload(rateRefusal, refusals);
    });
  }
  const requests = replacement.place.map((input) => readPlaceRequest(input, deps));
  let earlyRefusals: readonly (ApiRefusal | undefined)[] = [];
  return afterDelay(requests, deps, (delayed) =>
    queue.run({
      command: () => {
        ordersToCancel = findOrders();
        earlyRefusals = requests.map((request) => refusalBeforeExchange(request, caller, deps));
        if (earlyRefusals.some((refusal) => refusal !== undefined)) return undefined;
        const id = replacement.marketId ?? requests[0]?.fields.marketId;
        const market = (id === undefined ? undefined : ids.marketNo(id)) ?? unchecked.market(UNKNOWN_NUMBER);
        const restriction = deps.access.getRestriction(context);
        const place = requests.map((request) =>
          toOrderTerms(request, restrictionAfterDelay(request, restriction, delayed), ids),
        );
        const { ifNoFillSince, mustReplace } = replacement;
        const cancel = cancelsAll ? ('all' as const) : ordersToCancel;
        return { type: 'replace', ...callerFields(caller, deps), market, cancel, place, ifNoFillSince, mustReplace };
      },
      answer: (events) => {
        const firstRefusal = earlyRefusals.find((refusal) => refusal !== undefined);
        if (firstRefusal !== undefined) return toRefusedPayload(firstRefusal, earlyRefusals);
        const results = new CommandResults(events);
        const { cancelArgument } = replacement;
        const withArgumentName = (refused?: ApiRefusal) => renameField(refused, 'cancelOrderIds', cancelArgument);
        const commandRefusal = withArgumentName(results.commandRefusal);
        const cancelCount = ordersToCancel.length;
        const placed = requests.map((request, index) => results.getResult(cancelCount + index, request, queue.view));
        const cancelled = ordersToCancel.map((order, entry) => {
          const refusal = commandRefusal === undefined ? undefined : withArgumentName(results.getEntryRefusal(entry));
          return presentCancelled(order, hashes[entry] ?? '', { refusal, isCancelled: commandRefusal === undefined });
        });
        if (!cancelsAll || commandRefusal !== undefined) return toPayload(placed, cancelled, commandRefusal);
        const replaced = findClosedOrders(events, 'REPLACED');
        const presented = replaced.map((order) => presentCancelled(order, '', CANCELLED));
        return toPayload(placed, presented, commandRefusal);
      },
    }),
  );
}
