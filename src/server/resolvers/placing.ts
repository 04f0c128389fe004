/** `placeOrder` and `placeOrders`: place signed orders, each with its own result. */
import type { ExchangeCommand, ExchangeEvent, OrderTerms } from '../../exchange/index.ts';
import { badArgument, type RawPlaceOrderInput } from '../../protocol/index.ts';
import type { Task } from '../command-queue-types.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import type { Refused } from '../rejection.ts';
import type { DelayedOrders } from '../replay/placing-delays.ts';
import { type Caller, callerFields, callerOf, takeTokens } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import {
  afterDelay,
  EngineAnswers,
  type PlaceResult,
  presentPlaceResult,
  readPlace,
  refusalBefore,
  restrictionOf,
  type SignedPlace,
  termsOf,
} from './signed-place.ts';

export function placingResolvers(deps: ResolverDeps): RootResolvers<'Mutation', 'placeOrder' | 'placeOrders'> {
  return {
    placeOrder: ({ input }, context) => place([input], context, deps, singleResult),
    placeOrders: ({ input: { orders } }, context) => {
      const { maxBatchOrders } = deps.queue.view.config;
      if (orders.length > maxBatchOrders) {
        throw badArgument('orders', orders.length, `at most ${maxBatchOrders} orders`);
      }
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
  payload: (results: readonly Result[]) => Payload,
): Payload | Promise<Payload> {
  const caller = callerOf(context, deps);
  const limited = takeTokens('order', inputs.length, context, deps);
  if (limited !== undefined) {
    const refused: PlaceResult = { type: 'refused', refusal: limited };
    return deps.queue.read(() => payload(inputs.map(() => presentPlaceResult(refused, deps))));
  }
  const places = inputs.map((input) => readPlace(input, deps));
  return afterDelay(places, deps, (delayed) =>
    deps.queue.run(new PlaceTask({ places, caller, context, delayed, deps, payload })),
  );
}

interface PlaceTaskOptions<Payload> {
  readonly places: readonly SignedPlace[];
  readonly caller: Caller;
  readonly context: OperationContext;
  /** Undefined if the orders were not delayed. */
  readonly delayed: DelayedOrders | undefined;
  readonly deps: ResolverDeps;
  readonly payload: (results: readonly Result[]) => Payload;
}

/** Places orders in one turn. The command contains only orders that pass the checks before the exchange. */
class PlaceTask<Payload> implements Task<Payload> {
  readonly #options: PlaceTaskOptions<Payload>;
  /** Refusals by the checks before the exchange, one place per order. */
  #refusals: readonly (Refused | undefined)[] = [];

  constructor(options: PlaceTaskOptions<Payload>) {
    this.#options = options;
  }

  command(): ExchangeCommand | undefined {
    const { places, caller, context, delayed, deps } = this.#options;
    const refusals = places.map((signed) => refusalBefore(signed, caller, deps));
    this.#refusals = refusals;
    const restriction = deps.callers.restrictionOf(context);
    const orders: OrderTerms[] = [];
    for (const [at, signed] of places.entries()) {
      if (refusals[at] !== undefined) continue;
      orders.push(termsOf(signed, restrictionOf(signed, restriction, delayed), deps.ids));
    }
    const [only] = orders;
    if (only === undefined) return undefined;
    const fields = callerFields(caller, deps);
    return orders.length === 1 ? { type: 'place', ...fields, ...only } : { type: 'placeBatch', ...fields, orders };
  }

  answer(events: readonly ExchangeEvent[]): Payload {
    const { places, deps, payload } = this.#options;
    const answers = new EngineAnswers(events);
    let entry = 0;
    const results = places.map((signed, at) => {
      const refusal = this.#refusals[at];
      const result: PlaceResult =
        refusal === undefined ? answers.resultOrWhole(entry++, signed, deps.queue.view) : { type: 'refused', refusal };
      return presentPlaceResult(result, deps);
    });
    return payload(results);
  }
}
