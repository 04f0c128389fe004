/** `placeOrder` and `placeOrders` place signed orders. Each order has its own result. */
import type { ExchangeCommand, OrderTerms } from '../../exchange/index.ts';
import { badArgument, type RawPlaceOrderInput } from '../../protocol/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import type { ApiRefusal } from '../rejection.ts';
import { callerFields, consumeTokens, requireCaller } from './caller.ts';
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
  const rateRefusal = consumeTokens('order', inputs.length, context, deps);
  if (rateRefusal !== undefined) {
    const refused: PlaceResult = { type: 'refused', refusal: rateRefusal };
    return deps.queue.read(() => toPayload(inputs.map(() => presentPlaceResult(refused, deps))));
  }
  const requests = inputs.map((input) => readPlaceRequest(input, deps));
  return afterDelay(requests, deps, (delayed) => {
    /** One element per order. Undefined if the order passes the checks before the exchange. */
    let refusals: readonly (ApiRefusal | undefined)[] = [];
    return deps.queue.run({
      // The command contains only orders that pass the checks before the exchange.
      command: (): ExchangeCommand | undefined => {
        refusals = requests.map((request) => refusalBeforeExchange(request, caller, deps));
        const restriction = deps.access.getRestriction(context);
        const orders: OrderTerms[] = requests
          .filter((_, index) => refusals[index] === undefined)
          .map((request) => toOrderTerms(request, restrictionAfterDelay(request, restriction, delayed), deps.ids));
        const [first] = orders;
        if (first === undefined) return undefined;
        const fields = callerFields(caller, deps);
        return orders.length === 1 ? { type: 'place', ...fields, ...first } : { type: 'placeBatch', ...fields, orders };
      },
      answer: (events) => {
        const commandResults = new CommandResults(events);
        let nextIndex = 0;
        const results = requests.map((request, index): PlaceResult => {
          const refusal = refusals[index];
          if (refusal !== undefined) return { type: 'refused', refusal };
          const indexInCommand = nextIndex;
          nextIndex += 1;
          return commandResults.getResultOrCommandRefusal(indexInCommand, request, deps.queue.view);
        });
        return toPayload(results.map((result) => presentPlaceResult(result, deps)));
      },
    });
  });
}
