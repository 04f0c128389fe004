/** `placeOrder` and `placeOrders` place signed orders. Each order has its own result. */
import type { ExchangeCommand, OrderTerms } from '../../exchange/index.ts';
import { badArgument, type RawPlaceOrderInput } from '../../protocol/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import type { Refused } from '../rejection.ts';
import { callerFields, consumeTokens, requireCaller } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import {
  afterDelay,
  CommandResults,
  type PlaceResult,
  presentPlaceResult,
  readPlace,
  refusalBeforeExchange,
  restrictionAfterDelay,
  toOrderTerms,
} from './signed-place.ts';

export function placingResolvers(deps: ResolverDeps): RootResolvers<'Mutation', 'placeOrder' | 'placeOrders'> {
  return {
    placeOrder: ({ input }, context) => place([input], context, deps, singleResult),
    placeOrders: ({ input: { orders } }, context) => {
      const { maxBatchOrders } = deps.queue.view.config;
      if (orders.length > maxBatchOrders)
        throw badArgument('orders', orders.length, `at most ${maxBatchOrders} orders`);
      return place(orders, context, deps, (results) => ({ results, seq: deps.queue.view.seq }));
    },
  };
}

type Result = Model<'PlaceOrderPayload'>;

function singleResult([result]: readonly Result[]): Result {
  if (result === undefined) throw new RangeError('Invariant: one order has no result');
  return result;
}

function place<Payload>(
  inputs: readonly RawPlaceOrderInput[],
  context: OperationContext,
  deps: ResolverDeps,
  toPayload: (results: readonly Result[]) => Payload,
): Payload | Promise<Payload> {
  const caller = requireCaller(context, deps);
  const limited = consumeTokens('order', inputs.length, context, deps);
  if (limited !== undefined) {
    const refused: PlaceResult = { type: 'refused', refusal: limited };
    return deps.queue.read(() => toPayload(inputs.map(() => presentPlaceResult(refused, deps))));
  }
  const places = inputs.map((input) => readPlace(input, deps));
  return afterDelay(places, deps, (delayed) => {
    /** One element per order. Undefined if the order passes the checks before the exchange. */
    let refusals: readonly (Refused | undefined)[] = [];
    return deps.queue.run({
      // The command contains only orders that pass the checks before the exchange.
      command: (): ExchangeCommand | undefined => {
        refusals = places.map((signed) => refusalBeforeExchange(signed, caller, deps));
        const restriction = deps.callers.restrictionOf(context);
        const orders: OrderTerms[] = places
          .filter((_, index) => refusals[index] === undefined)
          .map((signed) => toOrderTerms(signed, restrictionAfterDelay(signed, restriction, delayed), deps.ids));
        const [only] = orders;
        if (only === undefined) return undefined;
        const fields = callerFields(caller, deps);
        return orders.length === 1 ? { type: 'place', ...fields, ...only } : { type: 'placeBatch', ...fields, orders };
      },
      answer: (events) => {
        const ofCommand = new CommandResults(events);
        let entry = 0;
        const results = places.map((signed, index): PlaceResult => {
          const refusal = refusals[index];
          if (refusal !== undefined) return { type: 'refused', refusal };
          return ofCommand.resultOrCommandRefusal(entry++, signed, deps.queue.view);
        });
        return toPayload(results.map((result) => presentPlaceResult(result, deps)));
      },
    });
  });
}
