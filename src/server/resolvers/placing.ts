/** Step 3 of a signed order: it comes in, by itself or in a batch with its own result for each. */
import type { Asked, ExchangeCommand, ExchangeEvent, OrderTerms, Restriction } from '../../exchange/index.ts';
import { badArgument, type RawPlaceOrderInput } from '../../protocol/index.ts';
import type { OperationContext } from '../graphql/index.ts';
import type { Task } from '../pending-command.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import type { Refused } from '../rejection.ts';
import type { HeldOrders } from '../replay/placing-delays.ts';
import { askedBy, type Caller, callerOf } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { EngineAnswers, type PlaceResult, presentPlaceResult } from './place-result.ts';
import { readPlace, refusalBefore, type SignedPlace, termsOf } from './signed-place.ts';

/** `placeOrder` and `placeOrders`. */
export function placingResolvers(deps: ResolverDeps): RootResolvers<'Mutation', 'placeOrder' | 'placeOrders'> {
  return {
    placeOrder: ({ input }, context) => placeOne(input, context, deps),
    placeOrders: ({ input: { orders } }, context) => {
      const { maxBatchOrders } = deps.queue.view.config;
      if (orders.length > maxBatchOrders) {
        throw badArgument('orders', orders.length, `at most ${maxBatchOrders} orders`);
      }
      return place(orders, context, deps, (results) => ({ results, seq: deps.queue.view.seq }));
    },
  };
}

/** Takes tokens for orders. @returns why not */
export function unpaid(
  bucket: 'order' | 'cancel',
  count: number,
  context: OperationContext,
  { buckets }: Pick<ResolverDeps, 'buckets'>,
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
  deps: ResolverDeps,
  payload: (results: readonly Model<'PlaceOrderPayload'>[]) => Payload,
): Payload | Promise<Payload> {
  const caller = callerOf(context, deps);
  const limited = unpaid('order', inputs.length, context, deps);
  if (limited !== undefined) {
    const refused = inputs.map((): PlaceResult => ({ type: 'refused', refusal: limited }));
    return deps.queue.read(() => payload(refused.map((result) => presentPlaceResult(result, deps))));
  }
  const places = inputs.map((input) => readPlace(input, deps));
  let batch: Batch | undefined;
  return whenPassed(places, deps, (held) =>
    deps.queue.run({
      command: () => {
        batch = new Batch(places, caller, deps);
        return batch.command(context, held);
      },
      answer: (events) => {
        const answers = new EngineAnswers(events);
        return payload(batch?.results(answers).map((result) => presentPlaceResult(result, deps)) ?? []);
      },
    }),
  );
}

/** As `place` with one, with nothing made for a set: most orders come so. */
function placeOne(
  input: RawPlaceOrderInput,
  context: OperationContext,
  deps: ResolverDeps,
): Model<'PlaceOrderPayload'> | Promise<Model<'PlaceOrderPayload'>> {
  const caller = callerOf(context, deps);
  const limited = unpaid('order', 1, context, deps);
  if (limited !== undefined)
    return deps.queue.read(() => presentPlaceResult({ type: 'refused', refusal: limited }, deps));
  const signed = readPlace(input, deps);
  return whenPassed([signed], deps, (held) => deps.queue.run(new PlaceOne({ signed, caller, context, deps, held })));
}

/** Some of the orders are refused before the engine: the entries of its command are those that are left. */
class Batch {
  readonly #places: readonly SignedPlace[];
  readonly #before: readonly (Refused | undefined)[];
  readonly #caller: Caller;
  readonly #deps: ResolverDeps;

  constructor(places: readonly SignedPlace[], caller: Caller, deps: ResolverDeps) {
    this.#places = places;
    this.#before = places.map((signed) => refusalBefore(signed, caller, deps));
    this.#caller = caller;
    this.#deps = deps;
  }

