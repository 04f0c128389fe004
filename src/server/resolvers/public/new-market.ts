/** `createMarket`: a market under an id that its creator chose, with a signed order for its empty book if wished. */
import type { EpochMs, MarketId, MarketNo } from '../../../domain/index.ts';
import type { CreateMarket, ExchangeEvent } from '../../../exchange/index.ts';
import { invalidArgument, type RawCreateMarketInput, readMarketId, readTime } from '../../../protocol/index.ts';
import type { OperationContext } from '../../graphql/index.ts';
import { type Refused, showRejection } from '../../rejection.ts';
import {
  type Caller,
  callerOf,
  readPlace,
  refusalBefore,
  type SignedPlace,
  showOrder,
  termsOf,
} from '../trading/index.ts';
import type { RootsOf, Shown } from './models.ts';
import type { PublicPorts } from './ports.ts';

type Payload = Shown<'CreateMarketPayload'>;

/** An input that was read. */
interface Wish {
  readonly id: MarketId;
  readonly question: string;
  readonly rules: string;
  readonly description: string | undefined;
  readonly categorySlug: string;
  /** Each once. */
  readonly topicSlugs: readonly string[];
  readonly resolutionDate: EpochMs;
  readonly initial: SignedPlace | undefined;
}

/** `createMarket`. */
export function creatingResolvers(ports: PublicPorts): RootsOf<'Mutation', 'createMarket'> {
  return { createMarket: ({ input }, context) => create(input, context, ports) };
}

function create(
  input: RawCreateMarketInput,
  context: OperationContext,
  ports: PublicPorts,
): Payload | Promise<Payload> {
  const { queue, buckets } = ports;
  const caller = callerOf(context, ports);
  const wish = readWish(input, ports);
  const retryAfterMs = wish.initial === undefined ? 0 : buckets.take(context, 'order', 1);
  if (retryAfterMs > 0) return refusedPayload({ reason: 'RATE_LIMITED', retryAfterMs });
  let before: Refused | undefined;
  return queue.run({
    command: () => {
      before = refusalBeforeExchange(wish, caller, ports);
      return before === undefined ? commandOf(wish, caller, context, ports) : undefined;
    },
    answer: (events) => {
      const refusal = before ?? events.find((event) => event.type === 'refused')?.refusal;
      return refusal === undefined ? createdPayload(wish.id, events, ports) : refusedPayload(refusal);
    },
  });
}

/** @throws WireFault on what can be no market */
function readWish(input: RawCreateMarketInput, ports: PublicPorts): Wish {
  const { question, description, categorySlug, topicSlugs, rules, initialOrder } = input;
  const id = readMarketId(input.id);
  const initial = initialOrder === null || initialOrder === undefined ? undefined : readPlace(initialOrder, ports);
  if (initial !== undefined && initial.fields.marketId !== id) {
    throw invalidArgument(`initialOrder.order.marketId: expected ${id}, the id of the new market`);
  }
  return {
    id,
    question,
    rules,
    categorySlug,
    initial,
    description: description ?? undefined,
    topicSlugs: [...new Set(topicSlugs ?? [])],
    resolutionDate: readTime('resolutionDate', input.resolutionDate),
  };
}

/** In the order of the tests: signature, signer, then categories and topics, which only a new market has to find. */
function refusalBeforeExchange(wish: Wish, caller: Caller, ports: PublicPorts): Refused | undefined {
  const { initial, id } = wish;
  const unsigned = initial === undefined ? undefined : refusalBefore(initial, caller, ports);
  if (unsigned !== undefined || ports.ids.market(id) !== undefined) return unsigned;
  return catalogueRefusal(wish, ports);
}

function catalogueRefusal({ categorySlug, topicSlugs }: Wish, { catalogue }: PublicPorts): Refused | undefined {
  const category = catalogue.category(categorySlug);
  if (category === undefined) {
    return { reason: 'NOT_FOUND', field: 'categorySlug', because: 'there is no such category' };
  }
  for (const slug of topicSlugs) {
    if (catalogue.topic(slug)?.categorySlug === categorySlug) continue;
    return { reason: 'NOT_FOUND', field: 'topicSlugs', because: 'there is no such topic in the category' };
  }
  if (category.isActive) return undefined;
  return { reason: 'CONFLICT', field: 'categorySlug', because: 'the category takes no new markets' };
}

function commandOf(
  { initial, ...wish }: Wish,
  { viewer, account }: Caller,
  context: OperationContext,
  { queue, ids, callers }: PublicPorts,
): CreateMarket {
  return {
    type: 'createMarket',
    time: queue.now,
    account,
    credential: callers.credentialNo(viewer),
    ...wish,
    tickBps: undefined,
    feeRateBps: undefined,
    minOrderShares: undefined,
    eventId: undefined,
    initialOrder: initial === undefined ? undefined : termsOf(initial, callers.restrictionOf(context), ids),
    restriction: callers.creationRestrictionOf(context),
  };
}

function createdPayload(id: MarketId, events: readonly ExchangeEvent[], ports: PublicPorts): Payload {
  const { ids, markets } = ports;
  const market = ids.market(id);
  if (market === undefined) throw new RangeError(`Invariant: market ${id} was accepted and is not there`);
  return {
    market: markets.shelf.show(market),
    initialOrder: initialOrderOf(market, ports),
    duplicate: events.some(({ type }) => type === 'duplicate'),
    rejection: null,
  };
}

function initialOrderOf(market: MarketNo, { queue: { view }, archive, ids }: PublicPorts): Shown<'Order'> | null {
  const order = view.market(market)?.initialOrder ?? 0;
  if (order === 0) return null;
  const row = archive.order(order);
  if (row === undefined) throw new RangeError(`Invariant: order ${order} has no row`);
  return showOrder(row, { view, ids });
}

function refusedPayload(refusal: Refused): Payload {
  return { market: null, initialOrder: null, duplicate: false, rejection: showRejection(refusal) };
}
