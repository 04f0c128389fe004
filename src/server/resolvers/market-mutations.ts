/** Mutations that create and void markets, and dispute decisions. */
import { type MarketId, type MarketNo, unchecked } from '../../domain/index.ts';
import type { AccountCommand, CreateMarket, ExchangeCommand, ExchangeEvent } from '../../exchange/index.ts';
import { invalidArgument, type Raw, type RawCreateMarketInput, readMarketId, readTime } from '../../protocol/index.ts';
import { isGiven, type OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import { presentOrder } from '../presenters/order-presenter.ts';
import { presentResolution } from '../presenters/resolution-presenter.ts';
import { type ApiRefusal, presentRejection } from '../rejection.ts';
import { type Caller, callerFields, requireCaller, UNKNOWN_NUMBER } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { readPlaceRequest, refusalBeforeExchange, toOrderTerms } from './place-request.ts';

type Names = 'createMarket' | 'cancelMarket' | 'disputeResolution';
type Payload = Model<'CreateMarketPayload'>;

export function marketMutations(deps: ResolverDeps): RootResolvers<'Mutation', Names> {
  const { queue, marketViews } = deps;
  return {
    createMarket: ({ input }, context) => create(input, context, deps),
    cancelMarket: ({ marketId }, context) =>
      changeMarket<Model<'MarketPayload'>>(marketId, context, deps, {
        command: (fields, market) => ({ type: 'voidByCreator', ...fields, market }),
        present: (market) => ({ market: marketViews.getMarket(market), rejection: null }),
        presentRefused: (rejection) => ({ market: null, rejection }),
      }),
    disputeResolution: ({ marketId, reason }, context) =>
      changeMarket<Model<'DisputePayload'>>(marketId, context, deps, {
        command: (fields, market) => ({ type: 'dispute', ...fields, market, reason }),
        present: (market) => {
          const record = queue.view.market(market);
          return { resolution: record === undefined ? null : presentResolution(record), rejection: null };
        },
        presentRefused: (rejection) => ({ resolution: null, rejection }),
      }),
  };
}

/** Creates a market with an id chosen by the creator, optionally with a signed first order. */
function create(raw: RawCreateMarketInput, context: OperationContext, deps: ResolverDeps): Payload | Promise<Payload> {
  const { queue, buckets } = deps;
  const caller = requireCaller(context, deps);
  const input = readNewMarket(raw, deps);
  const retryAfterMs = input.initial === undefined ? 0 : buckets.consume(context, 'order', 1);
  if (retryAfterMs > 0) return refusedPayload({ reason: 'RATE_LIMITED', retryAfterMs });
  let earlyRefusal: ApiRefusal | undefined;
  return queue.run({
    command: () => {
      earlyRefusal = findNewMarketRefusal(input, caller, deps);
      return earlyRefusal === undefined ? toCommand(input, caller, context, deps) : undefined;
    },
    answer: (events) => {
      const refusal = earlyRefusal ?? events.find((event) => event.type === 'refused')?.refusal;
      return refusal === undefined ? createdPayload(input.id, events, deps) : refusedPayload(refusal);
    },
  });
}

/** @throws WireFault on an invalid market */
function readNewMarket(input: RawCreateMarketInput, deps: ResolverDeps) {
  const { question, description, categorySlug, topicSlugs, rules, initialOrder } = input;
  const id = readMarketId(input.id);
  const initial = isGiven(initialOrder) ? readPlaceRequest(initialOrder, deps) : undefined;
  if (initial !== undefined && initial.fields.marketId !== id)
    throw invalidArgument(`initialOrder.order.marketId: expected ${id}, the id of the new market`);
  return {
    id,
    question,
    rules,
    categorySlug,
    initial,
    description: description ?? undefined,
    /** Without duplicates. */
    topicSlugs: [...new Set(topicSlugs ?? [])],
    resolutionDate: readTime('resolutionDate', input.resolutionDate),
  };
}

type NewMarketInput = Readonly<ReturnType<typeof readNewMarket>>;

/** Checks signature, signer, category and topics, in this order. Category and topics matter only for a new market. */
function findNewMarketRefusal(input: NewMarketInput, caller: Caller, deps: ResolverDeps): ApiRefusal | undefined {
  const { initial, id, categorySlug, topicSlugs } = input;
  const { catalogue } = deps;
  const orderRefusal = initial && refusalBeforeExchange(initial, caller, deps);
  if (orderRefusal !== undefined || deps.ids.marketNo(id) !== undefined) return orderRefusal;
  const category = catalogue.category(categorySlug);
  if (category === undefined)
    return { reason: 'NOT_FOUND', field: 'categorySlug', explanation: 'there is no such category' };
  if (topicSlugs.some((slug) => catalogue.topic(slug)?.categorySlug !== categorySlug))
    return { reason: 'NOT_FOUND', field: 'topicSlugs', explanation: 'there is no such topic in the category' };
  if (category.isActive) return undefined;
  return { reason: 'CONFLICT', field: 'categorySlug', explanation: 'the category accepts no new markets' };
}

function toCommand(input: NewMarketInput, caller: Caller, context: OperationContext, deps: ResolverDeps): CreateMarket {
  const { initial, ...fields } = input;
  const { ids, access } = deps;
  return {
    type: 'createMarket',
    ...callerFields(caller, deps),
    ...fields,
    tickBps: undefined,
    feeRateBps: undefined,
    minOrderShares: undefined,
    eventId: undefined,
    initialOrder: initial === undefined ? undefined : toOrderTerms(initial, access.getRestriction(context), ids),
    restriction: access.getRestriction(context, 'CREATE_MARKET'),
  };
}

function createdPayload(id: MarketId, events: readonly ExchangeEvent[], deps: ResolverDeps): Payload {
  const { ids, marketViews, archive } = deps;
  const { view } = deps.queue;
  const record = view.marketById(id);
  if (record === undefined) throw new RangeError(`Invariant: market ${id} was accepted but does not exist`);
  const order = record.initialOrder ?? 0;
  return {
    market: marketViews.present(record),
    initialOrder: order === 0 ? null : presentOrder(ids.orderRow(order), { view, ids, archive }),
    duplicate: events.some(({ type }) => type === 'duplicate'),
    rejection: null,
  };
}

function refusedPayload(refusal: ApiRefusal): Payload {
  return { market: null, initialOrder: null, duplicate: false, rejection: presentRejection(refusal) };
}

function changeMarket<Payload>(
  marketId: Raw<'ID'>,
  context: OperationContext,
  deps: ResolverDeps,
  change: {
    readonly command: (fields: AccountCommand, market: MarketNo) => ExchangeCommand;
    readonly present: (market: MarketNo) => Payload;
    readonly presentRefused: (rejection: Model<'Rejection'>) => Payload;
  },
): Payload | Promise<Payload> {
  const { queue, ids } = deps;
  const caller = requireCaller(context, deps);
  const id = readMarketId(marketId);
  let market = unchecked.market(UNKNOWN_NUMBER);
  return queue.run({
    command: () => {
      market = ids.marketNo(id) ?? market;
      return change.command(callerFields(caller, deps), market);
    },
    answer: (events) => {
      const refusal = events.find((event) => event.type === 'refused')?.refusal;
      return refusal === undefined ? change.present(market) : change.presentRefused(presentRejection(refusal));
    },
  });
}