  command(context: OperationContext, held: HeldOrders | undefined): ExchangeCommand | undefined {
    const { ids, callers } = this.#deps;
    const restriction = callers.restrictionOf(context);
    const left = this.#places.filter((_, at) => this.#before[at] === undefined);
    const orders = left.map((signed) => termsOf(signed, restrictionOf(signed, restriction, held), ids));
    const [only] = orders;
    if (only === undefined) return undefined;
    const asked = askedBy(this.#caller, this.#deps);
    return orders.length === 1 ? { type: 'place', ...asked, ...only } : { type: 'placeBatch', ...asked, orders };
  }

  results(answers: EngineAnswers): readonly PlaceResult[] {
    let entry = 0;
    const { view } = this.#deps.queue;
    return this.#places.map((signed, at): PlaceResult => {
      const before = this.#before[at];
      return before === undefined ? answers.resultOrWhole(entry++, signed, view) : { type: 'refused', refusal: before };
    });
  }
}

// MERGED src/server/resolvers/place-one.ts
/**
 * HOT: a single signed order in its turn, as most come: the same as a batch of one, with nothing made for a set and each
 * object written out in one piece (bench/server.ts).
 */

/** An order and what it is placed with. */
export interface PlaceOneOf {
  readonly signed: SignedPlace;
  readonly caller: Caller;
  readonly context: OperationContext;
  readonly deps: ResolverDeps;
  /** Undefined where nothing held it. */
  readonly held: HeldOrders | undefined;
}

/** Places one order. */
export class PlaceOne implements Task<Model<'PlaceOrderPayload'>> {
  readonly #of: PlaceOneOf;
  #before: Refused | undefined;

  constructor(of: PlaceOneOf) {
    this.#of = of;
  }

  command(): ExchangeCommand | undefined {
    const { signed, caller, context, deps, held } = this.#of;
    this.#before = refusalBefore(signed, caller, deps);
    if (this.#before !== undefined) return undefined;
    const restriction = restrictionOf(signed, deps.callers.restrictionOf(context), held);
    return commandOf(askedBy(caller, deps), termsOf(signed, restriction, deps.ids));
  }

  answer(events: readonly ExchangeEvent[]): Model<'PlaceOrderPayload'> {
    const { signed, deps } = this.#of;
    if (this.#before !== undefined) return presentPlaceResult({ type: 'refused', refusal: this.#before }, deps);
    return presentPlaceResult(new EngineAnswers(events).resultOrWhole(0, signed, deps.queue.view), deps);
  }
}

function commandOf({ time, account, credential }: Asked, terms: OrderTerms): ExchangeCommand {
  return {
    type: 'place',
    time,
    account,
    credential,
    market: terms.market,
    outcome: terms.outcome,
    side: terms.side,
    price: terms.price,
    shares: terms.shares,
    timeInForce: terms.timeInForce,
    postOnly: terms.postOnly,
    expiration: terms.expiration,
    timestampMs: terms.timestampMs,
    epoch: terms.epoch,
    maxFeeBps: terms.maxFeeBps,
    replaces: terms.replaces,
    selfTrade: terms.selfTrade,
    group: terms.group,
    restriction: terms.restriction,
    hash: terms.hash,
    clientOrderId: terms.clientOrderId,
  };
}

// MERGED src/server/resolvers/held.ts
/**
 * Orders of markets whose tape holds new ones (docs/spec/models.md#time-and-look-ahead): they are carried out when they
 * have waited.
 */

/**
 * Acts at once where nothing holds these orders, which is the rule; else when all of them have waited. What is known
 * already, or refused whatever happens, waits for nothing: who sends the same bytes again wants to know what became of them.
 */
export function whenPassed<Result>(
  places: readonly SignedPlace[],
  { delays, ids }: Pick<ResolverDeps, 'delays' | 'ids'>,
  act: (held: HeldOrders | undefined) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (delays === undefined || delays.isIdle) return act(undefined);
  const fresh = places.filter(({ hash }) => hash !== undefined && ids.order(hash) === 0);
  const held = fresh.length === 0 ? undefined : delays.hold(fresh.map(({ fields }) => fields.marketId));
  return held === undefined ? act(undefined) : held.passed.then(() => act(held));
}

/** What keeps the caller from an order that may have waited. */
export function restrictionOf(
  { fields }: SignedPlace,
  ofCaller: Restriction | undefined,
  held: HeldOrders | undefined,
): Restriction | undefined {
  if (held === undefined || !held.isInterrupted(fields.marketId)) return ofCaller;
  return ofCaller === undefined || ofCaller === 'CLOSE_ONLY' ? 'HALTED_MEANWHILE' : ofCaller;
}
