/** Step 3 of a signed order: it comes in, by itself or in a batch with its own result for each. */
import type { ExchangeCommand } from '../../../exchange/index.ts';
import { badArgument, type RawPlaceOrderInput } from '../../../protocol/index.ts';
import type { OperationContext } from '../../graphql/index.ts';
import type { Refused } from '../../rejection.ts';
import type { HeldOrders } from '../../replay/placing-delays.ts';
import { askedBy, type Caller, callerOf } from './caller.ts';
import { restrictionOf, whenPassed } from './held.ts';
import type { RootsOf, Shown } from './models.ts';
import { PlaceOne } from './place-one.ts';
import { EngineAnswers, type PlaceResult, showPlace } from './place-result.ts';
import type { TradingPorts } from './ports.ts';
import { readPlace, refusalBefore, type SignedPlace, termsOf } from './signed-place.ts';

/** `placeOrder` and `placeOrders`. */
export function placingResolvers(ports: TradingPorts): RootsOf<'Mutation', 'placeOrder' | 'placeOrders'> {
  return {
    placeOrder: ({ input }, context) => placeOne(input, context, ports),
    placeOrders: ({ input: { orders } }, context) => {
      const { maxBatchOrders } = ports.queue.view.config;
      if (orders.length > maxBatchOrders) {
        throw badArgument('orders', orders.length, `at most ${maxBatchOrders} orders`);
      }
      return place(orders, context, ports, (results) => ({ results, seq: ports.queue.view.seq }));
    },
  };
}

/** Takes tokens for orders. @returns why not */
export function unpaid(
  bucket: 'order' | 'cancel',
  count: number,
  context: OperationContext,
  { buckets }: Pick<TradingPorts, 'buckets'>,
): Refused | undefined {
  return rateRefusal(count === 0 ? 0 : buckets.take(context, bucket, count));
}

/** @param retryAfterMs 0 for none */
export function rateRefusal(retryAfterMs: number): Refused | undefined {
  return retryAfterMs === 0 ? undefined : { reason: 'RATE_LIMITED', retryAfterMs };
}

function place<Payload>(
  inputs: readonly RawPlaceOrderInput[],
  context: OperationContext,
  ports: TradingPorts,
  payload: (results: readonly Shown<'PlaceOrderPayload'>[]) => Payload,
): Payload | Promise<Payload> {
  const caller = callerOf(context, ports);
  const limited = unpaid('order', inputs.length, context, ports);
  if (limited !== undefined) {
    const refused = inputs.map((): PlaceResult => ({ type: 'refused', refusal: limited }));
    return ports.queue.read(() => payload(refused.map((result) => showPlace(result, ports))));
  }
  const places = inputs.map((input) => readPlace(input, ports));
  let batch: Batch | undefined;
  return whenPassed(places, ports, (held) =>
    ports.queue.run({
      command: () => {
        batch = new Batch(places, caller, ports);
        return batch.command(context, held);
      },
      answer: (events) => {
        const answers = new EngineAnswers(events);
        return payload(batch?.results(answers).map((result) => showPlace(result, ports)) ?? []);
      },
    }),
  );
}

/** As `place` with one, with nothing made for a set: most orders come so. */
function placeOne(
  input: RawPlaceOrderInput,
  context: OperationContext,
  ports: TradingPorts,
): Shown<'PlaceOrderPayload'> | Promise<Shown<'PlaceOrderPayload'>> {
  const caller = callerOf(context, ports);
  const limited = unpaid('order', 1, context, ports);
  if (limited !== undefined) return ports.queue.read(() => showPlace({ type: 'refused', refusal: limited }, ports));
  const signed = readPlace(input, ports);
  return whenPassed([signed], ports, (held) => ports.queue.run(new PlaceOne({ signed, caller, context, ports, held })));
}

/** Some of the orders are refused before the engine: the entries of its command are those that are left. */
class Batch {
  readonly #places: readonly SignedPlace[];
  readonly #before: readonly (Refused | undefined)[];
  readonly #caller: Caller;
  readonly #ports: TradingPorts;

  constructor(places: readonly SignedPlace[], caller: Caller, ports: TradingPorts) {
    this.#places = places;
    this.#before = places.map((signed) => refusalBefore(signed, caller, ports));
    this.#caller = caller;
    this.#ports = ports;
  }

  command(context: OperationContext, held: HeldOrders | undefined): ExchangeCommand | undefined {
    const { ids, callers } = this.#ports;
    const restriction = callers.restrictionOf(context);
    const left = this.#places.filter((_, at) => this.#before[at] === undefined);
    const orders = left.map((signed) => termsOf(signed, restrictionOf(signed, restriction, held), ids));
    const [only] = orders;
    if (only === undefined) return undefined;
    const asked = askedBy(this.#caller, this.#ports);
    return orders.length === 1 ? { type: 'place', ...asked, ...only } : { type: 'placeBatch', ...asked, orders };
  }

  results(answers: EngineAnswers): readonly PlaceResult[] {
    let entry = 0;
    const { view } = this.#ports.queue;
    return this.#places.map((signed, at): PlaceResult => {
      const before = this.#before[at];
      return before === undefined ? answers.resultOrWhole(entry++, signed, view) : { type: 'refused', refusal: before };
    });
  }
}
