/** `replaceOrder` and `replaceOrders`: cancel and place orders of one market atomically (docs/spec/venue.md#replace). */
import { counted, type MarketId } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
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
import { presentRejection, type Refused, renamed } from '../rejection.ts';
import { type Caller, callerFields, callerOf, rateRefusal } from './caller.ts';
import { closedBy, presentCancel } from './cancelling.ts';
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

interface Replacement {
  /** Undefined for the market of the first place. */
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

export function replacingResolvers(deps: ResolverDeps): RootResolvers<'Mutation', 'replaceOrder' | 'replaceOrders'> {
  return {
    replaceOrder: ({ id, input, ifNoFillSince }, context) => {
      const cancel = [readOrderId(id)];
      const seen = readIfNoFillSince(ifNoFillSince);
      const mode = { mustReplace: true, cancelArgument: 'id' } as const;
      return replace({ marketId: undefined, cancel, place: [input], ifNoFillSince: seen, ...mode }, context, deps);
    },
    replaceOrders: ({ input }, context) => {
      const { marketId, cancelOrderIds, cancelAllInMarket, place, ifNoFillSince } = input;
      const isAll = cancelAllInMarket === true;
      if (isAll && isGiven(cancelOrderIds)) {
        throw invalidArgument('cancelOrderIds: must not be given together with cancelAllInMarket');
      }
      const cancel = isAll ? 'all' : (cancelOrderIds ?? []).map((id) => readOrderId(id));
      const { maxBatchOrders, maxBatchCancels } = deps.queue.view.config;
      if (place.length > maxBatchOrders) throw badArgument('place', place.length, `at most ${maxBatchOrders} orders`);
      if (cancel.length > maxBatchCancels && cancel !== 'all') {
        throw badArgument('cancelOrderIds', cancel.length, `at most ${maxBatchCancels} orders`);
      }
      const id = readMarketId(marketId);
      const seen = readIfNoFillSince(ifNoFillSince);
      const mode = { mustReplace: false, cancelArgument: 'cancelOrderIds' } as const;
      return replace({ marketId: id, cancel, place, ifNoFillSince: seen, ...mode }, context, deps);
    },
  };
}

function readIfNoFillSince(seen: Raw<'UintString'> | null | undefined): number | undefined {
  return isGiven(seen) ? readSafeUint('ifNoFillSince', seen) : undefined;
}

function replace(request: Replacement, context: OperationContext, deps: ResolverDeps): Payload | Promise<Payload> {
  const { queue, buckets } = deps;
  const caller = callerOf(context, deps);
  // Cancelling all orders costs one token, like `cancelMarketOrders`.
  const cancels = request.cancel === 'all' ? 1 : request.cancel.length;
  const limited = rateRefusal(buckets.takeBoth(context, request.place.length, cancels));
  if (limited !== undefined) {
    return queue.read(() =>
      new ReplaceTask(request, [], caller, deps).refused(
        limited,
        request.place.map(() => limited),
      ),
    );
  }
  const places = request.place.map((input) => readPlace(input, deps));
  let turn: ReplaceTask | undefined;
  let earlyRefusals: readonly (Refused | undefined)[] = [];
  return afterDelay(places, deps, (delayed) =>
    queue.run({
      command: () => {
        turn = new ReplaceTask(request, places, caller, deps);
        earlyRefusals = places.map((signed) => refusalBefore(signed, caller, deps));
        if (earlyRefusals.some((refusal) => refusal !== undefined)) return undefined;
        const { market, cancel } = turn;
        const restriction = deps.callers.restrictionOf(context);
        const place = places.map((signed) => termsOf(signed, restrictionOf(signed, restriction, delayed), deps.ids));
        const { ifNoFillSince, mustReplace } = request;
        return { type: 'replace', ...callerFields(caller, deps), market, cancel, place, ifNoFillSince, mustReplace };
      },
      answer: (events) => {
        if (turn === undefined) throw new RangeError('Invariant: a replacement was answered before its turn');
        const first = earlyRefusals.find((refusal) => refusal !== undefined);
        return first === undefined ? turn.answer(events) : turn.refused(first, earlyRefusals);
      },
    }),
  );
}

function noRefusal(): undefined {
  return undefined;
}

/** One replacement, resolved in its turn of the queue. */
class ReplaceTask {
  readonly market;
  readonly cancel;
  readonly #request: Replacement;
  readonly #places: readonly SignedPlace[];
  readonly #caller: Caller;
  readonly #deps: ResolverDeps;

  constructor(request: Replacement, places: readonly SignedPlace[], caller: Caller, deps: ResolverDeps) {
    this.#request = request;
    this.#places = places;
    this.#caller = caller;
    this.#deps = deps;
    const { ids } = deps;
    const id = request.marketId ?? places[0]?.fields.marketId;
    this.market = (id === undefined ? undefined : ids.market(id)) ?? counted.market(-1);
    this.cancel =
      request.cancel === 'all' ? ('all' as const) : request.cancel.map((hash) => counted.order(ids.order(hash)));
  }

  answer(events: readonly ExchangeEvent[]): Payload {
    const answers = new EngineAnswers(events);
    const { cancelArgument } = this.#request;
    const withArgumentName = (refusal: Refused | undefined) => renamed(refusal, 'cancelOrderIds', cancelArgument);
    const whole = withArgumentName(answers.whole);
    const cancels = this.cancel === 'all' ? 0 : this.cancel.length;
    const placed = this.#places.map((signed, at) => answers.resultOf(cancels + at, signed, this.#deps.queue.view));
    if (whole === undefined) return this.#payload(placed, this.#replaced(events), undefined);
    const untouched = this.#cancelResults((entry) => withArgumentName(answers.ownRefusalOf(entry)), false);
    return this.#payload(placed, untouched, whole);
  }

  /** The answer to a request that was refused before the exchange. @param refusals one place per new order */
  refused(whole: Refused, refusals: readonly (Refused | undefined)[]): Payload {
    const placed = refusals.map(
      (refusal): PlaceResult => (refusal === undefined ? { type: 'skipped' } : { type: 'refused', refusal }),
    );
    return this.#payload(placed, this.#cancelResults(noRefusal, false), whole);
  }

  #replaced(events: readonly ExchangeEvent[]): readonly Model<'CancelResult'>[] {
    if (this.cancel !== 'all') return this.#cancelResults(noRefusal, true);
    return closedBy(events, 'REPLACED').map((order) => this.#cancelResult(order, '', undefined, true));
  }

  #cancelResults(
    refusalOf: (entry: number) => Refused | undefined,
    isCancelled: boolean,
  ): readonly Model<'CancelResult'>[] {
    const { cancel } = this.#request;
    if (this.cancel === 'all' || cancel === 'all') return [];
    return this.cancel.map((order, entry) =>
      this.#cancelResult(order, cancel[entry] ?? '', refusalOf(entry), isCancelled),
    );
  }

  #cancelResult(
    order: number,
    named: string,
    refusal: Refused | undefined,
    isCancelled: boolean,
  ): Model<'CancelResult'> {
    return presentCancel(order, named, { refusal, isCancelled }, this.#caller, this.#deps);
  }

  #payload(
    placed: readonly PlaceResult[],
    cancelled: readonly Model<'CancelResult'>[],
    whole: Refused | undefined,
  ): Payload {
    return {
      committed: whole === undefined,
      cancelled,
      placed: placed.map((result) => presentPlaceResult(result, this.#deps)),
      rejection: whole === undefined ? null : presentRejection(whole),
      seq: this.#deps.queue.view.seq,
    };
  }
}
